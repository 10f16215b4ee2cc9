package node_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// held waits until a player's channel is held, or no longer.
func (tb *table) held(t testing.TB, p *player, want bool) {
	t.Helper()
	tb.wait(t, p, func() bool { c, err := p.Channel(tb.channel); return err == nil && (c.Hold != nil) == want })
}

// waits checks for whom a held channel waits: for so many towers that nobody has named, and for
// these.
func (tb *table) waits(t testing.TB, p *player, missing int, towers ...common.Address) {
	t.Helper()
	c, err := p.Channel(tb.channel)
	must(t, err)
	if c.Hold == nil || c.Hold.Missing != missing || !slices.Equal(c.Hold.Towers, towers) || c.Hold.Until.Before(time.Now()) {
		t.Errorf("it waits for %+v, want %d and %v", c.Hold, missing, towers)
	}
}

// standing waits until an alarm with this text stands, or no longer.
func (tb *table) standing(t testing.TB, p *player, text string, want bool) {
	t.Helper()
	tb.wait(t, p, func() bool {
		for _, e := range p.Standing() {
			if strings.Contains(e.Text, text) {
				return want
			}
		}
		return !want
	})
}

// doubtful makes a table whose first player counts on a tower and moved since its store was copied.
// The tower confirmed both.
func doubtful(t *testing.T, w *testTower, change func(*node.Config)) (tb *table, id common.Hash, old *store.Memory) {
	tb = sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 && change != nil {
			change(c)
		}
	})
	alice := tb.players[0]
	alice.trust(t, w)
	match := tb.match(t, "toy", "")
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(match).Agreed > 0 })
	old = backup(t, alice.memory)
	tb.play(t, alice, match, "pass 1")
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(match).Turn >= protocol.MarkOf(1) })
	alice.config.Towers = 1
	return tb, match, old
}

// TestAttack_OldBackup_Held: alice puts an old copy of her store back and does not say so. It signs
// nothing before her tower has said that it is one, and nothing afterwards.
func TestAttack_OldBackup_Held(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb, id, old := doubtful(t, w, nil)
	alice := tb.players[0]
	must(t, tb.players[1].Close()) // who could show it, too
	must(t, alice.Close())
	alice.memory, alice.config.Store = old, old
	alice.start(t)
	tb.held(t, alice, true)
	m, err := alice.Match(id)
	must(t, err)
	if m.Turn != 0 {
		t.Fatalf("the copy is of turn %s", m.Turn)
	}
	if err := alice.Play(id, "pass 0"); !errors.Is(err, channel.ErrHeld) {
		t.Errorf("another first move, before the tower was heard: %v", err)
	}
	alice.trust(t, w)
	tb.held(t, alice, false)
	if err := alice.CloseChannel(tb.channel); !errors.Is(err, channel.ErrRestored) {
		t.Errorf("a close, from an old copy: %v", err)
	}
}

// TestHeldUntilTheTowersAnswer: after a restart nothing is signed until the tower has said what it
// holds. Then play goes on, with what the peer did meanwhile.
func TestHeldUntilTheTowersAnswer(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb, id, _ := doubtful(t, w, nil)
	alice, bob := tb.players[0], tb.players[1]
	alice.restart(t)
	tb.held(t, alice, true)
	tb.waits(t, alice, 1)
	mute := common.Address{19: 1}
	must(t, alice.AddTower(mute))
	tb.waits(t, alice, 0, mute)
	tb.play(t, bob, id, "pass 0")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Turn == 2 })
	if err := alice.Play(id, "pass 1"); !errors.Is(err, channel.ErrHeld) {
		t.Errorf("a move: %v", err)
	}
	alice.trust(t, w)
	tb.held(t, alice, false)
	tb.play(t, alice, id, "win 0")
	_, err := bob.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if c, err := alice.Channel(tb.channel); err != nil || c.Restored || c.Hold != nil {
		t.Errorf("restored %v, waiting for %+v: %v", c.Restored, c.Hold, err)
	}
}

// TestAttack_SilentTower_Held: a tower that never answers delays its player's signatures no longer
// than the player's patience. The player is told, until the tower answers.
func TestAttack_SilentTower_Held(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	var later atomic.Int64
	tb, id, _ := doubtful(t, w, func(c *node.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
		c.Policy.Patience = time.Hour
	})
	alice, bob := tb.players[0], tb.players[1]
	alice.restart(t)
	tb.held(t, alice, true)
	later.Store(int64(time.Hour))
	tb.held(t, alice, false)
	tb.standing(t, alice, "asking the towers", true)
	tb.play(t, bob, id, "pass 0")
	tb.play(t, alice, id, "pass 1")
	alice.trust(t, w)
	tb.standing(t, alice, "asking the towers", false)
}

// TestAttack_LastMinute_Held: whoever waits for a tower that does not answer loses no match for it.
func TestAttack_LastMinute_Held(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb, id, _ := doubtful(t, w, func(c *node.Config) {
		c.Policy.Patience, c.Policy.Margin = time.Hour, 5
	})
	alice, bob := tb.players[0], tb.players[1]
	tb.play(t, bob, id, "pass 0")
	alice.restart(t)
	tb.held(t, alice, true)
	must(t, bob.Demand(tb.ctx, id))
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Record != nil && m.Record.Deadline != 0 })
	if c, err := alice.Channel(tb.channel); err != nil || c.Hold == nil {
		t.Errorf("held %+v with most of the time left: %v", c.Hold, err)
	}
	must(t, world(t).Chain.Mine(15))
	tb.held(t, alice, false)
	must(t, alice.Play(id, "pass 1"))
	tb.wait(t, bob, func() bool { m, err := bob.Match(id); return err == nil && m.Turn == 3 })
}

// TestHeldBotGoesOn: alice hands a match to the bot while nothing is signed after a restart. It
// moves once the tower has answered, although she was told before the restart that it is her turn.
func TestHeldBotGoesOn(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb, id, _ := doubtful(t, w, nil)
	alice, bob := tb.players[0], tb.players[1]
	tb.play(t, bob, id, "pass 0")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove })
	alice.restart(t)
	tb.held(t, alice, true)
	must(t, alice.SetBot(id, true))
	alice.trust(t, w)
	tb.held(t, alice, false)
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Turn > 2 })
}
