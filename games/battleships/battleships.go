// Package battleships is Battleships for two seats on a board of 64 cells: the rules (equal to
// contracts/src/games/Battleships.sol byte for byte), the player side that hides a fleet and
// answers for it, and a bot.
//
// Each seat commits to every cell of its board, as the root of a tree of 64 salted cells; a coin
// decides who shoots first. A hit keeps the turn, a miss passes it. Every answer carries its proof,
// so a false one is impossible; with the parameter "trusting" answers are believed until their
// author opens its board, which convicts a liar. Whoever is on turn may open its board: it wins if
// it has hit all 18 cells, else the other must open too and wins if it was honest. The rules:
// docs/games/battleships.md; encodings: encoding.txt.
package battleships

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
		Name:     "battleships",
		Summary:  "find the other's hidden fleet before it finds yours",
		Guide:    guide,
		Rules:    games.Bytes(rules{}),
		Params:   fields,
		Player:   games.Seated(rules{}, honest),
		Turns:    turns,
		Contract: common.FromHex(bindings.BattleshipsMetaData.Bin),
		Liars:    liars(honest),
	}
}
