package games

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrUnknownGame is wrapped by the error of Catalog.Find.
var ErrUnknownGame = errors.New("unknown game")

// Game is everything that a node and its user need to play a rule set.
type Game struct {
	Name    string // lower case, as typed on a command line and sent in offers
	Summary string // one line for people
	Guide   string // how it is played, scored and typed: paragraphs with an empty line between them
	Rules   Rules
	Params  Params
	Player  Player

	// Turns returns the most moves a match with these parameters can take.
	Turns func(params []byte) (uint64, error)
	// Stakes returns the least that each seat must stake under these parameters, one for each seat
	// of the match, in wei or token units. Nil if the game is for two seats and any stakes.
	Stakes func(params []byte) ([]uint256.Int, error)
	// Fair returns the least that each seat of a match with these stakes must stake, so as not to
	// play at the expense of the given seat, in wei or token units. Nil: as much as that seat or,
	// where Stakes requires something of both, in that ratio.
	Fair func(params []byte, stakes []uint256.Int, seat uint8) ([]uint256.Int, error)
	// Loss returns the most that a seat loses on average in a match with these parameters, whoever
	// plays against it, in wei or token units. Nil if nothing better than its stake is known.
	Loss func(params []byte, seat uint8) (uint256.Int, error)
	// Contract is the init code of the rules contract; it takes no constructor arguments.
	Contract []byte
	// Rounds says how the game is played in organised rounds; nil if it isn't.
	Rounds Rounds
	// Liars are the ways in which a seat can cheat at this game, for demonstrations and tests; none
	// if it can't.
	Liars []Liar
}

// Liar is one way to cheat at a game.
type Liar struct {
	Name string // what the liar does, as a row of a table: "answers falsely"
	// Reason is the reason of the outcome that convicts the liar; empty if nothing proves the
	// cheat. It must not pay even then.
	Reason string
	// Player returns a player side that cheats on every occasion in the given round (from 0) and is
	// honest otherwise.
	Player func(round uint32) Player
}

// Catalog is the games that a program knows.
type Catalog []Game

// Find returns the game of that name. Its error wraps ErrUnknownGame and lists the known names.
func (c Catalog) Find(name string) (Game, error) {
	names := make([]string, len(c))
	for i := range c {
		if c[i].Name == name {
			return c[i], nil
		}
		names[i] = c[i].Name
	}
	return Game{}, fmt.Errorf("%w %q: there are %s", ErrUnknownGame, name, strings.Join(names, ", "))
}

// Check fails unless each game has a name of its own.
func (c Catalog) Check() error {
	for i := range c {
		if slices.ContainsFunc(c[:i], func(g Game) bool { return g.Name == c[i].Name }) {
			return fmt.Errorf("two games are named %q", c[i].Name)
		}
	}
	return nil
}

// At returns the game whose rules contract is at an address, given where each game's is, by name.
func (c Catalog) At(deployed map[string]common.Address, at common.Address) (Game, error) {
	for name, address := range deployed {
		if address == at {
			return c.Find(name)
		}
	}
	return Game{}, fmt.Errorf("%w: no game of this program has its rules contract at %s; channeld game add MANIFEST.json ADDRESS adds one", ErrUnknownGame, at)
}
