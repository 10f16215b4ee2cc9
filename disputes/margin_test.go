package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
)

// TestMargin: in a short window, too, what waits is sent some blocks before it is too late, if a
// quarter of the window is as long.
func TestMargin(t *testing.T) {
	for _, c := range []struct{ chosen, window, want uint64 }{
		{0, 8, 2}, {0, 16, 4}, {0, 20, 5}, {0, 49, 5}, {0, 60, 6}, {0, 3600, 360}, {2, 20, 2}, {10, 20, 5}, {10, 3600, 10},
	} {
		if got := disputes.MarginOf(c.chosen, c.window); got != c.want {
			t.Errorf("of a window of %d, %d chosen: %d, want %d", c.window, c.chosen, got, c.want)
		}
	}
}
