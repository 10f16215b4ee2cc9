package sim_test

import (
	"testing"

	"github.com/ante-games/ante/disputes/sim"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/games/mastermind"
)

func TestToy(t *testing.T) {
	sim.Run(t, sim.Config{Game: toy.Game(), Params: [][]byte{toy.Params(0), toy.Params(1, toy.Fine, toy.Skip)}})
}

func TestMastermind(t *testing.T) {
	sim.Run(t, sim.Config{Game: mastermind.Game(), Params: [][]byte{{2, 3, 2, 2, 1, 0}, {2, 3, 2, 2, 1, 1}}})
}
