package protocol

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// MatchStatus is a match's status in the Arena.
type MatchStatus uint8

// The statuses of a match on-chain. They only increase, except that a higher rank turns Over and
// Agreed back into Live.
const (
	MatchUnknown MatchStatus = iota // nothing was ever posted
	// a Demand recorded turn 0 without all signatures; a window later the match is void
	MatchUnsigned
	MatchLive // a position is recorded
	// an Agreement is posted; final at Deadline unless a higher turn is supported
	MatchAgreed
	// a position that is over is recorded; final at Deadline unless outranked or convicted
	MatchOver
	MatchFinal // Payouts stand
	MatchPaid  // the lock was paid out
)

// Record is what the Arena knows of a match. The contract keeps only a fingerprint, so callers
// supply the record again; events carry it whole.
type Record struct {
	Status  MatchStatus
	Turn    Mark
	State   common.Hash // of the recorded rule state
	Mover   uint8       // seat of the match, games.Nobody or games.Chance
	Marks   []Mark      // highest turn each seat has signed in the recorded support
	Spent   []uint64    // clock time charged to each seat, in the Arena's unit
	Flagged uint16      // bit mask of the convicted seats
	Since   uint64      // clock time at which this rank was recorded
	Clock   uint64      // clock time at which the running clock started; 0: no clock runs
	// end of the running clock, or of the window of MatchAgreed and MatchOver; 0: none
	Deadline uint64
	Block    uint64 // block since which this state is recorded
	AgreedAt Mark   // turn of the posted Agreement
	Payouts  []uint256.Int
}

// Rank returns the recorded rank, as far as signatures go. In matches of three or more seats a
// record that stood for a window counts as signed by all: see RankAt.
func (r *Record) Rank() Rank { return Rank{Agreed: lowest(r.Marks), Turn: r.Turn} }

// RankAt returns the recorded rank at a clock time, for a channel with the given window.
func (r *Record) RankAt(now, window uint64) Rank {
	rank := r.Rank()
	if len(r.Marks) > 2 && (r.Status == MatchLive || r.Status == MatchAgreed) && now >= r.Since+window {
		rank.Agreed = r.Turn
	}
	return rank
}

func lowest(marks []Mark) Mark {
	if len(marks) == 0 {
		return 0
	}
	low := marks[0]
	for _, m := range marks[1:] {
		low = min(low, m)
	}
	return low
}

// On returns the record after an event, given the one before: a conviction in a match of three
// seats or more carries no record and changes only the flags, and a convicted seat stays convicted.
func (r *Record) On(before *Record) Record {
	if before == nil {
		return *r
	}
	out := *r
	if r.Status == MatchUnknown {
		out = *before
	}
	out.Flagged = r.Flagged | before.Flagged
	return out
}

// Same reports whether two records are equal. A nil record equals none.
func (r *Record) Same(o *Record) bool {
	return r != nil && r.Status == o.Status && r.Turn == o.Turn && r.State == o.State && r.Mover == o.Mover &&
		slices.Equal(r.Marks, o.Marks) && slices.Equal(r.Spent, o.Spent) && r.Flagged == o.Flagged && r.Since == o.Since &&
		r.Clock == o.Clock && r.Deadline == o.Deadline && r.Block == o.Block && r.AgreedAt == o.AgreedAt &&
		slices.Equal(r.Payouts, o.Payouts)
}
