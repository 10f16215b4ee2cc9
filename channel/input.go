package channel

import (
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Input is what happens to a machine.
type Input interface{ isInput() }

// What peers and time do.
type (
	// Received is a message from the seat of the channel that the transport has proved to be its
	// sender.
	Received struct {
		From    int
		Message message.Message
	}
	// Shown is what one of our towers shows: evidence that this seat, or another of the channel,
	// gave it. All of it is verified. If it has a signature of ours that the records lack, they are
	// an old copy: see Machine.Restored.
	Shown struct{ Evidence message.TowerEvidence }
	// Connected says that a seat can be reached (again): we tell it our versions and turns.
	Connected struct{ Seat int }
	// Idle says that no move of ours follows at once (a person is thinking): the newest positions
	// are countersigned. Give it after a batch of messages when nothing automatic is left to do.
	Idle struct{}
	// Tick repeats unanswered messages and retries. Give it every few seconds.
	Tick struct{}
	// ClockAt is the time on the Arena's clock and the number of the newest block. Some positions
	// may only be signed before a block (games.Dated).
	ClockAt struct{ Now, Block uint64 }
	// StoreRestored says that the records are restored from a backup. Nothing is signed from then
	// on.
	StoreRestored struct{}
	// Hold says that the records may be an old copy. Until a Hold without On the machine signs
	// nothing; all else continues. It is not stored.
	Hold struct{ On bool }
)

// What the chain does. Each event is given once with Final unset when it is first seen, and then
// either once with Final set or once as undone; the newest are undone first.
type (
	// ChainSeen is an event of this channel.
	ChainSeen struct {
		Event onchain.Event
		Final bool
	}
	// ChainUndone is an event that a reorganisation removed; Final says that it was told as final.
	ChainUndone struct {
		Event  onchain.Event
		Final  bool
		Ledger *protocol.SignedLedger // that is contested without it; nil: none
	}
	// ChainTold is a record of this channel that was seen before. A match whose rules were missing
	// then learns now how it came about; all others pass over it. Records are told in their order.
	ChainTold struct {
		Event onchain.Recorded
		Final bool
	}
)

// What the user does.
type (
	// ProposeMatch proposes a match. The ledger that locks it needs every seat's signature; see
	// ProposalRefused.
	ProposeMatch struct {
		Rules  common.Address
		Seats  []uint8       // of the channel, ascending
		Stakes []uint256.Int // by seat of the match
		Params []byte
	}
	// WithdrawMatches withdraws every match that we proposed and that is not locked yet. What was
	// signed stays signed, so a ledger without them, or with what our user wants next, is proposed
	// above it. If the others complete the old ledger all the same, its matches are not started,
	// and the stakes are offered back.
	WithdrawMatches struct{}
	// BookMatch proposes to book a match that is over or agreed. The lowest seat of a match does so
	// by itself.
	BookMatch struct{ MatchID common.Hash }
	// CloseChannel proposes to close, and withdraws what we proposed: no match begins that is not
	// locked yet, approved or not. It fails with protocol.ErrLocked while one is. There is no way
	// back: if it isn't answered, contest.
	CloseChannel struct{}
	// MakeMove moves. Turn is that of the position moved from. Secret, unless zero, replaces what
	// is kept for the match (at most MaxSecret bytes, see Machine.Secret) in the same batch, so
	// that a commitment never leaves before its secret is kept. When the match's clock runs for us,
	// the move is kept for the chain and sent to nobody.
	MakeMove struct {
		MatchID common.Hash
		Turn    protocol.Turn
		Move    []byte
		Secret  commit.Secrets
	}
	// SayNote sends another seat of a match a note about the newest position, outside of moves. The
	// machine repeats it until the match moves on.
	SayNote struct {
		MatchID common.Hash
		Turn    protocol.Turn
		To      uint8  // seat of the match
		Text    []byte // at most games.MaxNote
	}
	// OfferAgreement offers to end a match with these payouts, as things stand at Turn.
	OfferAgreement struct {
		MatchID common.Hash
		Turn    protocol.Turn
		Payouts []uint256.Int
	}
	// AcceptAgreement signs what a seat of the match offers at Turn, if it is still what the user
	// saw.
	AcceptAgreement struct {
		MatchID common.Hash
		Turn    protocol.Turn
		Seat    uint8
		Payouts []uint256.Int
	}
	// Concede offers everything to the other seat of a match of two, in which something is staked.
	Concede struct {
		MatchID common.Hash
		Turn    protocol.Turn
	}
	// ApproveProposal signs the proposal that ProposalAsked announced.
	ApproveProposal struct{ Version uint64 }
	// RefuseProposal refuses it.
	RefuseProposal struct {
		Version uint64
		Reason  string // for the proposer; at most MaxText bytes
	}
)

// MaxSecret caps the bytes that are kept for the user with a match.
const MaxSecret = 16384

func (Received) isInput()        {}
func (Shown) isInput()           {}
func (Connected) isInput()       {}
func (Idle) isInput()            {}
func (Tick) isInput()            {}
func (ClockAt) isInput()         {}
func (StoreRestored) isInput()   {}
func (Hold) isInput()            {}
func (ChainSeen) isInput()       {}
func (ChainUndone) isInput()     {}
func (ChainTold) isInput()       {}
func (ProposeMatch) isInput()    {}
func (WithdrawMatches) isInput() {}
func (BookMatch) isInput()       {}
func (CloseChannel) isInput()    {}
func (MakeMove) isInput()        {}
func (SayNote) isInput()         {}
func (OfferAgreement) isInput()  {}
func (AcceptAgreement) isInput() {}
func (Concede) isInput()         {}
func (ApproveProposal) isInput() {}
func (RefuseProposal) isInput()  {}
