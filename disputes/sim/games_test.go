package sim_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/disputes/sim"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/battleships"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/holiman/uint256"
)

// Simulations of every game, small.
var simulations = map[string]sim.Config{
	"toy":   {Game: toy.Game(), Params: [][]byte{toy.Params(0), toy.Params(1, toy.Fine, toy.Skip)}},
	"toy 3": {Game: toy.Game(), Seats: 3, Params: [][]byte{toy.Params(0), toy.Params(2, toy.Fine, toy.Skip)}},
	// Seats move dozens of times in a row, more often than anybody follows without a signature.
	"toy with long turns": {Game: toy.Game(), Games: 40, Choose: keepOn, Params: [][]byte{toy.Params(0), toy.Params(1, toy.Fine, toy.Skip)}},
	"toy 4":               {Game: toy.Game(), Seats: 4, Params: [][]byte{toy.Params(3)}, Games: 50},
	"mastermind": {Game: mastermind.Game(), Params: [][]byte{
		mastermind.Params{Pegs: 2, Colours: 3, Rounds: 2, Guesses: 2, Bonus: 1}.Bytes(),
		mastermind.Params{Pegs: 2, Colours: 3, Rounds: 2, Guesses: 2, Bonus: 1, Dispute: 1}.Bytes(),
	}},
	"sums and cows": {Game: sumscows.Game(), Params: [][]byte{
		sumscows.Params{N: 5, D: 2, Guesses: 4, Start: *uint256.NewInt(10), Fee: *uint256.NewInt(3), Prize: *uint256.NewInt(50)}.Bytes(),
	}},
	"battleships": {Game: battleships.Game(), Params: [][]byte{{0}, {1}}, Matches: 1, Games: 16},
	"split or steal": {Game: splitsteal.Game(), Params: [][]byte{
		splitsteal.Params{N1: 1, N2: 3, D1: 4, D2: 2, House: splitsteal.NoHouse}.Bytes(),
	}},
	"split or steal with a house": {Game: splitsteal.Game(), Seats: 3, Stakes: housed, Params: [][]byte{
		splitsteal.Params{N1: 1, N2: 3, D1: 4, D2: 2, House: 0}.Bytes(),
		splitsteal.Params{N1: 1, N2: 3, D1: 4, D2: 2, House: 1}.Bytes(),
		splitsteal.Params{N1: 1, N2: 3, D1: 4, D2: 2, House: 2}.Bytes(),
	}},
	// One round: before the next the house waits for the others' signatures for longer than the
	// short window of these channels.
	"box9": {Game: box9.Game(), Seats: 3, Matches: 1, Games: 24, Stakes: pockets, Params: [][]byte{
		box9.Params{Rounds: 1, Margin: 6, Coins: 1, Coin: 1}.Bytes(),
		box9.Params{Rounds: 1, Margin: 8, Coins: 10, Coin: 1, Referrers: 0x120}.Bytes(),
	}},
}

// keepOn keeps the turn, but for one time in fifty: then the bot passes it on, or ends the match.
func keepOn(r *rand.Rand, t games.Table) (*games.Decision, error) {
	if r.IntN(50) == 0 || len(t.State) == 0 || t.State[0] != t.Seat {
		return nil, nil
	}
	return &games.Decision{Move: toy.Pass(t.Seat, byte(r.IntN(256))), Secrets: t.Secrets}, nil
}

// housed are bets, and a house that covers the subsidy.
func housed(r *rand.Rand, _ []byte) []uint256.Int {
	stakes := make([]uint256.Int, 3)
	for i := range stakes {
		stakes[i] = *uint256.NewInt(1000 + r.Uint64N(1000))
	}
	return stakes
}

func pockets(r *rand.Rand, _ []byte) []uint256.Int {
	stakes := make([]uint256.Int, 3)
	for i := range stakes {
		stakes[i] = *uint256.NewInt(100 + r.Uint64N(900))
	}
	return stakes
}

// TestHostile plays every game among seats that cheat and seats that don't.
func TestHostile(t *testing.T) {
	for name, c := range simulations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim.Run(t, c)
		})
	}
}

// A match that never ends is found at once.
func TestPlay_MatchWithoutEnd(t *testing.T) {
	c := simulations["toy with long turns"]
	c.Game.Turns = func([]byte) (uint64, error) { return 20, nil }
	c.Choose = func(_ *rand.Rand, t games.Table) (*games.Decision, error) {
		return &games.Decision{Move: toy.Pass(1-t.Seat, t.State...), Secrets: t.Secrets}, nil
	}
	c.Games = 3
	found := 0
	if _, err := sim.Play(c, func(v *sim.Verdict) bool {
		if strings.Contains(v.String(), "is at turn 21 and not over") {
			found++
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("nobody notices that the match goes on for ever")
	}
}
