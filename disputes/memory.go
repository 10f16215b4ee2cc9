package disputes

import (
	"bytes"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// Memory spares the plans for the seats of one channel what was worked out before: where the
// evidence leads is replayed when it comes, and when the record of its match changes, once for all
// seats and looks. So a look at a channel costs no more than what came since the look before; the
// first look at one after a start costs what is held. What was not asked for since the last look
// with a plan, and the one before, is forgotten: a Memory holds no more than the evidence does. The
// zero Memory knows nothing. Not safe for concurrent use.
type Memory struct {
	proven      protocol.Proven
	leads, past map[common.Hash][]*lead // by match
	doubles     map[ofMatch]*double
	former      map[ofMatch]*double
	over        bool // the look has ended
}

// ofMatch is a match as a seat of the channel sees it.
type ofMatch struct {
	match common.Hash
	seat  int
}

// double is the seats that signed two positions at one turn in some lines.
type double struct {
	lines []*line
	found []protocol.Equivocation
}

// Look begins a new look at the channel.
func (m *Memory) Look() { m.over = true }

// asked drops, at the first question of a look, what the last two didn't ask for.
func (m *Memory) asked() {
	if m.over || m.leads == nil {
		m.over = false
		m.leads, m.past = map[common.Hash][]*lead{}, m.leads
		m.doubles, m.former = map[ofMatch]*double{}, m.doubles
		m.proven.Look()
	}
}

// judge returns a judge that looks signatures up first.
func (m *Memory) judge(j *protocol.Judge) *protocol.Judge {
	m.asked()
	return j.Remembering(&m.proven)
}

// follow calls the function follow, once for a support and a record, unless a move failed: what it
// lacks may be a fact of the chain.
func (m *Memory) follow(j *protocol.Judge, s *protocol.Support, record *protocol.Record, now, window uint64) *lead {
	m.asked()
	var rank protocol.Rank
	if record != nil {
		rank = record.RankAt(now, window)
	}
	on := func(l *lead) bool {
		return l.rank == rank && (l.record == record || l.record != nil && record != nil && l.record.Same(record))
	}
	id := j.MatchID()
	for _, alike := range []func(a, b *protocol.Support) bool{same, equal} {
		for i, list := range [][]*lead{m.leads[id], m.past[id]} {
			at := slices.IndexFunc(list, func(l *lead) bool { return on(l) && alike(l.support, s) })
			if at < 0 {
				continue
			}
			l := list[at]
			if l.support = s; i > 0 {
				m.leads[id] = append(m.leads[id], l)
			}
			return l
		}
	}
	l := follow(j, s, record, now)
	l.support, l.record, l.rank = s, record, rank
	if l.played {
		m.leads[id] = append(m.leads[id], l)
	}
	return l
}

func same(a, b *protocol.Support) bool { return a == b }

func equal(a, b *protocol.Support) bool {
	return a.Turn == b.Turn && bytes.Equal(a.Base, b.Base) && slices.EqualFunc(a.Moves, b.Moves, bytes.Equal) && slices.Equal(a.Signatures, b.Signatures)
}

// equivocations calls find once for the same lines.
func (m *Memory) equivocations(of ofMatch, lines []*line, find func() []protocol.Equivocation) []protocol.Equivocation {
	m.asked()
	for _, known := range []*double{m.doubles[of], m.former[of]} {
		if known != nil && slices.Equal(known.lines, lines) {
			m.doubles[of] = known
			return known.found
		}
	}
	m.doubles[of] = &double{lines, find()}
	return m.doubles[of].found
}
