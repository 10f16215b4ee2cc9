package games

import "github.com/holiman/uint256"

// House is the seat of whoever organises a round. Player i of a group, counted from 0, has seat
// i+1.
const House = 0

// Rounds says how a game is played in organised rounds: players register with a house and are
// grouped, and each group plays one match with the house. All methods are pure and safe for
// concurrent use.
type Rounds interface {
	// Groups says how players are grouped.
	Groups() Groups
	// Announce returns the parameters that a house announces, made of those of a match. The players
	// are not known yet.
	Announce(params []byte) []byte
	// Check refuses announced parameters under which no group can play. Its error wraps ErrParams
	// or ErrIllegal.
	Check(announced []byte) error
	// Params returns the parameters of a group's match. referrers has, for each player, the seat of
	// the player who referred it, or House.
	Params(announced []byte, referrers []uint8) ([]byte, error)
	// House returns what the house locks and stakes, given each player's stake, in wei or token
	// units.
	House(announced []byte, stakes []uint256.Int) (*uint256.Int, error)
	// Preview shows a seat its match before that begins, given what every seat stakes, the house's
	// first; nil shows nothing.
	Preview(announced []byte, stakes []uint256.Int, seat uint8) (View, error)
}

// Groups says how the players of a round are grouped.
type Groups struct {
	Fewest, Most uint8 // players of a group
	// Shuffled says that the hash of a block groups them. Without it, all who register are one
	// group, at one table.
	Shuffled bool
}
