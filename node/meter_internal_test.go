package node

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

func TestMeter(t *testing.T) {
	now := time.Unix(1000, 0)
	m := newMeter(func() time.Time { return now }, pace{time.Minute, 3}, pace{time.Minute, 5})
	count := func(account byte, stranger bool) (n int) {
		for m.allow(common.Address{account}, stranger) {
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
	m := newMeter(time.Now, pace{time.Hour, 2}, pace{time.Hour, 1})
	for i := range 10 * maxMetered {
		m.allow(common.Address{1, byte(i), byte(i >> 8)}, true)
	}
	if len(m.each) > maxMetered {
		t.Errorf("%d accounts are remembered", len(m.each))
	}
}
