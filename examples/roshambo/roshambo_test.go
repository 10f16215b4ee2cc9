package roshambo

import (
	"testing"

	"github.com/ante-games/ante/disputes/sim"
	"github.com/ante-games/ante/games/gametest"
)

func suite() gametest.Suite {
	return gametest.Suite{Game: Game(), Transitions: 20_000, Gas: 20_000, Reasons: []string{"", "silence"}}
}

// TestConformance has the kit try both engines, the player side, and every cheat it knows.
func TestConformance(t *testing.T) { suite().Run(t) }

func FuzzRules(f *testing.F) { suite().Fuzz(f) }

func FuzzText(f *testing.F) { suite().FuzzText(f) }

// TestHostile plays channels in which seats cheat: nobody who plays honestly may lose anything by
// it.
func TestHostile(t *testing.T) { sim.Run(t, sim.Config{Game: Game()}) }
