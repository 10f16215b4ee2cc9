package money_test

import (
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/holiman/uint256"
)

// Each limit is exact: what just fits is lent, one more is refused for that reason.
func TestLend(t *testing.T) {
	h := money.House{Channels: 4, Opening: 2, Each: 1, Exposure: *uint256.NewInt(1000), Deposit: *uint256.NewInt(100)}
	fits := money.Loan{Deposit: *uint256.NewInt(100), Theirs: *uint256.NewInt(50), Has: *uint256.NewInt(50), Left: 45, Window: 100,
		Channels: 3, Opening: 1, Each: 0, Locked: *uint256.NewInt(900)}
	if got := h.Lend(fits); got != money.Lent {
		t.Fatalf("what just fits is refused: %v", got)
	}
	for want, change := range map[money.Refusal]func(*money.Loan){
		money.TooMuch:   func(l *money.Loan) { l.Deposit.SetUint64(101); l.Locked.SetUint64(0) },
		money.Full:      func(l *money.Loan) { l.Channels = 4 },
		money.Crowded:   func(l *money.Loan) { l.Opening = 2 },
		money.Waiting:   func(l *money.Loan) { l.Each = 1 },
		money.TooLate:   func(l *money.Loan) { l.Left = 46 },
		money.Exhausted: func(l *money.Loan) { l.Locked.SetUint64(901) },
		money.Penniless: func(l *money.Loan) { l.Has.SetUint64(49) },
	} {
		l := fits
		if change(&l); h.Lend(l) != want {
			t.Errorf("refused for %v, want %v", h.Lend(l), want)
		}
	}
	all := fits
	if all.Locked.SetAllOne(); h.Lend(all) != money.Exhausted {
		t.Error("an exposure that overflows is lent")
	}
}

func TestOpenWithin(t *testing.T) {
	for window, want := range map[uint64]uint64{0: 0, 10: 10, 20: 20, 79: 20, 80: 20, 84: 21, 86400: 21600} {
		if got := money.OpenWithin(window); got != want {
			t.Errorf("a window of %d: %d, want %d", window, got, want)
		}
	}
}
