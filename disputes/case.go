package disputes

import (
	"cmp"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Case is everything that a plan for one seat of one channel depends on. Plan reads it and changes
// nothing.
type Case struct {
	Domain protocol.Domain
	Terms  protocol.Terms
	Seat   int // of the channel: whom the plan is for
	// Rules finds a rule set by its contract's address. Required.
	Rules func(common.Address) (games.Rules, error)
	// Past finds the terms of a match that is booked and otherwise forgotten: an older ledger that
	// is paid out locks it again. May be nil.
	Past func(common.Hash) (protocol.MatchTerms, error)
	// Facts returns how many facts of the chain the rules know, so that a Watcher plans again when
	// there are more. May be nil.
	Facts func() int
	Now   uint64 // the Arena's clock in the newest block
	Chain *View
	Evidence
	Wishes
	Policy
	// Pending holds the keys of the steps that are on their way to the chain; they are not planned
	// again.
	Pending map[string]bool
	// Failed holds the keys of the steps whose transaction failed; they are planned again, each in
	// a transaction of its own.
	Failed map[string]bool
	// Memory spares replaying the evidence in each plan; nil: it is. The plan is the same.
	Memory *Memory

	id common.Hash // of the channel; zero: it is worked out from the terms
}

// Evidence is what the seat can prove: what its own store holds, or what it left with a tower. It
// contains nothing from the chain, which the planner reads itself, except where Match says so.
type Evidence struct {
	Ledger  *protocol.SignedLedger // the newest that all seats signed; nil stands for version 1
	Closing *protocol.SignedLedger // a closing ledger that all seats signed
	Matches map[common.Hash]Match
	// the store was restored from a backup: nothing more is signed in this channel, and no move is
	// asked for
	Restored bool
}

// Match is what the seat can prove of one match.
type Match struct {
	Terms protocol.MatchTerms
	// any ledger that locks the match and that all seats signed: the older the better
	Ledger *protocol.SignedLedger
	// Support is the highest-ranking there is. It may lack signatures as long as it is turn 0 that
	// lacks them. After a move that answers a posted position it starts at that position and
	// includes the posted signatures of it.
	Support *protocol.Support
	// Also is other support, given by other seats. The planner posts the highest-ranking of all,
	// and looks in all of it for seats that signed two positions at one turn.
	Also      []*protocol.Support
	Agreement *protocol.SignedAgreement // the newest, signed by all seats of the match
	Proofs    []protocol.Equivocation
	// Bound says that the seat makes no move before the channel is settled unless its clock runs,
	// because others may still complete a ledger that books the match.
	Bound bool
}

// Wishes are what the user, or the node's patience on the user's behalf, wants from the chain now.
type Wishes struct {
	Exit bool // close one-sidedly: no cooperative close is to be had
	// close one-sidedly together with the first clock that is started, or that ran out
	Leave bool
	// the user asked to leave: a closing ledger is sent whatever it costs
	Asked bool
	// send the closing ledger now; without it only a contest makes the planner send it
	Close bool
	// matches that must end although a peer is silent: its clock is started
	Demand map[common.Hash]bool
}

// leastMargin is the least margin that nobody chose: what is sent lands in the next block at the
// soonest, before the deadline, and perhaps some blocks later.
const leastMargin = 5

// MarginOf returns a Policy.Margin: what was chosen, 0 meaning a tenth of the window, and at most a
// quarter of it.
func MarginOf(chosen, window uint64) uint64 {
	return min(cmp.Or(chosen, max(leastMargin, window/10)), window/4)
}

// Policy is the user's standing settings.
type Policy struct {
	// Margin is how long before a deadline waiting ends, in the Arena's clock. It covers the time
	// that a transaction takes to land when blocks are full, and should be longer than
	// reorganisations are deep. From then on a step goes alone and an alarm stands. At most a
	// quarter of the window.
	Margin uint64
	// Floor is the least value at stake, in units of the channel's asset, that gas is spent on.
	Floor uint256.Int
	// GasPrice is what a unit of gas costs now, in wei: see Watcher.Price. In an ETH channel no
	// step is planned that costs more than is at stake, and an alarm says so where money is in
	// danger.
	GasPrice uint256.Int
	// Push has a close pay straight to the players' wallets instead of their bank balances, unless
	// it failed so before.
	Push bool
	// Frugal is for a tower, which pays for the steps of others and has none of their keys: it
	// bounds what seats of one owner can make it do for nothing. A contest that somebody else
	// starts, or a match's clock, is answered at once. If the evidence gets better after that, or
	// the other seat continues without starting another clock, the answer waits as long as Margin
	// allows. A contest is answered twice in all, and a match twice for each act of somebody else
	// in it. A seat is convicted only once its match is recorded, or its lock is in the ledger that
	// is paid out. Each step goes alone, so that one act of somebody else makes at most one step
	// fail. No Demand is sent along. A long turn is not recorded, because only its own seat can
	// continue it.
	Frugal bool
}

// EvidenceOf returns what a seat's machine can prove. Of matches between other seats it knows only
// the terms.
func EvidenceOf(m *channel.Machine) Evidence {
	ledger := m.Ledger()
	_, closing := m.Closing()
	e := Evidence{Ledger: &ledger, Closing: closing, Matches: map[common.Hash]Match{}, Restored: m.Restored()}
	for _, v := range m.Matches() {
		e.Matches[v.ID] = Match{Terms: v.Terms, Ledger: v.Ledger, Support: v.Support, Agreement: v.Agreement, Proofs: v.Proofs, Bound: v.Bound}
	}
	return e
}
