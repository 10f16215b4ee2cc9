package disputes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Plan is what to do now, and when to look again.
type Plan struct {
	Orders   []Order // transactions to send, in this order
	Underway []Step  // what is on its way and still needed
	Wants    []Want  // moves that only the caller can make, the most pressing first
	Alarms   []Alarm // what people must know, worst first
	// when to plan again if nothing happens before, in the Arena's clock; 0: only when something
	// happens
	Next uint64
}

// Step is one call of the Arena.
type Step struct {
	// steps with one key are the same step: what is done, to what, on top of which state of the
	// chain
	Key      string
	MatchID  common.Hash // zero when it is about the channel
	Action   onchain.Action
	Why      string      // for people
	Deadline uint64      // the Arena's clock at which it is too late; 0: none
	Waits    bool        // nothing is lost if it is done later
	Gas      uint64      // what it is expected to cost, roughly
	Stake    uint256.Int // what is at stake for the seat, in units of the channel's asset

	sign   bool                // the action lacks the seat's Contest or Demand signature
	result *onchain.FinalMatch // the match that this step ends for good
	before answers             // of ours to the same
	most   uint64              // gas limit beyond which it counts as failed; 0: none
	asked  bool                // the user asked for it: it is sent whatever it costs
}

// Order is one transaction: one step, or several that succeed or fail together.
type Order struct{ Steps []Step }

// Want is a move that only the caller can make, because it needs the player's choice, secrets or
// key, or a fact of the chain. The caller returns it as a Match.Support one move longer.
type Want struct {
	MatchID  common.Hash
	Turn     protocol.Turn // of the position to move from
	State    []byte        // of the position to move from
	Chance   bool          // the chain moves, anybody can submit it
	Deadline uint64        // when the seat's clock runs out, in the Arena's clock; 0: no clock runs
}

// Level says how bad an alarm is.
type Level uint8

// The levels of alarms.
const (
	Notice   Level = iota // worth knowing, nothing to do
	Warning               // money is at stake, and the machine is on it or needs the user soon
	Critical              // money is being lost, or was, unless somebody acts at once
)

func (l Level) String() string { return [...]string{"notice", "warning", "critical"}[l] }

// Alarm is something that a person must know.
type Alarm struct {
	Level Level
	// what it is about in a word or two; the same from plan to plan, while the text may count down
	Kind     string
	MatchID  common.Hash // zero when it is about the channel
	Text     string      // what is wrong, and what to do next
	Deadline uint64      // in the Arena's clock; 0: none
}

// errNoSigner says that a step needs a signature of the seat and that this node holds no key for
// it.
var errNoSigner = errors.New("this node has no key of the seat; only the seat's own node can start a contest or a clock")

// Keys returns the keys of the order's steps.
func (o *Order) Keys() []string {
	keys := make([]string, len(o.Steps))
	for i := range o.Steps {
		keys[i] = o.Steps[i].Key
	}
	return keys
}

// Why returns the reasons for the order's steps.
func (o *Order) Why() string {
	why := make([]string, len(o.Steps))
	for i := range o.Steps {
		why[i] = o.Steps[i].Why
	}
	return strings.Join(why, "; ")
}

// Deadline returns the earliest deadline of the order's steps, 0 when there is none.
func (o *Order) Deadline() uint64 {
	var first uint64
	for i := range o.Steps {
		first = Earliest(first, o.Steps[i].Deadline)
	}
	return first
}

// Gas returns what the order is expected to cost, in gas.
func (o *Order) Gas() uint64 {
	total := uint64(gasTransaction)
	for i := range o.Steps {
		total += o.Steps[i].Gas - gasTransaction
	}
	return total
}

// first returns the order's first step, as they compare: what depends on it depends on the order,
// which may be sent later if that step may wait, as the others may then.
func (o *Order) first() Step {
	return slices.MinFunc(o.Steps, func(a, b Step) int { return a.compare(&b) })
}

// most returns the gas limit beyond which an order of one step counts as failed, 0 when there is
// none.
func (o *Order) most() uint64 {
	if len(o.Steps) != 1 {
		return 0
	}
	return o.Steps[0].most
}

// Action returns the order as one action, with the Contest and Demand signatures it needs. The
// signer is the seat's; it may be nil for orders that need no signature.
func (o *Order) Action(d protocol.Domain, signer protocol.Signer) (onchain.Action, error) {
	batch := make(onchain.Batch, len(o.Steps))
	for i := range o.Steps {
		a, err := o.Steps[i].signed(d, signer)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Steps[i].Why, err)
		}
		batch[i] = a
	}
	if len(batch) == 1 {
		return batch[0], nil
	}
	return batch, nil
}

func (s *Step) signed(d protocol.Domain, signer protocol.Signer) (onchain.Action, error) {
	if !s.sign {
		return s.Action, nil
	}
	if signer == nil {
		return nil, errNoSigner
	}
	switch a := s.Action.(type) {
	case onchain.ContestLedger:
		sig, err := signer.Sign(protocol.Contest{ChannelID: a.Ledger.ChannelID, Version: a.Ledger.Version}.Digest(d))
		a.Signature = sig[:]
		return a, err
	case onchain.Advance:
		sig, err := signer.Sign(protocol.Demand{MatchID: a.Match.ID(d), Turn: a.Support.Last()}.Digest(d))
		a.Demand = &sig
		return a, err
	case onchain.DemandMove:
		sig, err := signer.Sign(protocol.Demand{MatchID: a.Match.ID(d), Turn: a.Record.Turn.Turn()}.Digest(d))
		a.Signature = sig
		return a, err
	}
	return s.Action, nil
}

// Earliest returns the lower of two times, of which 0 means never.
func Earliest(a, b uint64) uint64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
