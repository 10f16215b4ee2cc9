package channel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/channel"
)

// With three seats or more a seat's clock starts at once on a position that it made itself, so it
// goes on from there without waiting for the others' signatures. Without a clock it waits: what all
// have not signed is nothing to go on from.
func TestAttack_SlowDeath_OwnPosition(t *testing.T) {
	for _, clock := range []bool{false, true} {
		t.Run(fmt.Sprintf("clock %v", clock), func(t *testing.T) {
			tb := openTable(t, 3)
			id := tb.match(0)
			tb.mustMove(0, id, Keep) // nobody else hears of it
			e := tb.recorded(0, id, tb.view(0, id).Support, 10)
			if clock {
				e.Record.Clock, e.Record.Deadline = 10, 10+tb.terms.Window/4
			}
			for _, final := range []bool{false, true} {
				tb.must(0, channel.ChainSeen{Event: e, Final: final})
			}
			tb.must(0, channel.ClockAt{Now: 11})
			if v := tb.view(0, id); v.MayMove != clock {
				t.Fatalf("turn %s, may move %v", v.Turn, v.MayMove)
			}
			if err := tb.move(0, id, Keep); !clock {
				if !errors.Is(err, channel.ErrWaiting) {
					t.Fatalf("moves on without the others: %v", err)
				}
				return
			}
			end, err := tb.seats[0].m.Judge(id).Replay(tb.view(0, id).Support, &e.Record, 11)
			if err != nil || !end.Outranks(&e.Record, 11, tb.terms.Window) {
				t.Fatalf("turn %s: %v", end.Turn, err)
			}
			if err := tb.move(0, id, Keep); err == nil {
				t.Fatal("a second answer before the first is recorded")
			}
		})
	}
}
