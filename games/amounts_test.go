package games_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// TestAmounts: an error tells its amounts in whatever unit its reader has.
func TestAmounts(t *testing.T) {
	err := fmt.Errorf("propose: %w", games.Amounts(games.ErrIllegal, " match: %s of %s", uint256.NewInt(7), uint256.NewInt(9)))
	if err.Error() != "propose: illegal match: 7 of 9" || !errors.Is(err, games.ErrIllegal) {
		t.Error(err)
	}
	var e *games.AmountError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if got := e.Text(func(v *uint256.Int) string { return v.Dec() + " eth" }); got != "illegal match: 7 eth of 9 eth" {
		t.Error(got)
	}
}
