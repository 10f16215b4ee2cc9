package money

import "github.com/holiman/uint256"

// Bid is what a transaction offers for gas, as EIP-1559 has it, in wei per gas.
type Bid struct {
	Tip uint64 `json:"tip"`
	Cap uint64 `json:"cap"` // of base fee and tip together
}

// Ask returns the bid that lands soon, even when the base fee doubles. Urgency counts the quarters
// that have passed of the time until the deadline, 0 to 3: each adds the customary tip once more,
// the higher one where there are two.
func (m Market) Ask(urgency uint64) Bid {
	tip := m.Tip
	if urgency > 0 {
		tip = max(tip, m.High)
	}
	tip = min(tip, Highest) * (1 + min(urgency, 3))
	return Bid{Tip: tip, Cap: 2*min(m.Dearest().BaseFee, Highest) + tip}
}

// Covers reports whether a bid lands in a block like the newest, at the tip that is customary.
func (b Bid) Covers(m Market) bool { return b.Cap >= m.Price() && b.Tip >= min(m.Tip, Highest) }

// Raise returns a bid that can replace b: what the market asks, and at least a tenth more of tip
// and cap, as pools demand.
func (b Bid) Raise(ask Bid) Bid {
	return Bid{Tip: max(ask.Tip, b.Tip+b.Tip/10+1), Cap: max(ask.Cap, b.Cap+b.Cap/10+1)}
}

// Within cuts a bid to a limit of its cap.
func (b Bid) Within(limit uint64) Bid { return Bid{Tip: min(b.Tip, limit), Cap: min(b.Cap, limit)} }

// Replaces reports whether pools take a bid in place of another.
func (b Bid) Replaces(other Bid) bool {
	return b.Cap > other.Cap+other.Cap/10 && b.Tip > other.Tip+other.Tip/10
}

// Affordable returns the highest cap per gas that an account can pay for so much gas, besides its
// other payments.
func Affordable(have, besides *uint256.Int, gas uint64) uint64 {
	if have.Lt(besides) {
		return 0
	}
	left := new(uint256.Int).Sub(have, besides)
	each := left.Div(left, uint256.NewInt(gas))
	if !each.IsUint64() {
		return Highest
	}
	return min(each.Uint64(), Highest)
}
