package node_test

import (
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/node"
)

// TestLeavesInTwoTransactions: a code breaker vanishes after four guesses. The code maker's node
// leaves as docs/play.md says: contest and clock in one transaction, expiry and settlement in
// another one a window later, for the gas of dispute_full.
func TestLeavesInTwoTransactions(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	tb := sit(t, 2, func(_ int, c *node.Config) {
		hasty(c, gone.Load)
		c.Policy.Leave = true
	})
	id, maker, breaker := tb.mastermind(t, "")
	tb.play(t, maker, id, "0123")
	for range 4 {
		tb.play(t, breaker, id, "5555")
	}
	// the fourth was answered
	tb.wait(t, breaker, func() bool { m, err := breaker.Match(id); return err == nil && m.MayMove })
	before, err := maker.Transactions(100)
	must(t, err)
	free := tb.free(t, maker)
	must(t, breaker.Close())
	gone.Store(true)
	tb.mine(t)
	must(t, maker.Closed(tb.ctx, tb.channel))
	var gas []uint64
	tb.wait(t, maker, func() bool {
		sent, err := maker.Transactions(100)
		must(t, err)
		gas = nil
		for _, r := range sent[:len(sent)-len(before)] {
			if r.GasUsed == 0 {
				return false // the sender has not heard of its block yet
			}
			gas = append(gas, r.GasUsed)
		}
		return true
	})
	const firstWrite = 17_100 // of a bank balance that was zero, more than of one that was not
	promised := contracts.Gas["dispute_full"]
	if len(gas) != 2 || gas[0]+gas[1] > promised+firstWrite || gas[0]+gas[1] < promised-firstWrite {
		t.Errorf("transactions for %d gas, want two for %d together", gas, promised)
	}
	tb.regained(t, maker, free)
	breaker.restart(t)
}

// TestWhatWouldBeDone: a user who asks what would be done, were something wished, is told that;
// nothing is done.
func TestWhatWouldBeDone(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	for name, c := range map[string]struct {
		wishes *disputes.Wishes
		orders int
	}{"as it is": {nil, 0}, "if nothing were wished": {&disputes.Wishes{}, 0}, "if she left": {&disputes.Wishes{Exit: true}, 1}} {
		d, err := alice.Dispute(tb.ctx, tb.channel, c.wishes)
		must(t, err)
		if len(d.Plan.Orders) != c.orders {
			t.Errorf("%s: %+v", name, d.Plan)
		}
	}
	if d, err := alice.Dispute(tb.ctx, tb.channel, nil); d.Contest != nil || err != nil {
		t.Errorf("it is contested: %v, %v", d.Contest, err)
	}
}
