package disputes

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// Posted returns every support that was posted for a match, oldest first.
func (v *View) Posted(matchID common.Hash) []*protocol.Support {
	var list []*protocol.Support
	for _, p := range v.now.matches[matchID].posted {
		list = append(list, p.support)
	}
	return list
}

// Answers are counted anew when somebody else starts a clock; what somebody else does without one
// makes room for one answer more.
func TestAnswersAreCounted(t *testing.T) {
	id := common.Hash{1}
	said := func(clock uint64, mover uint8) onchain.Recorded {
		return onchain.Recorded{MatchID: id, Support: &protocol.Support{}, Record: protocol.Record{Status: protocol.MatchLive, Clock: clock, Mover: mover}}
	}
	var v View
	for block, c := range []struct {
		ours bool
		said onchain.Recorded
		want answers
	}{
		{true, said(0, 0), answers{1, 1}},
		{true, said(0, 0), answers{2, 2}},
		{false, said(0, 1), answers{2, 0}},
		{true, said(0, 0), answers{3, 1}},
		{false, said(5, 1), answers{}},
		{true, said(0, 0), answers{1, 1}},
		{true, said(6, 1), answers{2, 2}},
		{false, said(7, 1), answers{2, 0}}, // the same clock goes on
		{true, said(0, 1), answers{3, 1}},
		{false, said(8, 1), answers{}},
		{true, said(9, 1), answers{1, 1}},
		{false, said(10, 0), answers{}}, // that of another seat
	} {
		v.happened(uint64(block), c.said, c.ours)
		if got := v.now.matches[id].answers; got != c.want {
			t.Errorf("after event %d: %+v, want %+v", block, got, c.want)
		}
	}
}

// When somebody else starts a contest, each match may have to be ended: answers are counted anew.
// To replace what is contested starts nothing.
func TestAnswersAreCountedAnewInAContest(t *testing.T) {
	id := common.Hash{1}
	answer := onchain.Recorded{MatchID: id, Support: &protocol.Support{}, Record: protocol.Record{Status: protocol.MatchLive}}
	var v View
	for block, c := range []struct {
		ours bool
		said onchain.Event
		want answers
	}{
		{true, answer, answers{1, 1}},
		{false, onchain.Contested{}, answers{}},
		{true, answer, answers{1, 1}},
		{false, onchain.Contested{}, answers{1, 1}},
		{false, onchain.Settled{}, answers{1, 1}},
	} {
		v.happened(uint64(block), c.said, c.ours)
		if got := v.now.matches[id].answers; got != c.want {
			t.Errorf("after event %d: %+v, want %+v", block, got, c.want)
		}
	}
}

func TestEarliest(t *testing.T) {
	for _, c := range [][3]uint64{{0, 5, 5}, {5, 0, 5}, {1, 2, 1}, {2, 1, 1}, {0, 0, 0}} {
		if got := Earliest(c[0], c[1]); got != c[2] {
			t.Errorf("of %d and %d: %d", c[0], c[1], got)
		}
	}
}

func TestNothingIsLeftToUndo(t *testing.T) {
	var v View
	v.Happened(3, onchain.Opened{})
	v.Unhappened(0)
	if v.Unhappened(0); v.Status() != Unopened || len(v.past) != 0 {
		t.Errorf("status %d, %d blocks before", v.Status(), len(v.past))
	}
}

// Who pays for others answers at once the first time, then as late as is safe or where there is no
// deadline, and not a third time.
func TestFrugalAnswers(t *testing.T) {
	for _, c := range []struct {
		before   answers
		deadline uint64
		want     bool
	}{
		{answers{0, 0}, 200, true},
		{answers{1, 1}, 0, true},
		{answers{1, 1}, 200, false},
		{answers{1, 1}, 111, false},
		{answers{1, 1}, 110, true},
		{answers{1, 1}, 105, true},
		{answers{2, 2}, 105, false},
		{answers{2, 0}, 105, true},
	} {
		p := &planner{Case: &Case{Now: 100, Policy: Policy{Margin: 10, Frugal: true}}}
		if got := p.answers(Step{before: c.before, Deadline: c.deadline}); got != c.want {
			t.Errorf("after %+v, until %d: %t", c.before, c.deadline, got)
		}
		if told := len(p.plan.Alarms) == 1; told != (c.before.acted == 2) {
			t.Errorf("after %+v: alarms %v", c.before, p.plan.Alarms)
		}
	}
}
