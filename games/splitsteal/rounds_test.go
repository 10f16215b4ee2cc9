package splitsteal_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/holiman/uint256"
)

// TestRounds: the house of a round has seat 0, and pays the subsidy of a pair.
func TestRounds(t *testing.T) {
	game := splitsteal.Game()
	params, err := game.Params.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	announced := game.Rounds.Announce(params)
	for name, c := range map[string]struct {
		change func([]byte) []byte
		want   error
	}{
		"as announced":     {func(b []byte) []byte { return b }, nil},
		"without a house":  {func(b []byte) []byte { b[len(b)-1] = splitsteal.NoHouse; return b }, games.ErrParams},
		"without a matrix": {func([]byte) []byte { return nil }, games.ErrIllegal},
	} {
		if err := game.Rounds.Check(c.change(append([]byte(nil), announced...))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	two := []uint256.Int{*uint256.NewInt(500), *uint256.NewInt(600)}
	if subsidy, err := game.Rounds.House(announced, two); err != nil || subsidy.IsZero() {
		t.Errorf("the house stakes %v, %v", subsidy, err)
	}
	if _, err := game.Rounds.House(nil, two); !errors.Is(err, games.ErrIllegal) {
		t.Errorf("a subsidy without a matrix: %v", err)
	}
	if _, err := game.Rounds.House(announced, two[:1]); !errors.Is(err, games.ErrParams) {
		t.Errorf("a subsidy of one: %v", err)
	}
}
