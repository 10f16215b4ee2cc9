package chain

import "testing"

func TestUrgencyIsTheQuartersThatHavePassed(t *testing.T) {
	for _, test := range []struct {
		asked, now, deadline uint64
		want                 urgency
	}{
		{0, 1 << 40, 0, 0},
		{100, 100, 200, 0}, {100, 124, 200, 0}, {100, 125, 200, 1}, {100, 150, 200, 2}, {100, 175, 200, 3},
		{100, 199, 200, 3}, {100, 200, 200, 3}, {100, 900, 200, 3},
		{100, 90, 200, 0}, // a reorganisation took time back
		{200, 200, 100, 3}, {200, 201, 100, 3},
		{1<<48 - 2, 1<<48 - 1, 1<<48 - 1, 3},
	} {
		if have := urgencyOf(test.asked, test.now, test.deadline); have != test.want {
			t.Errorf("asked %d, now %d, deadline %d: %d, want %d", test.asked, test.now, test.deadline, have, test.want)
		}
	}
}
