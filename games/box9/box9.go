// Package box9 is Box 9 for 1..15 players and a house: the rules (equal to
// contracts/src/games/Box9.sol byte for byte), the player side that signs a player's bets and keeps
// the house's table, and a bot.
//
// Of nine boxes a block's hash makes one gold and two silver. In each round the house names a block
// to come; the players send it their signed bets; it closes the round with them before the block;
// then the chain draws. The house, seat 0, alone moves, so that no player's silence holds up the
// others. The rules for players: docs/games/box9.md; encodings: encoding.txt.
package box9

import (
	_ "embed"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// GameName is the game's name in catalogs.
const GameName = "box9"

//go:embed guide.txt
var guide string

// Game is the entry for a catalog.
func Game() games.Game {
	return games.Game{
		Name:     GameName,
		Summary:  "bet on up to six of nine boxes; the hash of a block to come fills three of them",
		Guide:    guide,
		Rules:    games.Bytes(rules{}),
		Params:   fields,
		Player:   games.Seated(rules{}, player{}),
		Turns:    turns,
		Fair:     fair,
		Rounds:   rounds{},
		Contract: common.FromHex(bindings.Box9MetaData.Bin),
	}
}

// Codec returns the rules over structs.
func Codec() games.Typed[Params, State, Move] { return rules{} }

// fair asks the same stake between the house and each player, and nothing between players.
func fair(_ []byte, stakes []uint256.Int, seat uint8) ([]uint256.Int, error) {
	want := make([]uint256.Int, len(stakes))
	for i := range want {
		if i == House || seat == House {
			want[i] = stakes[seat]
		}
	}
	return want, nil
}

// House is the seat of the house, which opens the channel and moves.
const House = 0
