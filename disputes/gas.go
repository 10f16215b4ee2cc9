package disputes

import (
	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/protocol/onchain"
)

const (
	gasTransaction = 21_000 // the part of each call's gas that a batch pays once
	gasMove        = 20_000 // roughly what each move costs that a support replays beyond the first
	gasLock        = 20_000 // roughly what each lock costs that a settle pays beyond the first

	// maxBatch bounds what goes into one transaction, in gas, so that a batch fits into any block.
	maxBatch = 3_000_000
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
	return gas + beyondFirst(len(a.Support.Moves))*gasMove
}

func beyondFirst(n int) uint64 { return uint64(max(n, 1) - 1) }
