package node_test

import (
	"bytes"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
)

// onBoard waits until the score board counts this of a player.
func (tb *table) onBoard(t *testing.T, p *player, want ...node.Score) {
	t.Helper()
	must(t, p.Wait(tb.ctx, func() (bool, error) {
		got, err := p.BoardScore(tb.ctx, p.Account())
		return slices.Equal(got, want), err
	}))
}

// A loser that signs nothing erases no win that the Arena decided and paid: the winner's node publishes it by itself.
func TestAttack_WithheldResult(t *testing.T) {
	t.Parallel()
	tb, shut := sitWithSilent(t)
	alice, bob := tb.players[0], tb.players[1]
	alice.config.Policy.PublishWins = 100 // the channel is paid out before so many wait
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.play(t, alice, tb.match(t, "toy", ""), "pass 1")
	shut.Store(true)
	tb.mine(t)
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() <= 0 {
		t.Fatalf("alice is paid %v", r.Payouts)
	}
	tb.exit(t, alice)
	tb.onBoard(t, alice, node.Score{Game: "toy", Wins: 1})
	tb.onBoard(t, bob, node.Score{Game: "toy", Losses: 1})
	if list, err := alice.Unpublished(tb.ctx); err != nil || len(list) != 0 {
		t.Errorf("%v wait, %v", list, err)
	}
}

// A node publishes its own wins once enough of a channel wait, and what a channel that is paid out left; not what others won.
func TestScore_ByItself(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) { c.Policy.PublishWins = 2 })
	tb.mine(t)
	alice, bob := tb.players[0], tb.players[1]
	for i, loser := range []*player{bob, alice, bob} {
		tb.onBoard(t, alice)
		must(t, loser.Concede(tb.match(t, "toy", "")))
		for _, p := range tb.players {
			_, err := p.Finished(tb.ctx, tb.channel, i+1)
			must(t, err)
		}
	}
	tb.onBoard(t, alice, node.Score{Game: "toy", Wins: 2})
	tb.onBoard(t, bob, node.Score{Game: "toy", Losses: 2})
	tb.signed(t, alice, 1)
	tb.close(t)
	tb.onBoard(t, alice, node.Score{Game: "toy", Wins: 2, Losses: 1})
	tb.onBoard(t, bob, node.Score{Game: "toy", Wins: 1, Losses: 2})
}

// A node that doesn't publish by itself keeps nothing for that, and one that waits for more wins doesn't ask the board about them.
func TestScore_Waits(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	isRecorded := common.Bytes2Hex(bindings.NewScoreboard().PackIsRecorded(common.Hash{}, 0)[:4])
	at := newProxy(t, func(body []byte) []byte {
		if bytes.Contains(body, []byte(isRecorded)) {
			asked.Add(1)
		}
		return body
	})
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			c.Chain.URL, c.Policy.PublishWins = at, 3
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	for i, loser := range []*player{bob, alice, alice} {
		must(t, loser.Concede(tb.match(t, "toy", "")))
		for _, p := range tb.players {
			_, err := p.Finished(tb.ctx, tb.channel, i+1)
			must(t, err)
		}
	}
	kept := func(p *player) (n int) {
		must(t, p.memory.Scan("win/", "", func(string, []byte) error { n++; return nil }))
		return n
	}
	tb.wait(t, bob, func() bool { return kept(bob) == 2 })
	tb.signed(t, alice, 3)
	if n := kept(alice); n != 0 {
		t.Errorf("alice keeps %d wins", n)
	}
	for range 3 {
		must(t, world(t).Chain.Mine(1))
		tb.wait(t, bob, func() bool { return bob.Head().Block >= world(t).Chain.Head() })
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the board is asked %d times about wins that wait", n)
	}
}
