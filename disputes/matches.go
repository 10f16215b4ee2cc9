package disputes

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// matter is one match that the plan is about.
type matter struct {
	Match
	id     common.Hash
	judge  *protocol.Judge
	rules  games.Rules
	seat   uint8 // of the match
	pot    uint256.Int
	record *protocol.Record // nil: nothing is recorded
	// ends at the recorded position; nil when there is none, or none that holds
	posted *line
	held   []*line // the support that is held, as far as it is of use
	mine   *line   // the highest-ranking of it; nil when there is none
	taken  bool    // something is done about it, or on its way
}

// matches plans the steps of every match of the seat whose lock is going to be paid, and returns
// those that are over for good, or become so by the planned steps. It ignores a match that the
// effective ledger doesn't lock, whatever is posted of it.
func (p *planner) matches() map[common.Hash]onchain.FinalMatch {
	final := make(map[common.Hash]onchain.FinalMatch)
	effective := p.effective()
	for i := range effective.Locks {
		lock := &effective.Locks[i]
		if p.Chain.Paid(lock.MatchID) {
			continue
		}
		evidence, ok := p.Matches[lock.MatchID]
		if !ok {
			evidence.Terms, ok = p.past(lock.MatchID)
		}
		if !ok {
			p.alarm(Warning, "unknown match", lock.MatchID, 0, "ledger %d locks match %s, of which this node holds nothing; restore a backup that does, or its stakes stay locked",
				effective.Version, lock.MatchID)
			continue
		}
		own := seatIn(&evidence.Terms, p.Seat) != games.Nobody
		if p.ended(lock.MatchID) && (own || p.Frugal) { // a tower pays all its seats at once
			final[lock.MatchID] = onchain.FinalMatch{Terms: evidence.Terms, Record: p.Chain.Record(lock.MatchID)}
			continue
		}
		if !own {
			continue
		}
		m, err := p.matter(lock, evidence)
		if err != nil {
			p.alarm(Critical, "undefended", lock.MatchID, 0, "match %s can't be defended: %v", lock.MatchID, err)
			continue
		}
		from := len(p.steps)
		p.match(m)
		for _, s := range p.steps[from:] {
			if s.result != nil && !p.alone(&s) {
				final[lock.MatchID] = *s.result
			}
		}
	}
	return final
}

// past finds the terms of a recorded match that a newer ledger booked: with them, what is recorded
// can be brought to its end and paid.
func (p *planner) past(id common.Hash) (terms protocol.MatchTerms, ok bool) {
	if p.Past == nil || p.Chain.Record(id).Status == protocol.MatchUnknown {
		return terms, false
	}
	terms, err := p.Past(id)
	return terms, err == nil
}

// ended reports whether a match is over for good as it is recorded.
func (p *planner) ended(id common.Hash) bool {
	r := p.Chain.Record(id)
	lapsed := (r.Status == protocol.MatchAgreed || r.Status == protocol.MatchOver) && p.Now >= r.Deadline
	return lapsed || r.Status >= protocol.MatchFinal
}

// matter works out where a match stands on the chain and in the seat's own evidence.
func (p *planner) matter(lock *protocol.Lock, evidence Match) (*matter, error) {
	rules, err := p.Rules(evidence.Terms.Rules)
	if err != nil {
		return nil, err
	}
	m := &matter{
		Match: evidence, id: lock.MatchID, rules: rules, pot: pot(lock.Stakes),
		seat: seatIn(&evidence.Terms, p.Seat), record: p.Chain.Recorded(lock.MatchID),
	}
	if r := m.record; r != nil && (len(r.Marks) != len(evidence.Terms.Seats) || r.Turn == 0 && r.Status != protocol.MatchAgreed) {
		return nil, fmt.Errorf("the record doesn't fit the match, so the endpoint lies; use another one")
	}
	if m.judge, err = protocol.NewJudge(p.Domain, &p.Terms, &evidence.Terms, rules); err != nil {
		return nil, err
	}
	m.judge = p.Memory.judge(m.judge)
	if m.posted, err = p.learn(m); err != nil {
		p.alarm(Critical, "bad posting", m.id, 0, "what is posted of match %s doesn't hold: %v", m.id, err)
	}
	if m.Support == nil {
		start, err := m.judge.Start()
		if err != nil {
			return nil, err
		}
		m.Support = &protocol.Support{Base: start}
	}
	p.hold(m, m.Support)
	for _, s := range m.Also {
		p.hold(m, s)
	}
	return m, nil
}

// hold classifies a support.
func (p *planner) hold(m *matter, s *protocol.Support) {
	lead := p.Memory.follow(m.judge, s, m.record, p.Now, p.Terms.Window)
	if errors.Is(lead.err, protocol.ErrSignature) || errors.Is(lead.err, games.ErrIllegal) {
		p.alarm(Warning, "bad evidence", m.id, 0, "the stored evidence of match %s doesn't hold: %v", m.id, lead.err)
	} // any other error says that the record has left this support behind
	for _, l := range lead.lines {
		p.keep(m, l)
	}
}

// keep takes a line if it is better than the best so far.
func (p *planner) keep(m *matter, l *line) {
	m.held = append(m.held, l)
	if m.mine == nil || p.prefers(m, l) {
		m.mine = l
	}
}

// prefers reports whether a line is better than the best so far: the Arena would accept it and not
// the other, or would accept both or neither and it ranks higher.
func (p *planner) prefers(m *matter, l *line) bool {
	if one, other := p.outranks(m, l), p.outranks(m, m.mine); one != other {
		return one
	}
	return l.Rank().Above(m.mine.Rank())
}

// outranks reports whether the Arena would replace its record by a line.
func (p *planner) outranks(m *matter, l *line) bool {
	return l.Outranks(m.record, p.Now, p.Terms.Window)
}

// learn works out the recorded position from what was posted, which may be news.
func (p *planner) learn(m *matter) (*line, error) {
	seen := p.Chain.now.matches[m.id]
	switch {
	case m.record == nil, m.record.Turn == 0: // an agreement drops an unsigned turn 0
		return nil, nil
	case seen.state != nil:
		last := posting{support: &protocol.Support{Turn: m.record.Turn.Turn(), Base: seen.state}, on: m.record, at: p.Now}
		return p.line(m, &last)
	case len(seen.posted) == 0:
		return nil, nil // nothing was posted but an agreement or a proof
	}
	l, err := p.line(m, seen.posted[len(seen.posted)-1])
	if err == nil && l.Hash != m.record.State {
		return nil, fmt.Errorf("the posted moves lead to another state than the recorded one: the endpoint lies, or the rules differ")
	}
	return l, err
}

func (p *planner) line(m *matter, posted *posting) (*line, error) {
	return posted.line(p.Memory, m.judge, p.Terms.Window)
}

// beats reports whether the seat's own support shows another position than the recorded one, and
// one that the Arena would prefer. The recorded position with more signatures would only restart
// the clock.
func (p *planner) beats(m *matter) bool {
	return m.mine != nil && !m.record.Holds(m.mine.Turn, m.mine.Hash) && p.outranks(m, m.mine)
}

// agreed reports whether a signed agreement still counts: neither the chain nor the seat holds a
// higher turn.
func (p *planner) agreed(m *matter) bool {
	if m.Agreement == nil {
		return false
	}
	at := protocol.MarkOf(m.Agreement.Turn)
	return (m.record == nil || m.record.Turn <= at) && (m.mine == nil || protocol.MarkOf(m.mine.Turn) <= at)
}

func (m *matter) opponent(seat uint8) bool { return seat != m.seat && int(seat) < len(m.Terms.Seats) }

// name names another seat of the match, as the seat's own user sees it.
func (m *matter) name(seat uint8) string {
	switch {
	case seat == games.Chance:
		return "the chain"
	case len(m.Terms.Seats) == 2:
		return "your opponent"
	}
	return fmt.Sprintf("seat %d", seat)
}
