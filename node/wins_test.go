package node_test

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// onBoard waits until the score board counts this of a player.
func (tb *table) onBoard(t *testing.T, p *player, want ...node.Score) {
	t.Helper()
	must(t, p.Wait(tb.ctx, func() (bool, error) {
		got, err := p.BoardScore(tb.ctx, p.Account())
		return slices.Equal(got, want), err
	}))
}

// A loser that signs nothing erases no win that the Arena decided and paid: the winner's node
// publishes it by itself.
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

// A node publishes its own wins once enough of a channel wait, and what a channel that is paid out
// left; not what others won.
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

// A win that brought less than it costs to count is not published by itself: whoever loses on
// purpose would have the winner pay.
func TestScore_Worthless(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) { c.Policy.PublishWins = 1 })
	tb.mine(t)
	alice, bob := tb.players[0], tb.players[1]
	won := []uint256.Int{*new(uint256.Int).AddUint64(stake, 1), *new(uint256.Int).SubUint64(stake, 1)}
	id := tb.match(t, "toy", "")
	must(t, alice.OfferDraw(id, won))
	tb.wait(t, bob, func() bool { return bob.AcceptDraw(id, 0, won) == nil })
	tb.wait(t, alice, func() bool {
		r, err := alice.Result(id)
		return err == nil && r.Won() == 1 && r.Signatures != nil && !slices.Contains(r.Signatures, protocol.Signature{})
	})
	if n := kept(t, alice); n != 0 {
		t.Fatalf("%d wins wait to be published", n)
	}
	must(t, bob.Concede(tb.match(t, "toy", "")))
	tb.onBoard(t, alice, node.Score{Game: "toy", Wins: 1})
	if list, err := alice.Unpublished(tb.ctx); err != nil || len(list[tb.channel]) != 1 {
		t.Errorf("%v are left to publish by hand, %v", list, err)
	}
}

// kept returns how many wins of a player wait to count.
func kept(t *testing.T, p *player) (n int) {
	t.Helper()
	must(t, p.memory.Scan("win/", "", func(string, []byte) error { n++; return nil }))
	return n
}

// A node that doesn't publish by itself keeps nothing for that, and one that waits for more wins
// doesn't ask the board about them.
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
	tb.wait(t, bob, func() bool { return kept(t, bob) == 2 })
	tb.signed(t, alice, 3)
	if n := kept(t, alice); n != 0 {
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

// A score board that doesn't answer holds nothing else up.
func TestScore_Hangs(t *testing.T) {
	t.Parallel()
	asked, again := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(asked) })
	isRecorded := common.Bytes2Hex(bindings.NewScoreboard().PackIsRecorded(common.Hash{}, 0)[:4])
	at := newProxy(t, func(body []byte) []byte {
		if bytes.Contains(body, []byte(isRecorded)) {
			first()
			<-again
		}
		return body
	})
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Chain.URL, c.Chain.Timeout, c.Policy.PublishWins = at, time.Hour, 1
		}
	})
	t.Cleanup(sync.OnceFunc(func() { close(again) }))
	alice, bob := tb.players[0], tb.players[1]
	must(t, bob.Concede(tb.match(t, "toy", "")))
	tb.wait(t, alice, func() bool { return kept(t, alice) == 1 })
	must(t, world(t).Chain.Mine(1))
	<-asked
	must(t, world(t).Chain.Mine(3))
	tb.wait(t, alice, func() bool { return alice.Head().Block >= world(t).Chain.Head() })
}

// A win that the score board refuses is told once, stops no other, and is not sent again by itself;
// by hand it is.
func TestScore_Refused(t *testing.T) {
	t.Parallel()
	var refuses atomic.Bool
	var refused atomic.Int32
	var board, arena []byte
	recordPaid := []byte(common.Bytes2Hex(bindings.NewScoreboard().PackRecordPaid(nil, nil, nil)[:4]))
	at := newProxy(t, func(body []byte) []byte {
		if refuses.Load() && bytes.Contains(body, recordPaid) {
			refused.Add(1)
			return bytes.ReplaceAll(body, board, arena) // which knows no such call
		}
		return body
	})
	refuses.Store(true)
	tb, shut := sitWithSilent(t)
	alice, bob := tb.players[0], tb.players[1]
	board, arena = []byte(strings.ToLower(alice.config.Scoreboard.Hex())), []byte(strings.ToLower(alice.config.Arena.Hex()))
	alice.config.Policy.PublishWins, alice.config.Chain.URL = 100, at
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	// which both sign, so that it needs no record of the Arena
	must(t, bob.Concede(tb.match(t, "toy", "")))
	tb.wait(t, alice, func() bool { return kept(t, alice) == 1 })
	tb.play(t, alice, tb.match(t, "toy", ""), "pass 1")
	shut.Store(true)
	tb.mine(t)
	_, err := alice.Finished(tb.ctx, tb.channel, 2)
	must(t, err)
	tb.exit(t, alice)
	told := func() (n int) {
		list, err := alice.Alarms()
		must(t, err)
		for _, e := range list {
			if strings.Contains(e.Text, "the score board refuses") {
				n++
			}
		}
		return n
	}
	tb.wait(t, alice, func() bool { return told() > 0 })
	asked := refused.Load()
	for range 3 {
		head := world(t).Chain.Head()
		tb.wait(t, alice, func() bool { return alice.Head().Block > head })
	}
	tb.onBoard(t, alice, node.Score{Game: "toy", Wins: 1}) // the other is not stopped by it
	tb.wait(t, alice, func() bool { return kept(t, alice) == 0 })
	if told() != 1 || refused.Load() != asked {
		t.Errorf("told %d times, sent %d times, then %d", told(), asked, refused.Load())
	}
	if list, n, err := alice.PublishScore(tb.ctx); err == nil || n != 0 || len(list) != 0 {
		t.Errorf("%d results published by hand that the board refuses, %v", n, err)
	}
	refuses.Store(false)
	if _, n, err := alice.PublishScore(tb.ctx); err != nil || n != 1 {
		t.Errorf("%d results published by hand, %v", n, err)
	}
	tb.onBoard(t, alice, node.Score{Game: "toy", Wins: 2})
}
