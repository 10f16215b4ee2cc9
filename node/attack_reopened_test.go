package node_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/store"
	"github.com/holiman/uint256"
)

// reopened has alice win a match, and the channel closed. Then something happens to her, a
// reorganisation deeper than the confirmations takes the closing back, and mallory contests with
// the first ledger. It returns what alice had in the bank before.
func (tb *table) reopened(t *testing.T, happens func()) (before *uint256.Int) {
	t.Helper()
	alice, mallory := tb.players[0], tb.players[1]
	tb.won(t)
	before = tb.free(t, alice)
	stale := tb.contestOfFirst(t, mallory)
	base := world(t).Chain.Head()
	must(t, mallory.CloseChannel(tb.channel))
	for _, p := range tb.players {
		must(t, p.Closed(tb.ctx, tb.channel))
	}
	must(t, mallory.Close())
	happens()
	must(t, world(t).Chain.Rewind(int(world(t).Chain.Head()-base)))
	tb.post(t, mallory.config.GasPayer, stale)
	must(t, world(t).Chain.Mine(5))
	return before
}

// settled checks that alice closes the channel by the last ledger again.
func (tb *table) settled(t *testing.T, before *uint256.Int) {
	t.Helper()
	alice := tb.players[0]
	for range 40 {
		tb.reads(t, 1)
	}
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
}

// reads has alice read further blocks.
func (tb *table) reads(t *testing.T, blocks int) {
	t.Helper()
	alice := tb.players[0]
	must(t, world(t).Chain.Mine(blocks))
	tb.wait(t, alice, func() bool { return alice.Head().Block >= world(t).Chain.Head() })
}

// TestAttack_Reorg_Ended: a reorganisation deeper than the confirmations takes back what closed a
// channel, after alice has let it go, and mallory contests with the first ledger. Alice closes it
// by the last one again, also after a restart.
func TestAttack_Reorg_Ended(t *testing.T) {
	t.Parallel()
	for _, restarts := range []bool{false, true} {
		tb := sit(t, 2, nil)
		alice := tb.players[0]
		before := tb.reopened(t, func() {
			if restarts {
				must(t, alice.Close())
			}
		})
		if restarts {
			alice.start(t)
		}
		tb.settled(t, before)
	}
}

// TestAttack_Reorg_EndedAway: the same, and alice's store does not say for a moment what it holds
// of the channel. She closes it by the last ledger again.
func TestAttack_Reorg_EndedAway(t *testing.T) {
	t.Parallel()
	kept := new(away)
	tb := sit(t, 2, kept.ofFirst)
	before := tb.reopened(t, func() { kept.times.Store(3) })
	tb.settled(t, before)
	if kept.times.Load() > 0 {
		t.Error("the store was not asked")
	}
}

// TestAttack_Reorg_EndedDamaged: the same, and what alice's store holds of the channel is damaged.
// An alarm stands, and she reads what the chain says of others.
func TestAttack_Reorg_EndedDamaged(t *testing.T) {
	t.Parallel()
	kept := new(away)
	tb := sit(t, 2, kept.ofFirst)
	tb.reopened(t, func() { kept.damaged.Store(true) })
	tb.reads(t, 40)
	tb.standing(t, tb.players[0], "nobody answers to", true)
}

// away is a store that does not say for some times what it holds of a channel that is over, or says
// what can't be read.
type away struct {
	store.Store
	times   atomic.Int32
	damaged atomic.Bool
}

// ofFirst makes it the store of the player in seat 0.
func (s *away) ofFirst(seat int, c *node.Config) {
	if seat == 0 {
		s.Store, c.Store = c.Store, s
	}
}

// Get implements store.Store.
func (s *away) Get(key string) ([]byte, error) {
	if strings.HasPrefix(key, "ended/") && s.times.Add(-1) >= 0 {
		return nil, errors.New("the disk is away")
	}
	if strings.HasPrefix(key, "ended/") && s.damaged.Load() {
		return []byte("?"), nil
	}
	return s.Store.Get(key)
}
