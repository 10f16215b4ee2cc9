package sim_test

import (
	"fmt"

	"github.com/ante-games/ante/disputes/sim"
	"github.com/ante-games/ante/games/gametest/toy"
)

// A game's own test calls Run; a program that wants more than a test plays as it likes.
func ExamplePlay() {
	c := sim.Config{
		Game:       toy.Game(),
		Params:     [][]byte{toy.Params(0)},
		Strategies: sim.Pick("stale", "front-run"),
		Games:      20,
	}
	report, err := sim.Play(c, func(v *sim.Verdict) bool {
		if !v.OK() {
			fmt.Println(v)
		}
		return true
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Histories, "histories,", len(report.Broken), "in which somebody lost something")
	// Output: 20 histories, 0 in which somebody lost something
}
