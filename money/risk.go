package money

import (
	"math/big"

	"github.com/holiman/uint256"
)

// Risk is what a house loses at most in matches, by what each of them costs on average and by what
// is at stake in it. The zero value is that of no match.
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

// Bound returns what the house has lost in all of these matches at most, in wei or token units:
// their averages and, by the inequality of Azuma and Hoeffding, what luck may add to these. The
// largest number there is when it is more than that.
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
