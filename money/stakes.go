package money

import (
	"errors"
	"fmt"
	"slices"

	"github.com/holiman/uint256"
)

// ErrShort is wrapped by errors that say that too little is staked.
var ErrShort = errors.New("too little is at stake")

// Pot is the seat of a Short that is about the sum of all stakes.
const Pot = -1

// Short says which seat of a match or a channel contributes less than required.
type Short struct {
	Seat      int // Pot: all together
	Has, Want uint256.Int
}

// Error implements error, in the smallest units of the asset.
func (s *Short) Error() string { return s.Text((*uint256.Int).Dec) }

// Text says what is short, with amounts as their asset is written.
func (s *Short) Text(amount func(*uint256.Int) string) string {
	if s.Seat == Pot {
		return fmt.Sprintf("the stakes sum to %s, and not to %s at least", amount(&s.Has), amount(&s.Want))
	}
	return fmt.Sprintf("seat %d stakes %s, and not %s at least", s.Seat, amount(&s.Has), amount(&s.Want))
}

// Unwrap makes a Short an ErrShort.
func (s *Short) Unwrap() error { return ErrShort }

// Met checks that nobody plays against a seat for less than that seat stakes: each other seat
// stakes at least as much or, where the game requires stakes of both, at least in that ratio. Least
// is what the game requires of each seat; nil or all zero: nothing. It fails with a *Short.
func Met(stakes, least []uint256.Int, seat int) error {
	want := slices.Repeat(stakes[seat:seat+1], len(stakes))
	if len(least) == len(stakes) && !least[seat].IsZero() {
		for i := range want {
			if !least[i].IsZero() {
				want[i] = share(&stakes[seat], &least[i], &least[seat])
			}
		}
	}
	return Reached(stakes, want)
}

// Reached checks that each seat stakes at least the wanted amount. It fails with a *Short, or with
// ErrShort if the two lists differ in length.
func Reached(stakes, want []uint256.Int) error {
	if len(want) != len(stakes) {
		return fmt.Errorf("%w: %d amounts are wanted of %d seats", ErrShort, len(want), len(stakes))
	}
	for i := range stakes {
		if stakes[i].Lt(&want[i]) {
			return &Short{Seat: i, Has: stakes[i], Want: want[i]}
		}
	}
	return nil
}

// share returns amount * of / whole, rounded up, and the highest amount there is where that doesn't
// fit.
func share(amount, of, whole *uint256.Int) (v uint256.Int) {
	if _, overflow := v.MulDivOverflow(amount, of, whole); overflow {
		return *v.SetAllOne()
	}
	var rest uint256.Int
	if rest.MulMod(amount, of, whole); !rest.IsZero() {
		v.AddUint64(&v, 1)
	}
	return v
}

// Enforceable checks that nobody can stall a match for free: each other seat has at least the least
// stake to lose. In a match that the user has agreed to seat by seat it is enough that the stakes
// sum to it. It fails with a *Short.
func Enforceable(stakes []uint256.Int, seat int, agreed bool, least *uint256.Int) error {
	var pot uint256.Int
	for i := range stakes {
		if _, overflow := pot.AddOverflow(&pot, &stakes[i]); overflow {
			return fmt.Errorf("%w: the stakes sum to more than 256 bits hold", ErrShort)
		}
		if i != seat && !agreed && stakes[i].Lt(least) {
			return &Short{Seat: i, Has: stakes[i], Want: *least}
		}
	}
	if pot.Lt(least) {
		return &Short{Seat: Pot, Has: pot, Want: *least}
	}
	return nil
}
