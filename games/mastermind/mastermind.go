// Package mastermind is Mastermind for two seats: the rules (equal to
// contracts/src/games/Mastermind.sol byte for byte), the player side that keeps a maker's codes and
// answers for it, and a bot.
//
// A coin decides who makes the first code; the roles alternate each round. The maker commits to a
// code, the breaker guesses, the maker answers each guess, and opens the code at the end of the
// round, which proves every answer true or false. Points go to the maker: guesses made, and a bonus
// if the code was not found. Most points take the pot. The rules: docs/games/mastermind.md;
// encodings: encoding.txt.
package mastermind

import (
	_ "embed"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

//go:embed guide.txt
var guide string

// Game is the entry for a catalog.
func Game() games.Game {
	return games.Game{
		Name:     "mastermind",
		Summary:  "crack the other's hidden code in fewer guesses than it takes to crack yours",
		Guide:    guide,
		Rules:    games.Bytes(rules{}),
		Params:   fields,
		Player:   games.Seated(rules{}, player{}),
		Turns:    turns,
		Contract: common.FromHex(bindings.MastermindMetaData.Bin),
		Liars:    liars,
	}
}

// Codec returns the rules over structs.
func Codec() games.Typed[Params, State, Move] { return rules{} }
