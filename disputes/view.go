package disputes

import (
	"maps"
	"slices"
	"sync/atomic"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// Status is a channel's status in the Arena.
type Status uint8

// The statuses of a channel on-chain, in the order in which they can follow each other.
const (
	Unopened  Status = iota // never seen on the chain
	Open                    // deposits are locked
	Contested               // a ledger was posted one-sidedly; its window runs or has ended
	// the contested ledger's free balances were paid out; locks may still be open
	Settled
	Closed // a closing ledger was paid out: nothing is left
)

// View is what the chain says of one channel: its events, folded. The zero View knows nothing. A
// reorganisation may undo events, so the view keeps its earlier versions, one for each block with
// events of the channel. Each of those blocks cost somebody gas. Not safe for concurrent use.
type View struct {
	now  facts
	past []facts // past[i] is what was known before the block now.block or past[i+1].block
}

// facts is one version of the view. Its maps are never changed once it lies in the past.
type facts struct {
	block    uint64 // block of the newest event
	status   Status
	ledger   *protocol.SignedLedger // contested or settled
	deadline uint64                 // of the contest
	answers  int                    // of ours to the contest
	matches  map[common.Hash]seen
}

// seen is what the chain says of one match.
type seen struct {
	record protocol.Record
	posted []*posting // by order of posting; the last leads to the record unless state is set
	state  []byte     // the recorded rule state where no support leads to it: after an expiry
	paid   bool
	// the seats that were convicted, as a bit mask; the Arena keeps them beside the record
	flags uint16

	answers answers
}

// answers is how often ours answered about a match.
type answers struct {
	// since somebody else last started a clock or the contest, which nobody can who has no key of a
	// seat
	called int
	acted  int // since somebody else last did anything about it, or started the contest
}

// posting is a support that was posted, the record it was judged on (nil: nothing was recorded),
// and the clock time. Where it leads never changes, so it is replayed once. Clones of a view share
// it.
type posting struct {
	support  *protocol.Support
	on       *protocol.Record
	at       uint64
	replayed atomic.Pointer[line] // nil until it was
}

// line returns where the posting leads, or why the Arena would not have taken it.
func (p *posting) line(m *Memory, j *protocol.Judge, window uint64) (*line, error) {
	if l := p.replayed.Load(); l != nil {
		return l, nil
	}
	l := m.follow(j, p.support, p.on, p.at, window)
	if l.err != nil {
		return nil, l.err
	}
	p.replayed.Store(l.lines[0])
	return l.lines[0], nil
}

// Clone returns a copy of the view that changes independently.
func (v *View) Clone() View {
	c := View{now: v.now, past: slices.Clone(v.past)}
	c.now.matches = maps.Clone(v.now.matches)
	return c
}

// Happened folds in one event of this channel that somebody else caused. Blocks never descend.
func (v *View) Happened(block uint64, ev onchain.Event) { v.happened(block, ev, false) }

// Answered folds in one event of this channel that a transaction of ours caused. Only Policy.Frugal
// distinguishes it. Blocks never descend.
func (v *View) Answered(block uint64, ev onchain.Event) { v.happened(block, ev, true) }

func (v *View) happened(block uint64, ev onchain.Event, ours bool) {
	if block != v.now.block {
		v.past = append(v.past, v.now)
		v.now.block = block
		v.now.matches = maps.Clone(v.now.matches)
	}
	v.now.count(ev, ours)
	v.now.fold(ev)
}

// count notes who brought an event about, before it is folded in.
func (f *facts) count(ev onchain.Event, ours bool) {
	switch ev := ev.(type) {
	case onchain.Contested:
		if ours {
			f.answers++
		}
		if f.status >= Contested {
			return
		}
		for id, m := range f.matches { // each may have to be ended now
			m.answers = answers{}
			f.put(id, m)
		}
	case onchain.Recorded:
		m := f.matches[ev.MatchID]
		switch restarted := m.record.Clock != 0 && m.record.Mover == ev.Record.Mover; {
		case !ours && ev.Record.Clock != 0 && !restarted:
			m.answers = answers{}
		case !ours:
			m.answers.acted = 0
		case ev.Support != nil, ev.Record.Status == protocol.MatchAgreed:
			m.answers.called++
			m.answers.acted++
		}
		f.put(ev.MatchID, m)
	}
}

// Unhappened forgets every event of block from and later: they are no longer on the chain.
func (v *View) Unhappened(from uint64) {
	for v.now.block >= from && len(v.past) > 0 {
		v.now = v.past[len(v.past)-1]
		v.past = v.past[:len(v.past)-1]
	}
}

func (f *facts) fold(ev onchain.Event) {
	switch ev := ev.(type) {
	case onchain.Opened:
		f.status = Open
	case onchain.Closed:
		f.status = Closed
	case onchain.Contested:
		f.status, f.ledger, f.deadline = Contested, &ev.Ledger, ev.Deadline
	case onchain.Settled:
		f.status = Settled
	case onchain.LockPaid:
		m := f.matches[ev.MatchID]
		m.paid = true
		f.put(ev.MatchID, m)
	case onchain.Recorded:
		m := f.matches[ev.MatchID]
		if ev.Support != nil {
			p := &posting{support: ev.Support, at: ev.Record.Since}
			if m.record.Status != protocol.MatchUnknown {
				r := m.record
				p.on = &r
			}
			m.posted, m.state = append(m.posted[:len(m.posted):len(m.posted)], p), nil
		}
		if ev.State != nil {
			m.state = ev.State
		}
		m.flags |= ev.Record.Flagged
		// a conviction in a match of three or more leaves the record alone
		if ev.Record.Status != protocol.MatchUnknown {
			m.record = ev.Record
		}
		m.record.Flagged = m.flags
		f.put(ev.MatchID, m)
	}
}

func (f *facts) put(id common.Hash, m seen) {
	if f.matches == nil {
		f.matches = make(map[common.Hash]seen)
	}
	f.matches[id] = m
}

// Status returns the channel's status in the Arena.
func (v *View) Status() Status { return v.now.status }

// Ledger returns the contested or settled ledger, and from when in the Arena's clock it can be
// settled; nil when nobody contested.
func (v *View) Ledger() (*protocol.SignedLedger, uint64) { return v.now.ledger, v.now.deadline }

// Record returns what the Arena knows of a match; the zero Record when nothing was posted.
func (v *View) Record(matchID common.Hash) protocol.Record { return v.now.matches[matchID].record }

// Recorded is Record, but nil when nothing was posted.
func (v *View) Recorded(matchID common.Hash) *protocol.Record {
	r := v.Record(matchID)
	if r.Status == protocol.MatchUnknown {
		return nil
	}
	return &r
}

// Paid reports whether a match's lock was paid out.
func (v *View) Paid(matchID common.Hash) bool { return v.now.matches[matchID].paid }
