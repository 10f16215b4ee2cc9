package chain

import "fmt"

// Fees limits what transactions may cost. Prices are in wei per gas.
type Fees struct {
	Max       uint64 // 0: 200 gwei
	UrgentMax uint64 // once half of the time to a deadline has passed; 0: five times Max
	Patience  uint64 // blocks that a transaction may wait before its price is raised; 0: 3
	Reserve   uint64 // gas for answers to disputes, kept payable when something without a deadline is sent; 0: 3,000,000
}

// dearest is far above any price ever paid, and low enough for all arithmetic on prices.
const dearest = 1_000_000_000_000_000

func (f Fees) withDefaults() (Fees, error) {
	if f.Max == 0 {
		f.Max = 200_000_000_000
	}
	if f.UrgentMax == 0 {
		f.UrgentMax = min(5*f.Max, dearest)
	}
	if f.Patience == 0 {
		f.Patience = 3
	}
	if f.Reserve == 0 {
		f.Reserve = 3_000_000
	}
	if f.Max > f.UrgentMax || f.UrgentMax > dearest {
		return f, fmt.Errorf("chain: fee limits %d and, when urgent, %d wei per gas: want them ascending, and at most %d", f.Max, f.UrgentMax, uint64(dearest))
	}
	return f, nil
}

// urgency is how many quarters of the time between asking and the deadline have passed, 0 to 3.
type urgency uint64

func urgencyOf(asked, now, deadline uint64) urgency {
	switch {
	case deadline == 0 || now <= asked:
		return 0
	case now >= deadline:
		return 3
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

// price of a transaction as EIP-1559 has it.
type price struct {
	Tip uint64 `json:"tip"`
	Cap uint64 `json:"cap"`
}

// quote returns the price that lands a transaction soon, even when the base fee doubles.
func quote(base, tip, limit uint64) price {
	base, tip = min(base, dearest), min(tip, dearest)
	most := min(2*base+tip, limit)
	return price{Tip: min(tip, most), Cap: most}
}

// raise returns the price of a replacement: nodes take one at 10 % more, of both tip and cap. It returns false when the
// limit forbids it; need is the cap that it would have taken.
func (p price) raise(market price, u urgency, limit uint64) (next price, need uint64, ok bool) {
	percent := []uint64{13, 13, 25, 50}[u]
	next.Tip = max(market.Tip, p.Tip+p.Tip*percent/100+1)
	next.Cap = max(market.Cap, p.Cap+p.Cap*percent/100+1, next.Tip)
	if next.Cap > limit {
		need, next.Cap = next.Cap, limit
		next.Tip = min(next.Tip, limit)
	}
	ok = next.Cap > p.Cap+p.Cap/10 && next.Tip > p.Tip+p.Tip/10
	return next, need, ok
}
