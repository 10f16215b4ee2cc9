// Package splitsteal is Split or steal: the rules (equal to contracts/src/games/SplitOrSteal.sol
// byte for byte), the player side that keeps a choice secret and opens it, and a bot.
//
// Two players, X and Y, bet. Each commits to a number, odd for split and even for steal; then both
// open theirs. What each gets out of both bets stands in a matrix that both see beforehand. A third
// seat, the house, pays what two splitters get beyond the bets, and keeps what two stealers leave;
// the game can also be played without one. The rules: docs/games/split-or-steal.md; encodings:
// encoding.txt.
package splitsteal

import (
	_ "embed"

	"slices"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Name is the game's name in catalogs.
const Name = "split-or-steal"

// Turns is the most moves of any match: two commitments and two openings.
const Turns = 4

//go:embed guide.txt
var guide string

// Game is the entry for a catalog.
func Game() games.Game {
	return games.Game{
		Name:     Name,
		Summary:  "two bets, one secret choice each: split them, or steal",
		Guide:    guide,
		Rules:    games.Bytes(rules{}),
		Params:   params{fields},
		Player:   games.Seated(rules{}, player{}),
		Turns:    turns,
		Stakes:   stakes,
		Fair:     fair,
		Rounds:   rounds{},
		Contract: common.FromHex(bindings.SplitOrStealMetaData.Bin),
	}
}

// Codec returns the rules over structs.
func Codec() games.Typed[Params, State, Move] { return rules{} }

func turns(encoded []byte) (uint64, error) {
	_, err := rules{}.DecodeParams(encoded)
	return Turns, err
}

// fair is the same stake of everybody, but for a house: what it stakes is a gift.
func fair(encoded []byte, stakes []uint256.Int, seat uint8) ([]uint256.Int, error) {
	p, err := rules{}.DecodeParams(encoded)
	if err != nil {
		return nil, err
	}
	want := slices.Repeat(stakes[seat:seat+1], len(stakes))
	if int(p.House) < len(want) && p.House != seat {
		want[p.House].Clear()
	}
	return want, nil
}

// stakes are none at least: the players bet as they like, and the house must cover the Subsidy of
// that.
func stakes(encoded []byte) ([]uint256.Int, error) {
	p, err := rules{}.DecodeParams(encoded)
	if err != nil {
		return nil, err
	}
	return make([]uint256.Int, seats(p.House)), nil
}
