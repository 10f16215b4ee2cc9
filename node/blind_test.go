package node_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// stands waits until an alarm with a text stands, or doesn't.
func (tb *table) stands(t *testing.T, p *player, text string, want bool) {
	t.Helper()
	tb.wait(t, p, func() bool {
		return want == slices.ContainsFunc(p.Standing(), func(e node.Event) bool { return strings.Contains(e.Text, text) })
	})
}

// TestAttack_WentBack_Approve: a node whose endpoint serves an old chain agrees to nothing new, and
// does when it is itself again.
func TestAttack_WentBack_Approve(t *testing.T) {
	t.Parallel()
	var back atomic.Bool
	at := newProxy(t, func(body []byte) []byte {
		if back.Load() && bytes.Contains(body, []byte("eth_getBlockByNumber")) {
			return bytes.ReplaceAll(body, []byte(`"latest"`), []byte(`"0x3"`))
		}
		return body
	})
	must(t, world(t).Chain.Mine(80)) // far more than is remembered
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			c.Chain.URL = at
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	back.Store(true)
	tb.stands(t, bob, "nothing that happens on the chain is seen", true)
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	tb.wait(t, bob, func() bool { return len(bob.Proposals()) == 1 })
	p := bob.Proposals()[0]
	_, offered := bob.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{{}, {}}, Window: 20})
	for what, err := range map[string]error{
		"approves": bob.Approve(p.Channel, p.Version), "offers": offered,
		"proposes":  bob.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}),
		"registers": bob.Register(tb.ctx, common.Hash{1}, stake, nobody),
	} {
		if !errors.Is(err, node.ErrBlind) {
			t.Errorf("it %s: %v", what, err)
		}
	}
	if len(bob.Matches()) != 0 {
		t.Error("it plays what was proposed")
	}
	back.Store(false)
	tb.wait(t, bob, func() bool { return len(bob.Matches()) == 1 })
	tb.wait(t, alice, func() bool { return len(alice.Matches()) == 1 })
}

// TestAttack_StoppedChain: the chain makes no more blocks while a contest runs in an Arena that
// counts seconds. An alarm stands, and the node agrees to nothing new, until the chain goes on.
func TestAttack_StoppedChain(t *testing.T) {
	t.Parallel()
	arena, err := world(t).Chain.DeployArena(t.Context(), false, 20, 1_000_000)
	must(t, err)
	var late atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
	tb := sitFor(t, 100_000, 2, func(seat int, c *node.Config) {
		c.Arena, c.Scoreboard, c.From = arena.ContractAddress, common.Address{}, arena.BlockNumber.Uint64()
		if seat == 0 {
			c.Now, c.Chain.Now, c.Chain.MaxAge = now, now, time.Hour
		}
	})
	alice, mallory := tb.players[0], tb.players[1]
	must(t, mallory.Close())
	contest := tb.contestOfFirst(t, mallory)
	tb.postTo(t, arena.ContractAddress, mallory.config.GasPayer, contest)
	tb.wait(t, alice, func() bool {
		d, err := alice.Dispute(tb.ctx, tb.channel, nil)
		return err == nil && d.Plan.Next > d.Clock
	})
	tb.stands(t, alice, "of your channels run in seconds", false)
	late.Store(int64(2 * time.Hour))
	if alice.Stopped() == nil {
		t.Fatal("a chain that stands still while a clock runs is no cause for an alarm")
	}
	tb.stands(t, alice, "of your channels run in seconds", true)
	offer := node.OpenRequest{Peers: []common.Address{mallory.Account()}, Deposits: []uint256.Int{{}, {}}, Window: 20}
	if _, err := alice.Offer(tb.ctx, offer); !errors.Is(err, node.ErrBlind) {
		t.Errorf("it offers a channel: %v", err)
	}
	late.Store(0)
	tb.stands(t, alice, "of your channels run in seconds", false)
	mallory.restart(t)
}
