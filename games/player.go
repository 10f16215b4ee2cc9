package games

import (
	"errors"
	"io"

	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	// ErrNotYourTurn means that another seat, or nobody, is on move.
	ErrNotYourTurn = errors.New("it is another player's turn")
	// ErrText is wrapped by every error about a move that a person typed: it says what was
	// expected.
	ErrText = errors.New("cannot read that move")
	// ErrNotYet is what a TypedPlayer's Bot, and Chance, return when it is too early to move.
	ErrNotYet = errors.New("not yet")
)

// Table is a match as one of its seats sees it, for its player side.
type Table struct {
	Context *Context
	State   []byte
	Seat    uint8          // of the match
	Secrets commit.Secrets // all that the seat has committed to in this match; zero at first
	Random  io.Reader      // cryptographically secure, for secrets and salts (crypto/rand.Reader)

	// what seats said at this turn, the latest of each: unchecked, it may be anything
	Notes []Note
	Made  *Made // how State came about; nil where a clock ran out, or it is not known
	// by the seat's session key; nil where the seat only looks
	Sign func(digest common.Hash) ([]byte, error)
}

// Made is the move that led to a position, as the seat signed it that made it.
type Made struct {
	Turn      uint64 // of the position
	Move      []byte
	Signature []byte // of the position
}

// MaxNote caps the bytes of a note.
const MaxNote = 512

// Note is a message of one seat to another outside of moves, for example because it isn't on move.
// It proves only who sent it, and may get lost.
type Note struct {
	From, To uint8 // seats of the match
	Text     []byte
}

// Decision is a move, and the seat's secrets once it has made it. The secrets must be durable
// before the move leaves the machine: a commitment whose opening is lost forfeits the match.
type Decision struct {
	Move    []byte
	Secrets commit.Secrets
}

// Player is a game's player side: what a seat's own machine does for its user. Implementations keep
// nothing between calls and are safe for concurrent use.
type Player interface {
	// Auto makes the moves that need no choice: coins, answers, openings, a commitment already
	// chosen. It returns nil when a person or the bot must choose, and ErrNotYourTurn when the seat
	// isn't on move.
	Auto(t Table) (*Decision, error)

	// Bot chooses any of the seat's moves, well enough to be an opponent and within some tens of
	// milliseconds. It returns nil when it is too early to move.
	Bot(t Table) (*Decision, error)

	// Choose reads a move that a person typed. It fails with ErrText and an explanation, with
	// ErrIllegal where that is a move which the rules refuse, or with ErrNotYourTurn.
	Choose(t Table, text string) (*Decision, error)

	// Ask says in one line what the seat is to choose, with an example; empty when nothing is asked
	// of it: then no node waits for a person.
	Ask(t Table) (string, error)

	// View shows the position to the seat's user. It holds no secrets and may be logged.
	View(t Table) (View, error)

	// Recall says what the seat has committed to and not yet opened, for its user's eyes only;
	// empty if nothing. It is shown beside the board, after "yours: ".
	Recall(t Table) (string, error)

	// Describe says in one line what a move in a state was. Moves are public. It must be fast: a
	// node calls it while the channel waits.
	Describe(c *Context, state, move []byte) (string, error)

	// Moves lists the legal moves, nil where they can't be listed.
	Moves(c *Context, state []byte) ([][]byte, error)
}

// Talker is a player side that sends notes to other seats. Its methods are called when the seat is
// not on move.
type Talker interface {
	// Say turns what a person typed into a note to another seat. It fails as Choose does.
	Say(t Table, text string) (*Note, error)
	// Chat returns the bot's next note, or nil.
	Chat(t Table) (*Note, error)
}

// Chained is the player side of a game that depends on the chain's blocks. At every new block a
// node calls its methods, and Auto again.
type Chained interface {
	// Follows reports whether the game depends on blocks at all.
	Follows() bool
	// Chance returns the chain's move, which any seat may make. It fails with ErrNotYet while it is
	// too early, and returns nil if nobody can make it, so that the chain's clock has to run out.
	Chance(t Table) ([]byte, error)
	// Upkeep returns a call of the rules contract that somebody has to make now, or nil. It may be
	// made more than once.
	Upkeep(t Table) (*Call, error)
}

// Paced is the player side of a game in which a seat on move may wait for a block.
type Paced interface {
	// Until returns the block until which the seat on move need not move, 0 if it need. Peers don't
	// count that as silence, so that what a seat chose must not make it far.
	Until(t Table) (uint64, error)
}

// Follows reports whether a node must ask a player side at every block.
func Follows(p Player) bool {
	c, ok := As[Chained](p)
	return ok && c.Follows()
}

// Wrapper is a player side around another one, whose further interfaces (As) stay available.
type Wrapper interface {
	Player
	Unwrap() Player
}

// As returns a player side, or the one that it wraps, as a T: Talker, Chained or Paced.
func As[T any](p Player) (T, bool) {
	for {
		if able, ok := p.(T); ok {
			return able, true
		}
		w, wraps := p.(Wrapper)
		if !wraps {
			var none T
			return none, false
		}
		p = w.Unwrap()
	}
}

// Call is a call of a rules contract.
type Call struct {
	Data   []byte
	Why    string // for people
	Before uint64 // the block in which it may be too late; 0: no hurry
	// units of gas that it takes at most, about; 0: not known. It is made only where that costs no
	// more than what depends on it, and then even if one of two endpoints says that the contract
	// refuses it
	Gas   uint64
	Worth *uint256.Int // what of the stakes depends on it; nil: all of them
	// a slot of the contract's storage that is not zero once anybody has made the call: then it
	// isn't made again; zero: there is none
	Slot common.Hash
}

// View is a position for people: String is a few lines of text for a terminal, and encoding/json
// makes it an object for a page.
type View interface{ String() string }

// Priced is a View that shows money. In JSON and in String amounts are decimal numbers of wei or
// token units; Text leaves it to the caller how to write them.
type Priced interface {
	View
	Text(amount func(decimal string) string) string
}

// ViewText returns the text of a view, with amounts written by the given function.
func ViewText(v View, amount func(decimal string) string) string {
	if p, shows := v.(Priced); shows {
		return p.Text(amount)
	}
	return v.String()
}

// Over is the line of a view's text that says how a match ended for the seat that looks: win, loss
// or draw, and why, unless that is empty.
func Over(ending, reason string) string {
	line := "The match is over: " + map[string]string{"win": "you won", "loss": "you lost", "draw": "a draw"}[ending]
	if reason != "" {
		line += " (" + reason + ")"
	}
	return line + ".\n"
}

// Plain writes an amount as a plain decimal number.
func Plain(decimal string) string { return decimal }
