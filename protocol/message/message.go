package message

import (
	"unicode/utf8"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// Message is what seats say to each other. Messages are idempotent: duplicates and reorderings
// change nothing. Packages above carry them as antev1.Envelope: see Envelope and FromEnvelope.
type Message interface{ isMessage() }

type (
	// OpenOffer proposes a channel. Signers of other seats may be zero, to be filled in by the
	// reply.
	OpenOffer struct {
		Terms protocol.Terms
		Memo  string // shown to the other player
		// the channel of the same players whose place it takes, which closes in the transaction
		// that opens it; zero: of none
		Replaces common.Hash
	}
	// OpenReply accepts an offer with complete terms and signatures, or declines it.
	OpenReply struct {
		Terms      protocol.Terms
		Signatures [][]byte // by the players, in order; empty where not yet given
		Decline    string   // why not; set: declined, and Terms is the zero value
		OfferID    common.Hash
		// with Decline: seconds after which it may be offered again; 0: declined for good
		Again uint32
	}
	// Propose carries the next ledger. The first of its signatures is the proposer's: seat Version
	// mod seats.
	Propose struct {
		Ledger     protocol.Ledger
		Signatures []protocol.Signature // by seat; zero where not held
		Base       uint64               // version of the fully signed ledger that this one follows
		Matches    []protocol.MatchTerms
		Bookings   []protocol.Booking
	}
	// Approve is a seat's signature of a proposed ledger; it goes to every seat.
	Approve struct {
		Version   uint64
		Digest    common.Hash
		Signature protocol.Signature
		Starts    []Countersign // of turn 0 of the matches that it locks anew
	}
	// Reject says that a seat doesn't sign a proposed ledger; it goes to every seat.
	Reject struct {
		Version uint64
		Digest  common.Hash
		Code    RejectCode
		Reason  string // for people
		Signed  uint64 // highest version that the sender has signed or refused
	}
	// Move carries one move and the sender's signature of the position after it.
	Move struct {
		MatchID   common.Hash
		Turn      protocol.Turn // after the move
		Move      []byte
		State     common.Hash // of the state after the move: what is signed
		Signature protocol.Signature
		First     *Countersign // of turn 0, where this is the sender's first word in the match
	}
	// Countersign is a seat's signature of a position that it didn't move to.
	Countersign struct {
		MatchID   common.Hash
		Turn      protocol.Turn
		Seat      uint8       // of the match
		State     common.Hash // of the position's state: what is signed
		Signature protocol.Signature
	}
	// Note is what a seat of a match says to another about the position of a turn, outside of
	// moves. Losing it does no harm.
	Note struct {
		MatchID common.Hash
		Turn    protocol.Turn
		Text    []byte // at most games.MaxNote
	}
	// AgreementSignature offers an Agreement, or signs the one offered.
	AgreementSignature struct {
		protocol.Agreement
		Seat      uint8 // of the match
		Signature protocol.Signature
	}
	// Sync says how far the sender is.
	Sync struct {
		Version      uint64 // newest fully signed ledger
		Signed       uint64 // highest version signed
		SignedDigest common.Hash
		SignedBy     uint16 // bit mask of the seats whose signatures of it are held
		Matches      []MatchMark
		Reply        bool // answers a Sync
	}
	// MatchMark says how far the sender is in one match.
	MatchMark struct {
		MatchID  common.Hash
		Turn     protocol.Turn
		State    common.Hash
		SignedBy uint16 // bit mask of the seats whose signatures of that position are held
		AgreedBy uint16 // bit mask of the seats whose signatures of an Agreement are held
		// of the newest position that every seat is known to have signed, or signed past
		Passed protocol.Mark
	}
	// ResultSignature is a seat's signature of the Result of a match that is paid out. It is the
	// node's affair: machines know nothing of it.
	ResultSignature struct {
		MatchID   common.Hash
		Signature protocol.Signature
		Reply     bool // answers one, and wants no answer
	}
	// SyncReply brings the other side up to date in the ledger, a pending proposal or one match.
	SyncReply struct {
		Ledger     *protocol.SignedLedger
		Matches    []protocol.MatchTerms // of its locks
		Pending    *Propose
		MatchID    common.Hash // of Support and Agreements
		Support    *protocol.Support
		Agreements []AgreementSignature
	}
)

// RejectCode says what a rejection means for the proposer.
type RejectCode uint8

// The codes of a Reject. A match is dropped after any but Superseded; all else is proposed again
// later.
const (
	Superseded  RejectCode = iota + 1 // a higher version is signed
	Refused                           // the user doesn't want it
	WrongLedger                       // doesn't follow from the newest fully signed ledger
	// unknown rules, or an end of a match that the seat hasn't seen
	UnknownMatch
	TooCheap     // stakes below what enforcing them costs
	LedgerFrozen // contested on-chain, or a closing ledger is signed
)

func (OpenOffer) isMessage()          {}
func (OpenReply) isMessage()          {}
func (Propose) isMessage()            {}
func (Approve) isMessage()            {}
func (Reject) isMessage()             {}
func (Move) isMessage()               {}
func (Countersign) isMessage()        {}
func (Note) isMessage()               {}
func (AgreementSignature) isMessage() {}
func (Sync) isMessage()               {}
func (SyncReply) isMessage()          {}
func (ResultSignature) isMessage()    {}

// Clip shortens a text for people to what a message may carry.
func Clip(text string) string {
	for len(text) > protocol.MaxText || !utf8.ValidString(text) {
		text = text[:min(len(text)-1, protocol.MaxText)]
	}
	return text
}
