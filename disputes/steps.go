package disputes

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// step fills in the fields that all steps of a match share.
func (p *planner) step(m *matter, kind string, s Step) {
	s.MatchID, s.Stake = m.id, m.pot
	var on protocol.Record
	if m.record != nil {
		on = *m.record
	}
	s.Key = key(m.id, kind, fmt.Sprintf("%+v", on))
	if s.Deadline != 0 && s.sign && !p.pays(&s) {
		s.sign = false // the answer alone may be worth its cost
	}
	m.taken = p.add(s)
}

// advance posts the seat's own support in its shortest form, with a Demand if the mover's clock is
// to start.
func (p *planner) advance(m *matter, deadline uint64, demand bool, why string, args ...any) {
	a := onchain.Advance{Terms: p.Terms, Match: m.Terms, Record: m.record, Support: *m.mine.shortest(m.judge, m.record, p.Now)}
	if m.record == nil {
		if m.Ledger == nil {
			p.alarm(Critical, "no ledger", m.id, deadline, "match %s can't be posted: there is no ledger signed by all that locks it", m.id)
			return
		}
		a.Ledger = m.Ledger
	}
	s := Step{Action: a, Why: fmt.Sprintf(why, args...), Deadline: deadline, Waits: demand && deadline == 0, Gas: gasOfAdvance(&a), sign: demand, before: p.answered(m)}
	if m.mine.Over() && m.mine.SignedByAll() {
		s.result = m.final(m.mine.Turn, m.mine.Hash, m.mine.Outcome.Payouts)
	}
	p.step(m, "advance", s)
}

func (p *planner) demand(m *matter) {
	p.step(m, "demand", Step{
		Action: onchain.DemandMove{Terms: p.Terms, Match: m.Terms, Record: *m.record},
		Why:    fmt.Sprintf("%s keeps silent: start its clock at turn %s, which is posted", m.name(m.record.Mover), m.record.Turn.Turn()),
		Gas:    gasDemand,
		Waits:  true,
		sign:   true,
	})
}

func (p *planner) agree(m *matter, deadline uint64) {
	p.step(m, "agree", Step{
		Action:   onchain.Agree{Terms: p.Terms, Match: m.Terms, Record: m.record, Agreement: *m.Agreement},
		Why:      fmt.Sprintf("post the result that everybody agreed to at turn %s", m.Agreement.Turn),
		Deadline: deadline,
		Gas:      gasAgree,
		before:   p.answered(m),
	})
}

// answered is how often ours answered about a match.
func (p *planner) answered(m *matter) answers { return p.Chain.now.matches[m.id].answers }

// expire ends a clock that ran out. What the rules then say is final at once if the match is over
// by it.
func (p *planner) expire(m *matter, why string, args ...any) {
	if m.posted == nil {
		return // the alarm is raised: see learn
	}
	a := onchain.Expire{Terms: p.Terms, Match: m.Terms, Record: *m.record, State: m.posted.State}
	s := Step{Action: a, Why: fmt.Sprintf(why, args...), Gas: gasExpire, Waits: true}
	if m.record.Status == protocol.MatchUnsigned {
		// no state is left of a void match
		s.result = m.final(m.record.Turn.Turn(), protocol.StateHash(nil), m.Terms.Stakes)
	} else {
		next, err := m.rules.Expire(m.judge.Context(m.posted.Signed, m.record.Block), a.State)
		if err == nil {
			if mover, err := m.judge.Mover(next); err == nil && mover == games.Nobody {
				s.result = m.outcome(m.record.Turn.Turn().NextEpoch(), next)
			}
		}
	}
	p.step(m, "expire", s)
}

// convict punishes another seat that signed two positions at one turn.
func (p *planner) convict(m *matter) {
	if p.Frugal && m.record == nil && p.open() {
		return
	}
	for _, proof := range p.proofs(m) {
		if proof.Seat == m.seat {
			p.alarm(Critical, "own equivocation", m.id, 0, "two positions of turn %s carry this seat's own signature: another program uses its key, "+
				"or an old copy of its store; stop it, and end the match by agreement if the peer lets you", proof.Turn)
			continue
		}
		if m.taken || p.Chain.Record(m.id).Flagged&(1<<proof.Seat) != 0 {
			continue
		}
		s := Step{
			Action: onchain.Convict{Terms: p.Terms, Match: m.Terms, Record: m.record, Proof: proof},
			Why:    fmt.Sprintf("%s signed two positions at turn %s", m.name(proof.Seat), proof.Turn),
			Gas:    gasConvict,
		}
		if m.record == nil {
			s.Gas = gasConvictNew
		}
		if m.record != nil && p.Now < m.record.Deadline {
			s.Deadline = m.record.Deadline // then the match may be over
		}
		if len(m.Terms.Seats) == 2 {
			s.result = m.forfeit(proof.Turn)
		}
		// With three seats or more the record stays as it is: the next must not have this key.
		p.step(m, fmt.Sprint("convict ", proof.Seat), s)
	}
}

// proofs returns the equivocations that the seat holds, and those that what was posted shows next
// to what it holds.
func (p *planner) proofs(m *matter) []protocol.Equivocation {
	var list []protocol.Equivocation
	for i := range m.Proofs {
		if m.judge.Convicts(&m.Proofs[i]) == nil {
			list = append(list, m.Proofs[i])
		} else {
			p.alarm(Warning, "bad proof", m.id, 0, "a stored proof against %s in match %s proves nothing and is ignored", m.name(m.Proofs[i].Seat), m.id)
		}
	}
	lines := slices.Clone(m.held)
	for _, posted := range p.Chain.now.matches[m.id].posted {
		if l, err := p.line(m, posted); err == nil {
			lines = append(lines, l)
		}
	}
	return append(list, p.Memory.equivocations(ofMatch{m.id, p.Seat}, lines, func() []protocol.Equivocation {
		// of all signatures of a position by a seat, each of which was checked, one tells as much
		var said []Signed
		known := map[Signed]bool{}
		for _, l := range lines {
			for _, s := range l.signed() {
				one := Signed{Turn: s.Turn, State: s.State, Seat: s.Seat}
				if !known[one] {
					known[one], said = true, append(said, s)
				}
			}
		}
		return FindEquivocations(p.Domain, m.id, m.judge.Context(0, 0).Signers, said)
	})...)
}

// want asks the caller for a move.
func (p *planner) want(m *matter, from *line, deadline uint64) {
	if from == nil || m.Bound && deadline == 0 {
		return // the alarm is raised: see learn; or none can be made before the settlement
	}
	if p.Restored && from.Mover == m.seat {
		p.alarm(Critical, "restored", m.id, deadline, "match %s waits for a move of this seat, but a restored store signs nothing in its old channels: "+
			"it may have signed another before", m.id)
		return
	}
	p.plan.Wants = append(p.plan.Wants, Want{
		MatchID: m.id, Turn: from.Turn, State: from.State, Chance: from.Mover == games.Chance, Deadline: deadline,
	})
}

// outcome predicts the record of a match that a step ends for good, for a settle in the same
// transaction.
func (m *matter) outcome(turn protocol.Turn, state []byte) *onchain.FinalMatch {
	out, err := m.judge.Outcome(state)
	if err != nil {
		return nil
	}
	return m.final(turn, protocol.StateHash(state), out.Payouts)
}

// forfeit predicts the record of a match of two whose other seat is convicted: the seat takes all.
func (m *matter) forfeit(turn protocol.Turn) *onchain.FinalMatch {
	payouts := make([]uint256.Int, 2)
	payouts[m.seat] = m.pot
	return m.final(turn, common.Hash{}, payouts)
}

func (m *matter) final(turn protocol.Turn, state common.Hash, payouts []uint256.Int) *onchain.FinalMatch {
	return &onchain.FinalMatch{Terms: m.Terms, Record: protocol.Record{
		Status: protocol.MatchFinal, Turn: protocol.MarkOf(turn), State: state, Mover: games.Nobody, Payouts: payouts,
	}}
}
