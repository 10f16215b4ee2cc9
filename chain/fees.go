package chain

import (
	"cmp"
	"fmt"

	"github.com/ante-games/ante/money"
)

// Fees limits what transactions may cost. Prices are in wei per gas.
type Fees struct {
	Max       uint64 // 0: 200 gwei
	UrgentMax uint64 // once half of the time to a deadline has passed; 0: five times Max
	Patience  uint64 // blocks that a transaction may wait before its price is raised; 0: 3
	// gas of the worst dispute, kept payable when anything but a dispute is sent; 0: 3,000,000
	Reserve uint64
}

func (f Fees) withDefaults() (Fees, error) {
	f.Max = cmp.Or(f.Max, 200_000_000_000)
	f.UrgentMax = cmp.Or(f.UrgentMax, min(5*f.Max, money.Highest))
	f.Patience = cmp.Or(f.Patience, 3)
	f.Reserve = cmp.Or(f.Reserve, 3_000_000)
	if f.Max > f.UrgentMax || f.UrgentMax > money.Highest {
		return f, fmt.Errorf("chain: fee limits %d and, when urgent, %d wei per gas: want them ascending, and at most %d", f.Max, f.UrgentMax, uint64(money.Highest))
	}
	return f, nil
}

// urgency is how many quarters of the time between asking and the deadline have passed, 0 to 3.
type urgency uint64

func urgencyOf(asked, now, deadline uint64) urgency {
	switch {
	case deadline == 0:
		return 0
	case now >= deadline: // also by one endpoint's word, as it was asked and as it is now
		return 3
	case now <= asked:
		return 0
	}
	return urgency((now - asked) * 4 / (deadline - asked)) // all three are at most 48 bits wide
}

// patience returns the blocks to wait before the price is raised.
func (f Fees) patience(u urgency) uint64 {
	if u >= 2 {
		return 1
	}
	return f.Patience
}

func (f Fees) limit(u urgency) uint64 {
	if u >= 2 {
		return f.UrgentMax
	}
	return f.Max
}
