package games

import (
	"fmt"

	"github.com/holiman/uint256"
)

// Pot returns the sum of the stakes of a match for two. It fails with ErrIllegal for another number
// of seats, and when the sum overflows.
func Pot(stakes []uint256.Int) (*uint256.Int, error) {
	if len(stakes) != 2 {
		return nil, fmt.Errorf("%w match: %d seats, want 2", ErrIllegal, len(stakes))
	}
	pot, overflow := new(uint256.Int).AddOverflow(&stakes[0], &stakes[1])
	if overflow {
		return nil, fmt.Errorf("%w match: stakes overflow 256 bits", ErrIllegal)
	}
	return pot, nil
}
