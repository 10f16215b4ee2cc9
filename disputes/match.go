package disputes

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
)

// match plans the steps of one match.
func (p *planner) match(m *matter) {
	first := len(m.Terms.Seats) == 2 || p.finishes(m)
	if first {
		p.convict(m) // ends the match: nothing else matters
	}
	if m.taken {
		return
	}
	p.stand(m)
	if !first {
		p.convict(m) // the match goes on without the convicted seat
	}
}

// finishes reports whether the next step may make the match final, after which nobody is convicted,
// and there is time for a conviction before it.
func (p *planner) finishes(m *matter) bool {
	if r := m.record; r != nil && r.Deadline != 0 && p.Now >= r.Deadline {
		return true // only the expiry can come first
	}
	if m.mine == nil || !m.mine.Over() || !m.mine.SignedByAll() {
		return false
	}
	if m.record == nil {
		return true
	}
	until := p.until(m)
	return until == 0 || !p.urgent(until)
}

// stand plans the steps that follow from the match's status on the chain.
func (p *planner) stand(m *matter) {
	status := protocol.MatchUnknown
	if m.record != nil {
		status = m.record.Status
	}
	// What all agreed to ends the match, whatever else is to end it: a silence, a start that lacks
	// a signature, an end on another line.
	if status != protocol.MatchUnknown && status != protocol.MatchAgreed && p.Now < m.record.Deadline && p.agreed(m) {
		p.agree(m, m.record.Deadline)
		return
	}
	switch status {
	case protocol.MatchUnknown:
		p.goOn(m)
	case protocol.MatchUnsigned:
		p.unsigned(m)
	case protocol.MatchLive:
		if m.record.Deadline != 0 {
			p.clock(m)
		} else {
			p.quiet(m)
		}
	case protocol.MatchAgreed:
		p.look(m.record.Deadline)
		if m.mine == nil || protocol.MarkOf(m.mine.Turn) <= m.record.AgreedAt {
			return
		}
		p.late(m)
		if p.beats(m) {
			p.advance(m, p.until(m), false, "kill an agreement of turn %s, which play went beyond", m.record.AgreedAt.Turn())
		}
	case protocol.MatchOver:
		p.look(m.record.Deadline)
		if p.beats(m) {
			p.advance(m, m.record.Deadline, false, "refute the posted end of the match at turn %s", m.record.Turn.Turn())
		}
	}
}

// unsigned is a match that somebody says has not begun: its turn 0 lacks signatures.
func (p *planner) unsigned(m *matter) {
	p.look(m.record.Deadline)
	switch {
	case p.Now >= m.record.Deadline:
		p.expire(m, "void a match that never began: stakes go back")
	case m.mine != nil && m.mine.sufficient():
		p.advance(m, m.record.Deadline, false, "show that the match began")
	}
}

// clock is a live match whose mover's clock runs, or ran out.
func (p *planner) clock(m *matter) {
	r := m.record
	p.look(r.Deadline)
	if p.Now >= r.Deadline {
		p.ranOut(m)
		return
	}
	p.look(r.Deadline - min(p.Margin, r.Deadline))
	p.late(m)
	switch {
	case p.beats(m):
		// At once, also where this seat is on move again: while a clock runs nothing is signed but
		// what answers it, so that its next move can't go along, and a transaction that was mined
		// early may be mined again after a reorganisation.
		p.advance(m, p.until(m), p.asksBack(m) && m.opponent(m.mine.Mover), "answer turn %s, whose clock runs, with turn %s",
			r.Turn.Turn(), m.mine.Turn)
	case r.Mover == games.Chance:
		p.want(m, m.posted, r.Deadline)
		// the recorded position, signed by more: the rules may look at who signed
		if m.mine != nil && p.outranks(m, m.mine) {
			p.advance(m, r.Deadline, false, "show that every seat signed turn %s, before the chain moves on from it", r.Turn.Turn())
		}
	case r.Mover == m.seat:
		p.want(m, m.posted, r.Deadline)
		if p.urgent(r.Deadline) && !p.Restored {
			p.alarm(Critical, "move now", m.id, r.Deadline, "only a move saves match %s, and its clock has %d left: move now (turn %s)",
				m.id, r.Deadline-p.Now, r.Turn.Turn())
		}
	}
}

// ranOut is a match whose clock ran out: from then on the Arena accepts only expire and convict.
// When a seat's own time ran out it leaves that to the others, unless expire is the only way to the
// money that is left.
func (p *planner) ranOut(m *matter) {
	r := m.record
	switch {
	case r.Mover != m.seat:
		p.expire(m, "the time of %s ran out at turn %s", m.name(r.Mover), r.Turn.Turn())
	case p.Chain.Status() != Open:
		p.expire(m, "this seat's own time ran out at turn %s: end the match, so that what is left of it is paid", r.Turn.Turn())
	default:
		p.alarm(Critical, "own time", m.id, 0, "this seat's own time ran out in match %s at turn %s", m.id, r.Turn.Turn())
	}
}

// quiet is a live match without a clock. With two seats even a stale record can wait until somebody
// starts a clock, which gives a window to answer. With more it counts as signed by all once it
// stood for a window: that must not happen.
func (p *planner) quiet(m *matter) {
	r := m.record
	if until := p.until(m); until != 0 {
		p.look(until)
		if p.beats(m) {
			p.advance(m, until, p.demands(m) && m.opponent(m.mine.Mover), "refute turn %s before it counts as signed by all",
				r.Turn.Turn())
			return
		}
	} else {
		p.late(m)
	}
	p.goOn(m)
}

// until returns how long the Arena takes what outranks the record: to the end of its clock, or of
// the window after which a record of three seats or more counts as signed by all, whichever comes
// first; 0: as long as no clock runs.
func (p *planner) until(m *matter) uint64 {
	r := m.record
	if stands := r.Since + p.Terms.Window; len(m.Terms.Seats) > 2 && r.Rank().Agreed < r.Turn && p.Now < stands {
		return Earliest(r.Deadline, stands)
	}
	return r.Deadline
}

// late tells where the seat's own support would have beaten the record before it stood for a
// window.
func (p *planner) late(m *matter) {
	if m.mine != nil && m.mine.Rank().Outranks(m.record.Rank(), m.mine.Extends) && !p.beats(m) && !m.record.Holds(m.mine.Turn, m.mine.Hash) {
		p.alarm(Critical, "too late", m.id, 0, "turn %s counts as signed by all, because it stood for a window: this node was too late with turn %s",
			m.record.Turn.Turn(), m.mine.Turn)
	}
}

// goOn continues a match that nobody forces: because the patience with its peers is over, or
// because the channel ends and only finished matches are paid.
func (p *planner) goOn(m *matter) {
	demand := p.demands(m)
	ending := p.Exit || p.Chain.Status() > Open
	if !demand && !ending || p.waits() {
		return
	}
	if p.agreed(m) {
		p.agree(m, 0)
		return
	}
	if m.record != nil && !p.beats(m) {
		p.goOnFromPosted(m, demand)
		return
	}
	switch {
	case m.mine == nil:
	case !m.mine.sufficient():
		if demand {
			p.advance(m, 0, true, "the match never began for want of a signature of turn 0: ask for it")
		}
	case p.yields(m):
	case m.mine.Over():
		p.advance(m, 0, false, "post the end of the match, so that it can be paid")
	case m.opponent(m.mine.Mover):
		if demand {
			p.advance(m, 0, true, "%s keeps silent: start its clock at turn %s", m.name(m.mine.Mover), m.mine.Turn)
		}
	case m.mine.support.Full() && !p.Restored && !p.Frugal:
		// Nobody moves on for ever from what a seat has not signed, but all who may move do from
		// what is recorded.
		p.advance(m, 0, false, "nobody signed the %d moves before turn %s: record it, and go on from there", len(m.mine.support.Moves), m.mine.Turn)
	case m.mine.Mover == games.Chance && demand:
		p.advance(m, 0, true, "nobody can make the chain's move at turn %s: start its clock", m.mine.Turn)
	case len(m.Terms.Seats) > 2 && m.mine.Rank().Agreed < protocol.MarkOf(m.mine.Turn):
		// Off-chain nobody may move from a position that not all have signed.
		p.advance(m, 0, false, "not every seat signs turn %s: once recorded, it counts as signed by all a window later", m.mine.Turn)
	default:
		p.want(m, m.mine, 0)
	}
}

// yields reports whether another seat is to post the end of a match: who gets most by it does so at
// once, so that only one pays, the others when a margin is left until the contested ledger is paid
// out. What all signed is final as soon as it is posted, so that who waits is paid no later; less
// than that is not waited with.
func (p *planner) yields(m *matter) bool {
	_, deadline := p.Chain.Ledger()
	if p.Chain.Status() != Contested || p.urgent(deadline) || !m.mine.Over() || !m.mine.SignedByAll() {
		return false
	}
	first, payouts := 0, m.mine.Outcome.Payouts
	for seat := range payouts {
		if payouts[first].Lt(&payouts[seat]) {
			first = seat
		}
	}
	if first == int(m.seat) {
		return false
	}
	p.look(deadline - p.Margin)
	return true
}

// demands reports whether a silent mover's clock is to be started.
func (p *planner) demands(m *matter) bool { return p.Demand[m.id] && !p.waits() }

// asksBack reports whether an answer starts the next mover's clock in the same transaction: at once
// where that seat's own clock ran before, because a seat that answers only when it must would
// otherwise cost two transactions for each of its turns. A tower (Policy.Frugal) has no key for
// this.
func (p *planner) asksBack(m *matter) bool {
	spent, next := m.record.Spent, int(m.mine.Mover)
	return p.demands(m) || !p.Frugal && !p.waits() && next < len(spent) && spent[next] > 0
}

// waits reports whether a restored store still gives its peers time to show what it forgot. When
// the contest is over, nothing can be lost by continuing from what it has.
func (p *planner) waits() bool { return p.Restored && p.Chain.Status() != Settled }

func (p *planner) goOnFromPosted(m *matter, demand bool) {
	switch mover := m.record.Mover; {
	case demand && mover != m.seat:
		p.demand(m)
	case mover == m.seat || mover == games.Chance:
		p.want(m, m.posted, 0)
	}
}
