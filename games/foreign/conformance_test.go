package foreign_test

import (
	"testing"

	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/games/gametest"
)

// The kit takes a game that exists in Solidity only.
func TestConnectFour_Conformance(t *testing.T) {
	g, err := foreign.Load("../../examples/connectfour/connectfour.json")
	if err != nil {
		t.Fatal(err)
	}
	// Both engines are the same code: there is little to compare.
	gametest.Suite{
		Game: g, Params: [][]byte{{0}, {1}}, Transitions: 2_000, Gas: 60_000, Reasons: []string{"", "silence"},
	}.Run(t)
}
