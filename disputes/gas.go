package disputes

import (
	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

const (
	gasTransaction = 21_000  // the part of each call's gas that a batch pays once
	gasMove        = 20_000  // roughly what each move costs that a support replays beyond the first
	gasSignature   = 5_000   // roughly what each seat's signature costs beyond the second
	gasByte        = 40      // what a byte of calldata costs at most
	usualSize      = 1024    // bytes of evidence, or of a match that is paid, whose gas is in that of the call
	gasPushed      = 200_000 // what a close that pays wallets may take for each, in a token: else it pays the bank
	gasLock        = 20_000  // roughly what each lock costs that a settle pays beyond the first

	// What a step may take beyond twice what it is expected to cost: see Order.usual.
	gasSeat  = 32_000    // for each seat: its signature, and a bank balance that was never used
	gasCalls = 300_000   // for rules that come with the program
	gasThere = 1_100_000 // what must be there when rules are called, whatever they use

	// maxBatch bounds what goes into one transaction, in gas, so that a batch fits into any block,
	// and at gasByte into the 128 KiB of a transaction that nodes of the chain pass on.
	maxBatch = 3_000_000
	// maxSettled bounds the bytes of the matches that one settle pays, for the same reason: with a
	// ledger of protocol.MaxLocks locks between games.MaxSeats seats it stays below 128 KiB.
	maxSettled = 80 << 10
)

// What each call costs alone in its transaction, for people and for weighing a step against what is
// at stake; the sender takes gas limits from estimates of the real call.
var (
	gasContest    = contracts.Gas["contest"]
	gasSettle     = contracts.Gas["settle"]
	gasClose      = contracts.Gas["close_2_push"]
	gasStart      = contracts.Gas["advance_start"] // with ledger evidence and Demand
	gasRefute     = contracts.Gas["advance_refute"]
	gasDemand     = contracts.Gas["demand"]
	gasAgree      = contracts.Gas["agree"]
	gasExpire     = contracts.Gas["expire"]
	gasConvict    = contracts.Gas["convict"]
	gasConvictNew = contracts.Gas["convict_unrecorded"]
	// advance, contest, expire and settle, in two transactions
	gasDispute = contracts.Gas["dispute_full"]
)

func gasOfAdvance(a *onchain.Advance) uint64 {
	gas := gasRefute
	if a.Record == nil {
		gas = gasStart
	}
	gas += beyondFirst(len(a.Support.Moves)) * gasMove
	gas += beyondFirst(len(a.Support.Signatures)-1) * gasSignature
	if a.Record == nil {
		gas += beyondFirst(len(a.Ledger.Signatures)-1) * gasSignature
	}
	if size := sizeOfEvidence(a); size > usualSize {
		gas += (size - usualSize) * gasByte
	}
	return gas
}

// usual returns the gas that an order takes at most in a channel of so many seats, under rules that
// come with the program. What a step is expected to cost is for weighing: with many seats or locks
// it takes far more, and where rules are called far more must be there than is used.
func (o *Order) usual(seats int) uint64 {
	var gas, there uint64
	for i := range o.Steps {
		s := &o.Steps[i]
		gas += 2*s.Gas + uint64(seats)*gasSeat //nolint:gosec // not negative
		switch a := s.Action.(type) {
		case onchain.Close:
			if a.Push {
				gas += uint64(seats) * gasPushed //nolint:gosec // not negative
			}
		case onchain.ContestLedger:
			gas += sizeOfLedger(&a.Ledger.Ledger) * gasByte
		case onchain.Settle:
			gas += sizeOfLedger(&a.Ledger) * gasByte
		case onchain.Advance:
			gas, there = gas+gasCalls, gasThere
			if a.Record == nil {
				gas += sizeOfLedger(&a.Ledger.Ledger) * gasByte
			}
		case onchain.Expire:
			gas, there = gas+gasCalls+uint64(len(a.State))*gasByte, gasThere
		}
	}
	return gas + there
}

// sizeOfLedger returns the bytes of a ledger that grow with its locks.
func sizeOfLedger(l *protocol.Ledger) uint64 {
	size := 0
	for i := range l.Locks {
		size += common.HashLength * (1 + len(l.Locks[i].Stakes))
	}
	return uint64(size) //nolint:gosec // not negative
}

// sizeOfEvidence returns the bytes of an advance that grow with the match and the ledger.
func sizeOfEvidence(a *onchain.Advance) uint64 {
	size := len(a.Match.Params) + len(a.Support.Base) + len(a.Support.Signatures)*crypto.SignatureLength
	for _, move := range a.Support.Moves {
		size += len(move)
	}
	if a.Record == nil {
		return uint64(size) + sizeOfLedger(&a.Ledger.Ledger) //nolint:gosec // not negative
	}
	return uint64(size) //nolint:gosec // not negative
}

func gasOfSettle(a *onchain.Settle) uint64 {
	gas := gasSettle + beyondFirst(len(a.Matches))*gasLock
	for i := range a.Matches {
		if size := sizeOfFinal(&a.Matches[i]); size > usualSize {
			gas += uint64(size-usualSize) * gasByte //nolint:gosec // not negative
		}
	}
	return gas
}

// sizeOfFinal returns the most bytes that a match takes in a settle.
func sizeOfFinal(m *onchain.FinalMatch) int {
	const fixed, bySeat = 200, 3 * common.HashLength
	return fixed + len(m.Terms.Params) + bySeat*len(m.Terms.Stakes)
}

func beyondFirst(n int) uint64 { return uint64(max(n, 1) - 1) }
