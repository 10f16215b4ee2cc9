// Package games defines what a rule set is and holds the games that come with Ante.
//
// A rule set is a few pure functions over rule states, which are opaque bytes to everybody else. It
// exists twice: as a contract (contracts/src/IRules.sol), which judges disputes, and in Go, which
// plays. Both must agree on every byte; package gametest compares them, and package evm runs the
// contract itself where no Go version exists.
//
// To bring a game, write a Typed (the rules over structs) and a TypedPlayer (what a seat's own
// machine does for its user, secrets kept in a commit.Vault), put Bytes and Seated of them into a
// Game, and test it with gametest.Suite. Nodes and commands know games by Game alone. Package
// mastermind is the example.
package games

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Movers that are no seats.
const (
	// Nobody is the mover of a position that is over.
	Nobody uint8 = 255
	// Chance is the mover of a position that the chain itself continues (a block hash, say).
	Chance uint8 = 254
)

// MaxSeats is the most seats a channel, and so a match, may have.
const MaxSeats = 16

// MaxState and MaxMove cap the bytes of a rule state and of a move, off-chain and on-chain, so that
// a judgement always fits into a block.
const (
	MaxState = 4096
	MaxMove  = 4096
)

// ErrIllegal is wrapped by every error with which Start or Play refuses its input: bad parameters,
// a move that the rules do not allow, a malformed state.
var ErrIllegal = errors.New("illegal")

// BadMove returns an error that wraps ErrIllegal and says what is wrong with a move.
func BadMove(format string, a ...any) error { return illegal("move", format, a) }

// BadState returns an error that wraps ErrIllegal and says what is wrong with a state.
func BadState(format string, a ...any) error { return illegal("state", format, a) }

func illegal(what, format string, a []any) error {
	return fmt.Errorf("%w %s: "+format, append([]any{ErrIllegal, what}, a...)...)
}

// Context is what a match's rules may know besides the state. It is the same for every call of one
// match, except Signed and Recorded, which describe the state passed.
type Context struct {
	MatchID common.Hash
	Params  []byte           // the game's own encoding of its parameters
	Stakes  []uint256.Int    // wei (or token units) by seat of the match
	Signers []common.Address // session signer by seat of the match
	Domain  common.Hash      // EIP-712 domain separator of the Arena

	Signed uint16 // bit mask of the seats that signed the state
	// block since which the Arena has the state recorded; 0: never. No rules may let money depend
	// on it: a seat keeps others' recordings from landing by changing the record in each block
	Recorded uint64

	Facts Facts // of the chain; nil: none is known
}

// Rules is a rule set over bytes. Implementations are pure: same input, same output, no clock, no
// randomness, no I/O, nothing kept between calls, arguments never modified or retained, safe for
// concurrent use. No input makes them panic.
type Rules interface {
	// Start returns the state at turn 0. It fails (ErrIllegal) when the parameters, stakes or
	// number of seats are not ones this game can be played with.
	Start(c *Context) ([]byte, error)

	// Mover returns the seat that moves next, Nobody when the state is over, or Chance when the
	// chain moves.
	Mover(state []byte) (uint8, error)

	// Play returns the state after the mover's move, or an error that wraps ErrIllegal. A provable
	// lie is a legal move: it leads to a state that is over, with the liar's Verdict.
	Play(c *Context, state, move []byte) ([]byte, error)

	// Expire returns the state after the mover's time ran out.
	Expire(c *Context, state []byte) ([]byte, error)

	// Outcome returns how a match ended whose state is over. It fails (ErrIllegal) for any other
	// state.
	Outcome(state []byte, stakes []uint256.Int) (Outcome, error)
}

// Outcome is how a match ended.
type Outcome struct {
	Payouts []uint256.Int // wei or token units by seat of the match; the sum is that of the stakes
	Guilty  uint16        // bit mask of the seats that are proved to have cheated
	// why the match ended so, if not by its score: short ASCII, padded with zeros
	Reason [32]byte
}

// ReasonText returns the reason as text, empty when the match simply ended by its score.
func (o *Outcome) ReasonText() string { return strings.TrimRight(string(o.Reason[:]), "\x00") }
