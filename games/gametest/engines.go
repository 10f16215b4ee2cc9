package gametest

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
)

// Engines runs a test once with each of a game's engines, as the subtests "go" and "contract": its
// Go rules, and its contract in an EVM.
func Engines(t *testing.T, g games.Game, test func(t *testing.T, r games.Rules)) {
	t.Helper()
	t.Run("go", func(t *testing.T) { test(t, g.Rules) })
	t.Run("contract", func(t *testing.T) {
		c, err := evm.Deploy(g.Contract)
		if err != nil {
			t.Fatal(err)
		}
		test(t, c.Rules())
	})
}
