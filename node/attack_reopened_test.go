package node_test

import (
	"testing"
)

// TestAttack_Reorg_Ended: a reorganisation deeper than the confirmations takes back what closed a
// channel, after alice has let it go, and mallory contests with the first ledger. Alice closes it
// by the last one again, also after a restart.
func TestAttack_Reorg_Ended(t *testing.T) {
	t.Parallel()
	for _, restarts := range []bool{false, true} {
		tb := sit(t, 2, nil)
		alice, mallory := tb.players[0], tb.players[1]
		tb.won(t)
		before := tb.free(t, alice)
		stale := tb.contestOfFirst(t, mallory)
		base := world(t).Chain.Head()
		must(t, mallory.CloseChannel(tb.channel))
		for _, p := range tb.players {
			must(t, p.Closed(tb.ctx, tb.channel))
		}
		must(t, mallory.Close())
		if restarts {
			must(t, alice.Close())
		}
		must(t, world(t).Chain.Rewind(int(world(t).Chain.Head()-base)))
		tb.post(t, mallory.config.GasPayer, stale)
		must(t, world(t).Chain.Mine(5))
		if restarts {
			alice.start(t)
		}
		for range 40 {
			must(t, world(t).Chain.Mine(1))
			tb.wait(t, alice, func() bool { return alice.Head().Block >= world(t).Chain.Head() })
		}
		must(t, alice.Closed(tb.ctx, tb.channel))
		tb.regained(t, alice, before)
	}
}
