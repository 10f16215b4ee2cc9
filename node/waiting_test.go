package node_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// shifted is a clock of a node that a test puts forward.
type shifted struct{ by atomic.Int64 }

func (s *shifted) Now() time.Time { return time.Now().Add(time.Duration(s.by.Load())) }

// TestAway: the user hears at once who went away and who came back, in the match that waits for
// him, until when the node waits, and what it costs then.
func TestAway(t *testing.T) {
	t.Parallel()
	clock := new(shifted)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		c.Policy.Patience = time.Hour
		if seat == 0 {
			c.Now = clock.Now
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Waiting != nil })
	if _, away := alice.Away(bob.Account()); away {
		t.Error("bob is away while he is connected")
	}
	must(t, bob.Close())
	tb.wait(t, alice, func() bool { _, away := alice.Away(bob.Account()); return away })
	clock.by.Store(int64(time.Minute))
	if e := tb.event(t, alice, node.PeerAway); e.Match != id || e.Channel != tb.channel || !strings.Contains(e.Text, "is away") {
		t.Errorf("told %+v", e)
	}
	w, err := alice.WaitingFor(tb.ctx, id)
	must(t, err)
	if len(w.Seats) != 1 || w.Seats[0] != 1 || w.Until.Sub(w.Since) != time.Hour || len(w.Plan.Orders) == 0 || w.Plan.Orders[0].Gas() == 0 {
		t.Errorf("waits for %+v", w)
	}
	bob.memory = bob.memory.Reopen()
	bob.config.Store = bob.memory
	bob.start(t)
	must(t, dev.Connect(tb.ctx, bob.Node, alice.Node))
	tb.event(t, alice, node.PeerBack)
}

// TestPatienceOverRestart: a restart gives a silent peer no time back, and a host clock that jumps
// while the node is off takes none from it.
func TestPatienceOverRestart(t *testing.T) {
	t.Parallel()
	clock, shut := new(shifted), new(atomic.Bool)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Policy.Patience, c.Now = time.Hour, clock.Now
			return
		}
		silence(c, shut)
	})
	alice := tb.players[0]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	shut.Store(true)
	left := func() time.Duration {
		t.Helper()
		var w *node.Waiting
		tb.wait(t, alice, func() bool { m, err := alice.Match(id); w = m.Waiting; return err == nil && w != nil && m.Turn == 1 })
		return w.Until.Sub(clock.Now())
	}
	if was := left(); was < 50*time.Minute {
		t.Fatalf("%v left at the beginning", was)
	}
	clock.by.Add(int64(40 * time.Minute))
	before := left()
	must(t, alice.Close())
	clock.by.Add(int64(24 * time.Hour)) // while it is off
	alice.memory = alice.memory.Reopen()
	alice.config.Store = alice.memory
	alice.start(t)
	if after := left(); after > before || after < before-10*time.Minute {
		t.Errorf("%v left after a restart, %v before it", after, before)
	}
	records := func() map[common.Hash]protocol.Record {
		d, err := alice.Dispute(tb.ctx, tb.channel, nil)
		must(t, err)
		return d.Records
	}
	if len(records()) != 0 {
		t.Error("the chain was asked before patience ended")
	}
	clock.by.Add(int64(20 * time.Minute))
	tb.mine(t)
	tb.wait(t, alice, func() bool { return len(records()) != 0 })
}
