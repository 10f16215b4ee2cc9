package channel

import (
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Effects is what one step wants done. The caller makes Entries durable, in one atomic write that
// reaches the disk, before it sends any of Messages or tells anybody about Events.
type Effects struct {
	Entries  []Entry
	Messages []Outgoing
	Events   []Event
}

// Entry is one record of a channel in a key-value store. A nil value deletes. Keys are unique
// within a channel. It prints as its key and size, because a value may be a player's secrets.
type Entry struct {
	Key   string
	Value []byte
}

// String returns the key and the size.
func (e Entry) String() string { return fmt.Sprintf("%s (%d bytes)", e.Key, len(e.Value)) }

// Format writes the same, whatever the verb.
func (e Entry) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, e.String()) }

// MarshalText keeps values out of encodings and logs.
func (e Entry) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// Outgoing is a message for a seat of the channel. Losing it does no harm.
type Outgoing struct {
	To      int
	Message message.Message
}

// Event tells the user what happened.
type Event interface{ isEvent() }

type (
	// ChannelReady says: the opening is confirmed; play can start.
	ChannelReady struct{}
	// ProposalAsked says: a seat proposes matches that we would play. Answer with ApproveProposal
	// or RefuseProposal.
	ProposalAsked struct {
		Version uint64
		From    int
		Matches []protocol.MatchTerms
	}
	// ProposalGone says that the proposal of a ProposalAsked is no longer open. It may come again
	// with another version.
	ProposalGone struct{ Version uint64 }
	// ProposalRefused says: a seat doesn't sign what we proposed, and it won't be proposed again.
	ProposalRefused struct {
		By      int
		Code    message.RejectCode
		Reason  string
		Matches []protocol.MatchTerms
	}
	// LedgerSigned says: a ledger is signed by all seats.
	LedgerSigned struct{ Ledger protocol.SignedLedger }
	// MatchLocked says: a match is locked in a fully signed ledger; it starts when every seat of it
	// has signed turn 0.
	MatchLocked struct {
		MatchID common.Hash
		Terms   protocol.MatchTerms
	}
	// MatchStarted says: every seat has signed turn 0.
	MatchStarted struct{ MatchID common.Hash }
	// YourTurn says: it is our move. When OnChain, our clock runs: the move will be posted.
	YourTurn struct {
		MatchID common.Hash
		Turn    protocol.Turn
		State   []byte
		OnChain bool
	}
	// ChanceTurn says: the chain itself moves. Whoever knows how may MakeMove.
	ChanceTurn struct {
		MatchID common.Hash
		Turn    protocol.Turn
		State   []byte
	}
	// NoteHeard says: a seat of the match sent a new or changed note about the newest position. See
	// MatchView.Notes.
	NoteHeard struct {
		MatchID common.Hash
		Turn    protocol.Turn
		From    uint8
	}
	// Moved says: a seat of the match or games.Chance moved.
	Moved struct {
		MatchID common.Hash
		Turn    protocol.Turn // after the move
		Seat    uint8
		Before  []byte // the state moved from; nil if unknown
		Move    []byte
		State   []byte // after the move
	}
	// MatchExpired says: a clock ran out on-chain; the match continues from this position in a new
	// epoch.
	MatchExpired struct {
		MatchID common.Hash
		Turn    protocol.Turn
		State   []byte
	}
	// MatchEnded says: the newest position is over.
	MatchEnded struct {
		MatchID common.Hash
		Turn    protocol.Turn
		Outcome games.Outcome
	}
	// MatchReleased says: the match is no longer locked in the newest fully signed ledger, or its
	// lock was paid on-chain. Payouts is nil where it isn't known how it was booked.
	MatchReleased struct {
		MatchID common.Hash
		Terms   protocol.MatchTerms
		Payouts []uint256.Int
	}
	// AgreementOffered says: a seat offers to end a match with these payouts. Answer with
	// AcceptAgreement, or play on.
	AgreementOffered struct {
		protocol.Agreement
		Seat uint8
	}
	// AgreementReached says: all seats of the match signed it.
	AgreementReached struct{ Agreement protocol.SignedAgreement }
	// CloseSigned says: the closing ledger is signed by all. Any seat may submit it.
	CloseSigned struct{ Ledger protocol.SignedLedger }
	// SeatEquivocated says: a seat signed two positions at one turn. The proof is kept: see
	// Machine.Proofs.
	SeatEquivocated struct{ Proof protocol.Equivocation }
	// ChannelContested says: the channel is being closed on-chain one-sidedly, or, after a
	// reorganisation, no longer is.
	ChannelContested struct{ Now bool }
	// OldCopyFound says: somebody shows a signature of ours that is not in the records: of a ledger
	// (Version), or of a position or an agreement (MatchID, Turn). The records are an old copy, or
	// another program signs with the same key. The machine signs nothing from then on.
	OldCopyFound struct {
		Version uint64
		MatchID common.Hash
		Turn    protocol.Turn
	}
	// ChannelEnded says: everything is paid out and final.
	ChannelEnded struct{}
)

func (ChannelReady) isEvent()     {}
func (ProposalAsked) isEvent()    {}
func (ProposalGone) isEvent()     {}
func (ProposalRefused) isEvent()  {}
func (LedgerSigned) isEvent()     {}
func (MatchLocked) isEvent()      {}
func (MatchStarted) isEvent()     {}
func (YourTurn) isEvent()         {}
func (ChanceTurn) isEvent()       {}
func (NoteHeard) isEvent()        {}
func (Moved) isEvent()            {}
func (MatchExpired) isEvent()     {}
func (MatchEnded) isEvent()       {}
func (MatchReleased) isEvent()    {}
func (AgreementOffered) isEvent() {}
func (AgreementReached) isEvent() {}
func (CloseSigned) isEvent()      {}
func (SeatEquivocated) isEvent()  {}
func (ChannelContested) isEvent() {}
func (OldCopyFound) isEvent()     {}
func (ChannelEnded) isEvent()     {}
