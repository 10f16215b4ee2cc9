package node_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// sitBlind is a table at which one seat reads the chain through an endpoint that can go back. That
// seat approves nothing by itself.
func sitBlind(t *testing.T, blind int) (*table, *atomic.Bool) {
	t.Helper()
	back := new(atomic.Bool)
	at := newProxy(t, func(body []byte) []byte {
		if back.Load() && bytes.Contains(body, []byte("eth_getBlockByNumber")) {
			return bytes.ReplaceAll(body, []byte(`"latest"`), []byte(`"0x3"`))
		}
		return body
	})
	must(t, world(t).Chain.Mine(80)) // far more than is remembered
	return sit(t, 2, func(seat int, c *node.Config) {
		if seat == blind {
			c.Chain.URL = at
			c.Policy.Approve = nil
		}
	}), back
}

// TestAttack_WentBack_Invite: a blind node signs no match of an invite, whoever of the two it is,
// and does when it sees again.
func TestAttack_WentBack_Invite(t *testing.T) {
	t.Parallel()
	for who, blind := range map[string]int{"who invites": 0, "who joins": 1} {
		t.Run(who, func(t *testing.T) {
			tb, old := sitBlind(t, blind)
			alice, bob := tb.players[0], tb.players[1]
			p := tb.players[blind]
			old.Store(true)
			tb.stands(t, p, "nothing that happens on the chain is seen", true)
			id, err := alice.Invite(tb.ctx, byName(bob))
			must(t, err)
			i := tb.invite(t, alice, id)
			_, err = bob.Join(tb.ctx, i.SignedInvite, stake)
			must(t, err)
			for _, p := range tb.players {
				tb.wait(t, p, func() bool { return tb.invite(t, p, id).State == node.InviteJoined })
			}
			if blind == 0 {
				tb.wait(t, alice, func() bool { return len(alice.Proposals())+len(alice.Matches()) > 0 })
			}
			must(t, p.TendInvites(tb.ctx))
			if len(p.Matches()) != 0 {
				t.Errorf("it signs the match: %d run", len(p.Matches()))
			}
			if blind == 1 {
				if err := bob.WithdrawProposals(tb.channel); !errors.Is(err, channel.ErrStale) {
					t.Errorf("it proposes the match: %v", err)
				}
			}
			old.Store(false)
			for _, p := range tb.players {
				tb.wait(t, p, func() bool { return len(p.Matches()) == 1 })
			}
		})
	}
}

// invite returns an invite of a player's.
func (tb *table) invite(t *testing.T, p *player, id common.Hash) *node.Invite {
	t.Helper()
	list, err := p.Invites()
	must(t, err)
	for k := range list {
		if list[k].ID == id {
			return &list[k]
		}
	}
	t.Fatalf("no invite %s", id)
	return nil
}

// TestAttack_WentBack_Superseded: a blind node remembers no more of a peer that takes its proposals
// back again and again.
func TestAttack_WentBack_Superseded(t *testing.T) {
	t.Parallel()
	tb, old := sitBlind(t, 1)
	alice, bob := tb.players[0], tb.players[1]
	old.Store(true)
	tb.stands(t, bob, "nothing that happens on the chain is seen", true)
	version := uint64(0)
	for range 4 {
		must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
		tb.wait(t, bob, func() bool { p := bob.Proposals(); return len(p) == 1 && p[0].Version > version })
		version = bob.Proposals()[0].Version
		must(t, alice.WithdrawProposals(tb.channel))
		tb.wait(t, bob, func() bool { return len(bob.Proposals()) == 0 })
	}
	if n, err := bob.Put(tb.channel); err != nil || n != 0 {
		t.Errorf("%d decisions are put off, %v", n, err)
	}
}

// TestAttack_BlindAtTheStart: a node agrees to nothing before it has read what happened on the
// chain while it was away.
func TestAttack_BlindAtTheStart(t *testing.T) {
	t.Parallel()
	var held atomic.Bool
	again := make(chan struct{})
	at := newProxy(t, func(body []byte) []byte {
		if held.Load() && bytes.Contains(body, []byte("eth_getLogs")) {
			<-again
		}
		return body
	})
	var approved atomic.Int32
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			c.Chain.URL = at
			c.Policy.Approve = func(node.Proposal) bool { approved.Add(1); return true }
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	held.Store(true)
	must(t, bob.Close())
	must(t, world(t).Chain.Mine(80)) // more than is read block by block
	bob.restart(t)
	ctx, cancel := context.WithCancel(tb.ctx)
	cancel() // nothing is waited for
	if err := bob.Register(ctx, common.Hash{1}, stake, nobody); !errors.Is(err, node.ErrBlind) {
		t.Errorf("it registers before it has read the chain: %v", err)
	}
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	tb.wait(t, bob, func() bool { return len(bob.Proposals())+len(bob.Matches()) == 1 })
	if n := approved.Load(); n != 0 || len(bob.Matches()) != 0 {
		t.Errorf("it approves before it has read the chain: %d asked", n)
	}
	close(again)
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { return len(p.Matches()) == 1 })
	}
}

// TestAttack_LyingRPC_Down: while two endpoints contradict each other a node agrees to nothing. One
// that is down has no say, whatever it said before; that it lied stands.
func TestAttack_LyingRPC_Down(t *testing.T) {
	t.Parallel()
	var lies, down atomic.Bool
	var arena string
	second := newProxy(t, func(body []byte) []byte {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		if lies.Load() && bytes.Contains(body, []byte("eth_getLogs")) {
			return bytes.ReplaceAll(body, []byte(arena), []byte("0x"+strings.Repeat("1", 40)))
		}
		return body
	})
	tb := emptyTable(t)
	bob := join(t, func(c *node.Config) { c.Chain.Second, arena = second, strings.ToLower(c.Arena.Hex()) })
	blind := func() bool { return errors.Is(bob.Register(tb.ctx, common.Hash{1}, stake, nobody), node.ErrBlind) }
	lies.Store(true)
	sit(t, 2, nil)                   // others' opening
	must(t, world(t).Chain.Mine(20)) // what is told is final
	tb.stands(t, bob, "they tell different logs", true)
	if !blind() {
		t.Error("it agrees while its endpoints contradict each other")
	}
	down.Store(true)
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, bob, func() bool { return !blind() })
	tb.stands(t, bob, "they tell different logs", true)
}
