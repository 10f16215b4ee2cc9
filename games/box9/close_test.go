package box9

import (
	"testing"

	"github.com/ante-games/ante/games"
)

// The house closes the bets a margin before the block from which on nobody signs any more, so that all can sign that; later than that
// it closes without bets.
func TestPlayer_ClosesInTime(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2)
	last := signBefore(usual, b.Now())
	late := b.bet(1, on(1))
	for head, want := range map[uint64]int{last - 5: -1, last - 4: 1, last - 1: 1, last: 0} {
		b.chain.head = head
		m, decided, err := player{}.Auto(seat{Params: usual, State: b.Now(), Seat: House, Context: b.C, Notes: []games.Note{{From: 1, Text: late.encode()}}})
		if err != nil || decided != (want >= 0) {
			t.Fatalf("at block %d, of %d: %v, %v (%v)", head, last, m, decided, err)
		}
		if decided && len(m.(Close)) != want {
			t.Errorf("at block %d, of %d: closed with %d bets, want %d", head, last, len(m.(Close)), want)
		}
	}
}
