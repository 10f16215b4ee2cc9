package disputes

import (
	"github.com/ante-games/ante/contracts"
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
	gasContest    = contracts.Gas()["contest"]
	gasSettle     = contracts.Gas()["settle"]
	gasClose      = contracts.Gas()["close_2_push"]
	gasStart      = contracts.Gas()["advance_start"] // with ledger evidence and Demand
	gasRefute     = contracts.Gas()["advance_refute"]
	gasDemand     = contracts.Gas()["demand"]
	gasAgree      = contracts.Gas()["agree"]
	gasExpire     = contracts.Gas()["expire"]
	gasConvict    = contracts.Gas()["convict"]
	gasConvictNew = contracts.Gas()["convict_unrecorded"]
	// advance, contest, expire and settle, in two transactions
	gasDispute = contracts.Gas()["dispute_full"]
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

// sizeOfEvidence returns the bytes of an advance that grow with the match and the ledger.
func sizeOfEvidence(a *onchain.Advance) uint64 {
	size := len(a.Match.Params) + len(a.Support.Base) + len(a.Support.Signatures)*crypto.SignatureLength
	for _, move := range a.Support.Moves {
		size += len(move)
	}
	if a.Record == nil {
		for i := range a.Ledger.Locks {
			size += common.HashLength * (1 + len(a.Ledger.Locks[i].Stakes))
		}
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
