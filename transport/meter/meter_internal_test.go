package meter

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

func TestMeter(t *testing.T) {
	now := time.Unix(1000, 0)
	m := New(func() time.Time { return now }, Pace{time.Minute, 3}, Pace{time.Minute, 5})
	count := func(account byte, stranger bool) (n int) {
		for m.Allow(common.Address{account}, stranger) {
			n++
		}
		return n
	}
	for i, want := range []int{3, 2, 0} { // the third finds the shared allowance used up
		if got := count(byte(i), true); got != want {
			t.Errorf("stranger %d: %d times, want %d", i, got, want)
		}
	}
	if got := count(9, false); got != 3 {
		t.Errorf("a peer with a channel: %d times", got)
	}
	now = now.Add(2 * time.Minute)
	if got := count(0, true); got != 2 {
		t.Errorf("after two minutes: %d times", got)
	}
}

// TestAttack_Sybil: however many accounts come, a meter remembers a bounded number.
func TestAttack_Sybil_Meter(t *testing.T) {
	m := New(time.Now, Pace{time.Hour, 2}, Pace{time.Hour, 1})
	for i := range 10 * maxMetered {
		m.Allow(common.Address{1, byte(i), byte(i >> 8), byte(i >> 16)}, true)
	}
	if len(m.each) > maxMetered {
		t.Errorf("%d accounts are remembered", len(m.each))
	}
}
