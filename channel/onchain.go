package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// maxRecords caps the records of one match that are not final; the newest are kept.
const maxRecords = 64

func (t *txn) clockAt(now, block uint64) error {
	if block > t.state.block {
		t.change().block = block
	}
	if now <= t.state.now {
		return nil
	}
	t.change().now = now
	for _, m := range t.matches {
		t.side(m).mature()
		if err := t.side(m).cascade(); err != nil {
			return err
		}
	}
	t.all = true
	return nil
}

// mature takes over what the chain settled about a match's line: a final record of three or more
// seats that stood for a window counts as signed by all, and what all are held to have signed takes
// the place of a line of ours that is less agreed, even if we signed another position at that turn.
// With two seats a final record that our line doesn't outrank takes its place at once: the other
// seat may have posted more moves than we follow, or another move before ours was recorded.
func (m side) mature() {
	if !m.plays() || m.final == nil {
		return
	}
	rank, all := m.final.RankAt(m.stood(), m.cfg.Terms.Window), len(m.terms.Seats) > 2
	if all && rank.Agreed != m.final.Turn {
		return
	}
	l, n := m.at(m.final.Turn.Turn()), len(m.shown)
	switch {
	case l != nil && m.final.Holds(l.turn, l.hash):
		if l.all || !all {
			return
		}
		m.edit()
		m.links = slices.Clone(m.links)
		m.at(l.turn).all = true
	case n > 0 && m.final.Holds(m.shown[n-1].turn, m.shown[n-1].hash) && !m.rank().Outranks(rank, false):
		m.turnTo(slices.Clone(m.shown))
		m.links[n-1].all = all
		m.moved()
	}
}

// stood returns until when the position of the final record stood, as far as the chain shows: until
// another one took its place, which need not be final, or till now.
func (m side) stood() uint64 {
	until := m.state.now
	for i := range m.records {
		if r := &m.records[i]; m.final != nil && r.Since >= m.final.Since && (r.Turn != m.final.Turn || r.State != m.final.State) {
			until = min(until, r.Since)
		}
	}
	return until
}

// show keeps how the position of the next final record came about, and the proofs against those who
// signed that and our line.
func (m side) show(s *protocol.Support, next *protocol.Record) {
	if !m.plays() {
		return
	}
	r, err := m.judge.Replay(s, m.final, next.Since)
	if err != nil {
		return
	}
	links := m.line(s, &r)
	m.convict(links)
	m.shown = slices.Clone(links[max(0, len(links)-2):])
}

func (t *txn) chainSeen(e onchain.Event, final bool) error {
	switch e := e.(type) {
	case onchain.Opened:
		if e.ChannelID == t.id && !(final && t.state.chain.openings.final) {
			c := &t.change().chain
			c.openings = c.openings.see(0, final)
			if final {
				t.event(ChannelReady{})
				t.broadcast(t.syncMessage(false))
			}
		}
	case onchain.Closed:
		if e.ChannelID == t.id {
			c := &t.change().chain
			c.closings = c.closings.see(e.Version, final)
			if final {
				t.ledgers().release(nil)
			}
			t.end()
		}
	case onchain.Contested:
		if e.ChannelID == t.id {
			return t.contestSeen(&e, final)
		}
	case onchain.Settled:
		if e.ChannelID == t.id {
			c := &t.change().chain
			c.settlements = c.settlements.see(e.Version, final)
			if final {
				t.all = true
				t.unlock(e.Version)
			}
			t.end()
		}
	case onchain.LockPaid:
		if final && e.ChannelID == t.id {
			t.paid(e.MatchID, e.Payouts)
			t.end()
		}
	case onchain.Recorded:
		if e.ChannelID == t.id {
			return t.recordSeen(&e, final)
		}
	}
	return nil
}

func (t *txn) chainUndone(in *ChainUndone) error {
	was, final := t.state.contested(), in.Final
	c := &t.state.chain
	switch e := in.Event.(type) {
	case onchain.Opened:
		c.openings = c.openings.undo(0, false)
	case onchain.Closed:
		c.closings = c.closings.undo(e.Version, final)
		t.unreleased(final)
	case onchain.Settled:
		c.settlements = c.settlements.undo(e.Version, final)
		t.unreleased(final)
	case onchain.Contested:
		c.contests = c.contests.undo(e.Ledger.Version, final && in.Ledger == nil)
		if final {
			c.posted = nil
			if in.Ledger != nil {
				t.post(in.Ledger)
			}
		}
	case onchain.LockPaid:
		if final {
			t.unpaid(e.MatchID)
		}
	case onchain.Recorded:
		t.recordUndone(&e)
		return nil
	default:
		return nil
	}
	t.change().chain.ended = c.ended && t.paidOut()
	t.all = true
	if was && !t.state.contested() {
		t.event(ChannelContested{Now: false})
		t.ledgers().release(nil)
	}
	return nil
}

// contestSeen freezes the ledgers, and learns the posted one if we didn't have it.
func (t *txn) contestSeen(e *onchain.Contested, final bool) error {
	was := t.state.contested()
	c := &t.change().chain
	c.contests = c.contests.see(e.Ledger.Version, final)
	if final {
		t.post(&e.Ledger)
	}
	if !was {
		t.event(ChannelContested{Now: true})
		t.ledgers().withdraw()
	}
	t.ledgers().lapse()
	if e.Ledger.Version > t.state.full.Version && t.ledgers().checkLedger(&e.Ledger) == nil {
		return t.ledgers().adopt(e.Ledger, nil, nil, true)
	}
	return nil
}

// recordSeen takes in what the Arena recorded of a match: it freezes the match while a clock runs,
// and what it shows that we haven't seen is learnt.
func (t *txn) recordSeen(e *onchain.Recorded, final bool) error {
	m := t.find(e.MatchID)
	if m == nil {
		return nil
	}
	// one endpoint may tell it, and what is kept Restore must read
	r := &e.Record
	if got, seats := max(len(r.Marks), len(r.Spent), len(r.Payouts)), len(m.terms.Seats); got > seats {
		return fmt.Errorf("%w: a record of %d seats, in a match of %d", protocol.ErrTerms, got, seats)
	}
	before := m.recorded()
	if final {
		before = m.final
	}
	record := e.Record.On(before)
	if m.final.Same(&record) && final {
		return nil
	}
	if e.Support != nil {
		if err := t.side(m).learn(e.Support); err != nil {
			return err
		}
	}
	if e.Agreement != nil {
		t.side(m).learnAgreement(e.Agreement)
	}
	m.edit()
	i := slices.IndexFunc(m.records, func(r protocol.Record) bool { return r.Same(&record) })
	switch {
	case final:
		if e.Support != nil {
			t.side(m).show(e.Support, &record)
		}
		m.final = &record
		if i >= 0 {
			m.records = slices.Delete(slices.Clone(m.records), 0, i+1)
		}
		t.side(m).settleRecord(m.final, e.State)
	case i < 0:
		m.records = append(slices.Clone(m.records[max(0, len(m.records)+1-maxRecords):]), record)
	}
	t.all = true
	return t.side(m).goOn()
}

// recordTold takes from a known record what a match without rules could not follow.
func (t *txn) recordTold(in *ChainTold) error {
	m := t.find(in.Event.MatchID)
	if m == nil || !m.plays() || in.Event.Record.Turn.OrStart() <= m.last().turn {
		return nil
	}
	if s := in.Event.Support; s != nil {
		if err := t.side(m).learn(s); err != nil {
			return err
		}
	}
	if in.Final {
		t.side(m).settleRecord(&in.Event.Record, in.Event.State)
	}
	return t.side(m).goOn()
}

// goOn signs what is due, off-chain or, once the chain decides, for the chain.
func (m side) goOn() error {
	if !m.frozen() {
		return m.cascade()
	}
	return m.answerStart()
}

// settleRecord bases the match on what is final on-chain: the position after an expiry, or one that
// stood for a window.
func (m side) settleRecord(r *protocol.Record, state []byte) {
	m.mature()
	m.edit()
	if !m.plays() || r.Turn == 0 || protocol.StateHash(state) != r.State || r.Turn.Turn() <= m.last().turn {
		return
	}
	l, err := newLink(m.judge, r.Turn.Turn(), state)
	if err != nil {
		return // the rules fail on it, so the Arena will void the match
	}
	l.all, l.by = true, games.Nobody
	m.turnTo([]link{l})
	m.event(MatchExpired{MatchID: m.id, Turn: l.turn, State: l.state})
	m.ended()
}

// answerStart signs turn 0 for the chain when it was recorded unsigned: a window later the match
// would be void.
func (m side) answerStart() error {
	if r := m.recorded(); r.Status != protocol.MatchUnsigned || !m.plays() || !m.unsignedStart() || m.maySign(m.last()) != nil {
		return nil
	}
	_, err := m.signLink(0)
	return err
}

// learnAgreement takes over an agreement on the newest position that the chain or a tower shows.
func (m side) learnAgreement(a *protocol.SignedAgreement) {
	if !m.plays() || a.Turn != m.last().turn || m.agreement() != nil || a.Verify(m.cfg.Domain, &m.cfg.Terms, &m.terms) != nil {
		return
	}
	m.takeAgreement(a)
}

// takeAgreement takes over an agreement that somebody shows whole.
func (m side) takeAgreement(a *protocol.SignedAgreement) {
	m.edit().offers = []offer{{Agreement: a.Agreement, sigs: a.Signatures}}
	m.event(AgreementReached{Agreement: *a})
}

func (t *txn) recordUndone(e *onchain.Recorded) {
	m := t.find(e.MatchID)
	if m == nil {
		return
	}
	record := e.Record.On(m.recorded())
	i := slices.IndexFunc(m.records, func(r protocol.Record) bool { return r.Same(&record) })
	if i < 0 {
		return
	}
	m.edit()
	m.records = slices.Delete(slices.Clone(m.records), i, i+1)
	t.all = true
}
