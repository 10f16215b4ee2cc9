// Package codec translates between package protocol/onchain and the Arena's ABI: actions to
// calldata, logs to events, and revert data to errors that say what to do. What an event carries
// suffices to encode the next call: a Record or Support taken from one can be supplied again as it
// is.
//
// Everything is pure and safe for concurrent use, and returns errors, never panics, on what a node
// or a peer sent.
package codec

import (
	"errors"
	"sync"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/holiman/uint256"
)

// arena is read from its ABI when it is first asked for: most commands of a program never ask.
var arena = sync.OnceValue(bindings.NewArena)

var arenaABI = sync.OnceValue(func() *abi.ABI {
	all := arena().GetABI()
	return &all
})

// Codec is for one Arena: what an action is about (which channel, which match) is told to the
// contract by digests under its domain.
type Codec struct{ domain protocol.Domain }

// New returns the codec for an Arena.
func New(d protocol.Domain) *Codec { return &Codec{domain: d} }

// Call is what a transaction to the Arena carries.
type Call struct {
	Data  []byte
	Value uint256.Int // wei
}

// ErrAction is wrapped by every error about an action that can't be encoded, because it lacks
// something or contradicts itself. The Arena would refuse it too.
var ErrAction = errors.New("bad action")

// ErrLog is wrapped by every error about a log that can't be read. In a channel with an honest seat
// the Arena writes none. For an invented channel it may: where the rules of a match can't start, it
// repeats a support whose signatures it hasn't looked at.
var ErrLog = errors.New("not a log of the Arena")
