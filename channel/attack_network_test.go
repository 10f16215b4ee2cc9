package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
)

// For as long as a network is split, nobody goes on without those who must sign, and nothing that
// is said across the split arrives. Once it is whole again, one exchange brings everybody to the
// same ledger and the same position.
func TestAttack_Partition(t *testing.T) {
	for _, seats := range []int{2, 3, 4} {
		tb := openTable(t, seats)
		id := tb.match(0)
		tb.mustMove(0, id, Pass)
		// Seat 0 is alone. It had moved; the others want a match of their own, which needs its
		// word.
		split := func() {
			for len(tb.queue) > 0 {
				at := slices.IndexFunc(tb.queue, func(p packet) bool { return (p.from == 0) == (p.to == 0) })
				if at < 0 {
					tb.queue = nil
					return
				}
				if err := tb.deliver(at); err != nil {
					t.Fatal(err)
				}
			}
		}
		split()
		tb.must(1, tb.proposal(5))
		for range 3 {
			for i := range tb.seats {
				tb.must(i, channel.Idle{})
				tb.must(i, channel.Tick{})
			}
			split()
		}
		for i := range tb.seats {
			if n := len(tb.seats[i].m.Ledger().Locks); n != 1 {
				t.Fatalf("%d seats: seat %d holds a ledger of %d locks that seat 0 has not signed", seats, i, n)
			}
			if v := tb.view(i, id); i > 0 && v.Turn != 0 {
				t.Fatalf("%d seats: seat %d is at turn %s, of which it can't have heard", seats, i, v.Turn)
			}
		}
		tb.heal()
		for i := range tb.seats {
			l, v := tb.seats[i].m.Ledger(), tb.view(i, id)
			if len(l.Locks) != 2 || l.Version != tb.seats[0].m.Ledger().Version || v.Turn != 1 || v.Rank != tb.view(0, id).Rank {
				t.Errorf("%d seats: seat %d is at ledger %d with %d locks, turn %s, rank %v", seats, i, l.Version, len(l.Locks), v.Turn, v.Rank)
			}
		}
	}
}
