package onchain

import (
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Action is something to do on-chain: one call of the Arena, or several in one transaction (Batch).
// Actions are plain data; package chain turns them into transactions.
type Action interface{ isAction() }

type (
	// Deposit credits the bank balance of Account with the sender's money.
	Deposit struct {
		Account common.Address
		Asset   common.Address
		Amount  uint256.Int
	}
	// Withdraw pays the sender's free bank balance out to To.
	Withdraw struct {
		Asset  common.Address
		Amount uint256.Int
		To     common.Address
	}
	// Open locks the deposits of all seats. Signatures are by the players, in order: 65 bytes, or
	// whatever an ERC-1271 wallet takes; an empty one stands for the sender's own. Value is sent
	// along to top up the sender's balance.
	Open struct {
		Terms      protocol.Terms
		Signatures [][]byte
		Value      uint256.Int
	}
	// Close pays out a closing ledger that every seat signed, to the bank or pushed to the players'
	// wallets.
	Close struct {
		Terms  protocol.Terms
		Ledger protocol.SignedLedger
		Push   bool
	}
	// ContestLedger starts a one-sided close, or replaces its ledger with a higher version.
	// Signature is the Contest of that version by the signer or player of Seat; replacing needs
	// none.
	ContestLedger struct {
		Terms     protocol.Terms
		Ledger    protocol.SignedLedger
		Seat      uint8
		Signature []byte
	}
	// Settle pays out, after the contest's window, the free balances and every lock whose match is
	// listed and final.
	Settle struct {
		Terms   protocol.Terms
		Ledger  protocol.Ledger
		Matches []FinalMatch
	}
	// FinalMatch is a match to pay out by Settle.
	FinalMatch struct {
		Terms  protocol.MatchTerms
		Record protocol.Record
	}
	// Advance records a supported position. Ledger proves that the match is locked (needed when
	// Record is nil, that is when nothing is recorded yet). Demand, if any, is another seat's
	// Demand for the supported turn.
	Advance struct {
		Terms   protocol.Terms
		Ledger  *protocol.SignedLedger
		Match   protocol.MatchTerms
		Record  *protocol.Record
		Support protocol.Support
		Demand  *protocol.Signature
	}
	// DemandMove starts the mover's clock on the recorded position.
	DemandMove struct {
		Terms     protocol.Terms
		Match     protocol.MatchTerms
		Record    protocol.Record
		Signature protocol.Signature
	}
	// Agree ends a match by consent, one window later. Record is nil when nothing is recorded.
	Agree struct {
		Terms     protocol.Terms
		Match     protocol.MatchTerms
		Record    *protocol.Record
		Agreement protocol.SignedAgreement
	}
	// Expire ends a clock that ran out. State is the recorded rule state.
	Expire struct {
		Terms  protocol.Terms
		Match  protocol.MatchTerms
		Record protocol.Record
		State  []byte
	}
	// Convict punishes a seat that signed two positions at one turn. Record is nil when nothing is
	// recorded.
	Convict struct {
		Terms  protocol.Terms
		Match  protocol.MatchTerms
		Record *protocol.Record
		Proof  protocol.Equivocation
	}
	// Batch does several actions in one transaction, in order, all or nothing. None of them may
	// send value.
	Batch []Action
)

func (Deposit) isAction()       {}
func (Withdraw) isAction()      {}
func (Open) isAction()          {}
func (Close) isAction()         {}
func (ContestLedger) isAction() {}
func (Settle) isAction()        {}
func (Advance) isAction()       {}
func (DemandMove) isAction()    {}
func (Agree) isAction()         {}
func (Expire) isAction()        {}
func (Convict) isAction()       {}
func (Batch) isAction()         {}
