package node_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/tower"
	"github.com/holiman/uint256"
)

// TestAttack_StaleTower: as long as matches follow each other without a pause, a tower is never
// more than two ledgers behind for longer than ten seconds.
func TestAttack_StaleTower(t *testing.T) {
	t.Parallel()
	const most, span = 10 * time.Second, 14 * time.Second
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	alice.trust(t, w)
	signed := map[uint64]time.Time{} // when each ledger was seen first
	newest, n, longest := uint64(1), 0, time.Duration(0)
	for began := time.Now(); n < 20 || time.Since(began) < span; n++ {
		id := tb.match(t, "toy", "")
		tb.play(t, alice, id, fmt.Sprintf("win %d", n%2))
		_, err := alice.Finished(tb.ctx, tb.channel, n+1)
		must(t, err)
		held := tb.confirmed(t, alice, func(*node.Entrusted) bool { return true }).Version
		for v := tb.version(t, alice); newest < v; newest++ {
			signed[newest+1] = time.Now()
		}
		if held+2 < newest {
			longest = max(longest, time.Since(signed[held+3]))
		}
	}
	if longest > most {
		t.Errorf("in %d matches the tower was more than two of %d ledgers behind for %s", n, newest, longest)
	}
	t.Logf("%d matches, %d ledgers; more than two behind for at most %s", n, newest, longest)
	tb.entrusted(t, alice, newest)
}

// TestLostEvidenceIsGivenAgain: what is lost on the way to a tower is given again, though nothing
// new happens.
func TestLostEvidenceIsGivenAgain(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	var on atomic.Bool
	var later atomic.Int64
	lost := make(chan struct{}, 64)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat != 0 {
			return
		}
		nodetest.Lose(c, func(env *antev1.Envelope) bool {
			loses := on.Load() && env.GetTowerEvidence() != nil
			if loses {
				lost <- struct{}{}
			}
			return loses
		})
		c.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	alice := tb.players[0]
	alice.trust(t, w)
	id := tb.match(t, "toy", "")
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Agreed > 0 })
	on.Store(true)
	tb.play(t, alice, id, "pass 1")
	select {
	case <-lost:
	case <-tb.ctx.Done():
		t.Fatal("nothing was given")
	}
	on.Store(false)
	later.Store(int64(5 * time.Second))
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Turn >= protocol.MarkOf(1) })
}

// TestAttack_StaleTower_Alarm: an alarm stands while a tower takes nothing.
func TestAttack_StaleTower_Alarm(t *testing.T) {
	t.Parallel()
	w := build(t, func(c *tower.Config) { c.Limits.Locked = *uint256.NewInt(0).Lsh(ether, 10) })
	over := new(atomic.Bool)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			hasty(c, over.Load)
		}
	})
	alice := tb.players[0]
	alice.trust(t, w)
	tb.won(t)
	over.Store(true)
	tb.wait(t, alice, func() bool {
		return slices.ContainsFunc(alice.Standing(), func(e node.Event) bool {
			return strings.Contains(e.Text, "it lags behind in channel "+tb.channel.Hex()) && strings.Contains(e.Text, tower.ErrFull.Error())
		})
	})
}
