package memory

import (
	"testing"
	"time"
)

// What happens once in a thousand times does so about as often, and a random time is below its
// bound.
func TestChance(t *testing.T) {
	n := New(1, Faults{})
	for often, want := range map[int][2]int{0: {0, 0}, 1: {50, 150}, 500: {49_000, 51_000}, 1000: {100_000, 100_000}} {
		times := 0
		for range 100_000 {
			if chance(n.rand, often) {
				times++
			}
		}
		if times < want[0] || times > want[1] {
			t.Errorf("%d in a thousand: %d of 100,000", often, times)
		}
	}
	for _, d := range []time.Duration{-1, 0, 1, 2, time.Second} {
		if got := upTo(n.rand, d); got < 0 || got >= max(d, 1) {
			t.Errorf("up to %s: %s", d, got)
		}
	}
}
