package onchain

import (
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Event is something that the Arena said in a log. Events carry all that an answer needs: no client
// reads calldata.
//
// A new one begins in IArena.sol and make contracts. Then come its type here and its case in Of,
// without which package driver passes over it in silence; chain/codec/logs.go reads it,
// channel/onchain.go, disputes/view.go and tower/file.go take it in, node/describe.go tells the
// user of it, and internal/audit counts what money it moves.
type Event interface{ isEvent() }

type (
	// Banked says that a bank balance changed by a deposit (In) or withdrawal.
	Banked struct {
		Account common.Address
		Asset   common.Address
		Amount  uint256.Int
		In      bool
	}
	// Opened says that a channel's deposits are locked.
	Opened struct {
		ChannelID common.Hash
		Terms     protocol.Terms
	}
	// Closed says that a closing ledger was paid out.
	Closed struct {
		ChannelID common.Hash
		Version   uint64
	}
	// Contested says that a ledger was posted one-sidedly; it can be settled from Deadline on.
	Contested struct {
		ChannelID common.Hash
		Ledger    protocol.SignedLedger
		Deadline  uint64
	}
	// Settled says that the free balances of the contested ledger were paid out.
	Settled struct {
		ChannelID common.Hash
		Version   uint64
	}
	// LockPaid says that a match's lock was paid out.
	LockPaid struct {
		ChannelID common.Hash
		MatchID   common.Hash
		Payouts   []uint256.Int
	}
	// Recorded says that a match's record changed: an advance, a demand, an agreement, an expiry, a
	// conviction. Support is set for an advance. State is the new rule state where Support does not
	// lead to it: after an expiry.
	Recorded struct {
		ChannelID common.Hash
		MatchID   common.Hash
		Record    protocol.Record
		Support   *protocol.Support
		Agreement *protocol.SignedAgreement
		State     []byte
		// seats of the match that were convicted, by their rules' verdict or of equivocation
		Guilty uint16
		Reason [32]byte // ASCII, padded with zeros
	}
)

// Equivocated is the Reason of a conviction of signing two positions at one turn.
var Equivocated = [32]byte([]byte("equivocation\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))

func (Banked) isEvent()    {}
func (Opened) isEvent()    {}
func (Closed) isEvent()    {}
func (Contested) isEvent() {}
func (Settled) isEvent()   {}
func (LockPaid) isEvent()  {}
func (Recorded) isEvent()  {}

// Of returns the channel that an event is about; false for one about the bank.
func Of(e Event) (common.Hash, bool) {
	switch e := e.(type) {
	case Opened:
		return e.ChannelID, true
	case Closed:
		return e.ChannelID, true
	case Contested:
		return e.ChannelID, true
	case Settled:
		return e.ChannelID, true
	case LockPaid:
		return e.ChannelID, true
	case Recorded:
		return e.ChannelID, true
	}
	return common.Hash{}, false
}
