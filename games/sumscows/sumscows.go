// Package sumscows is sums and cows: the rules (equal to contracts/src/games/SumsAndCows.sol byte
// for byte), the server's side that keeps a hidden list and answers for it, and a solver that
// guesses.
//
// The server (seat 1) commits to an ordered list of d distinct letters out of n. The player (seat
// 0) guesses lists; each is answered by how many letters it has in common with the hidden one, and
// by the sum of their places there. Every guess costs a fee, the right list earns the prize, and at
// every end the server opens its list, which proves each answer. The rules:
// docs/games/sums-and-cows.md; encodings: encoding.txt.
package sumscows

import (
	_ "embed"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// The seats.
const (
	Player uint8 = 0 // guesses
	Server uint8 = 1 // hides the list, and answers
)

//go:embed guide.txt
var guide string

// Game is the entry for a catalog.
func Game() games.Game {
	return games.Game{
		Name:     "sums-and-cows",
		Summary:  "find a server's hidden list of letters for a prize, at a fee for each guess",
		Guide:    guide,
		Rules:    games.Bytes(rules{}),
		Params:   fields,
		Player:   games.Seated(rules{}, player{}),
		Turns:    turns,
		Stakes:   stakes,
		Loss:     loss,
		Contract: common.FromHex(bindings.SumsAndCowsMetaData.Bin),
		Liars:    liars,
	}
}

// Codec returns the rules over structs.
func Codec() games.Typed[Params, State, Move] { return rules{} }
