package cli

import (
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// A clock on-chain is its mover's; what no clock of a seat is only stands until its time.
func TestWhoseClock(t *testing.T) {
	players := []*antev1.Person{{Account: "0xbb", Name: "bob"}, {Account: "0xaa"}, {Account: "0x0123456789abcdef"}}
	two := &antev1.Match{Id: "a", Seat: 1, Seats: []uint32{0, 1}, Players: players[:2]}
	three := &antev1.Match{Id: "b", Seat: 1, Seats: []uint32{0, 1, 2}, Players: players}
	for i, c := range []struct {
		id, status string
		mover      int32
		want       string
	}{
		{"a", "running", 1, "your clock runs until 7"}, {"a", "running", 0, "the clock of bob runs until 7"},
		{"b", "running", 2, "the clock of 0x01234567 runs until 7"}, {"a", "running", -2, "it stands until 7"},
		{"a", "over", 1, "it stands until 7"}, {"c", "running", 1, "it stands until 7"},
	} {
		d := &antev1.DisputedMatch{MatchId: c.id, Status: c.status, Mover: c.mover, Deadline: 7}
		if got := whose(d, []*antev1.Match{two, three}); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}
