package money

import (
	"math/big"

	"github.com/holiman/uint256"
)

// Risk bounds what a house loses in matches, from the average loss and the pot of each. The zero
// value is of no match.
type Risk struct{ average, squares big.Int }

// Add adds a match: the most that the house loses in it on average, and the pot, which is the sum
// of all stakes.
func (r *Risk) Add(average, pot *uint256.Int) {
	r.average.Add(&r.average, average.ToBig())
	square := pot.ToBig()
	r.squares.Add(&r.squares, square.Mul(square, square))
}

// rarity is the natural logarithm of how rarely a Bound is exceeded by chance alone: once in a
// thousand million times.
const rarity = 21

// Bound returns the most that the house has lost in all of these matches, in wei or token units:
// the sum of their averages and, by the Azuma-Hoeffding inequality, what luck may add. If it
// overflows, it is the largest number.
func (r *Risk) Bound() uint256.Int {
	luck := new(big.Int).Mul(&r.squares, big.NewInt(rarity))
	luck.Rsh(luck, 1).Sqrt(luck)
	luck.Add(luck, big.NewInt(1)).Add(luck, &r.average)
	v, overflow := uint256.FromBig(luck)
	if overflow {
		v = new(uint256.Int).SetAllOne()
	}
	return *v
}
