package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
)

func TestPlayAndClose(t *testing.T) {
	for _, n := range []int{2, 3, 4, 16} {
		tb := openTable(t, n)
		id := tb.match(0)
		for turn := range 2*n + 1 {
			tb.mustMove(turn%n, id, Pass, byte(turn))
			tb.deliverAll()
		}
		tb.mustMove(1, id, Win)
		tb.deliverAll()
		want := make([]uint64, n)
		for i := range want {
			want[i] = deposit - 100
		}
		want[1] += 100 * uint64(n)
		for i, s := range tb.seats {
			if got := balances(s.m.Ledger()); !slices.Equal(got, want) || len(s.m.Ledger().Locks) > 0 {
				t.Fatalf("%d seats: seat %d has ledger %d with %v, want %v", n, i, s.m.Ledger().Version, got, want)
			}
		}
		tb.must(n-1, channel.CloseChannel{})
		tb.deliverAll()
		for i, s := range tb.seats {
			if _, done := s.m.Closing(); done == nil || !slices.Equal(balances(*done), want) {
				t.Fatalf("%d seats: seat %d has no closing ledger", n, i)
			}
			if len(happened[channel.CloseSigned](s)) != 1 {
				t.Fatalf("%d seats: seat %d was told of %d closings", n, i, len(happened[channel.CloseSigned](s)))
			}
		}
	}
}
