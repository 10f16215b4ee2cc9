package disputes_test

import (
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/cockroachdb/datadriven"
)

// event reads what the chain says in a script.
func (s *script) event(d *datadriven.TestData, words []string) onchain.Event {
	until := uint64(s.number(d, "until", 0))
	switch words[0] {
	case "opened":
		return onchain.Opened{ChannelID: s.board.id, Terms: s.board.terms}
	case "closed":
		return onchain.Closed{ChannelID: s.board.id, Version: s.parse(words[1])}
	case "settled":
		return onchain.Settled{ChannelID: s.board.id, Version: s.parse(words[1])}
	case "contested":
		first := protocol.FirstLedger(s.board.id, &s.board.terms)
		l := &protocol.SignedLedger{Ledger: first}
		if words[1] != "1" {
			l = s.ledger(words[1:], d.HasArg("closing"))
		}
		return onchain.Contested{ChannelID: s.board.id, Ledger: *l, Deadline: until}
	}
	m := s.matches[words[1]]
	if words[0] == "paid" {
		return onchain.LockPaid{ChannelID: s.board.id, MatchID: m.id}
	}
	ev := onchain.Recorded{ChannelID: s.board.id, MatchID: m.id, Record: s.c.Chain.Record(m.id)}
	r := &ev.Record
	r.Since, r.Deadline = uint64(s.number(d, "since", 0)), until
	switch words[0] {
	case "recorded":
		ev.Support = s.support(d, m, words[2])
		s.recorded(r, m, ev.Support)
		if d.HasArg("lie") {
			r.State[0]++
		}
		if d.HasArg("forged") {
			ev.Support = spoilt(ev.Support, "first")
		}
		if d.HasArg("status") {
			r.Status = protocol.MatchOver
		}
	case "unsigned":
		ev.Support = &protocol.Support{Base: m.line[0].state}
		s.recorded(r, m, ev.Support)
		r.Status = protocol.MatchUnsigned
	case "expired":
		p := m.line[s.parse(words[2])]
		ev.State = p.state
		*r = protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(p.turn), State: protocol.StateHash(p.state), Mover: p.mover, Since: r.Since}
		for range m.terms.Seats {
			r.Marks = append(r.Marks, r.Turn)
		}
	case "agreed":
		r.Status, r.AgreedAt = protocol.MatchAgreed, protocol.MarkOf(protocol.Turn(s.parse(words[2])))
		r.Payouts = amounts(s.list(words[3])...)
	case "final":
		*r = protocol.Record{Status: protocol.MatchFinal, Mover: games.Nobody, Payouts: amounts(s.list(words[2])...)}
	case "flagged":
		*r = protocol.Record{Flagged: 1 << s.parse(words[2])}
	}
	return ev
}

// recorded is what an advance leaves behind.
func (s *script) recorded(r *protocol.Record, m *match, sup *protocol.Support) {
	old := *r
	i := slices.IndexFunc(m.line, func(p position) bool { return p.turn == sup.Last() })
	p := m.line[i]
	*r = protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(p.turn), State: protocol.StateHash(p.state), Mover: p.mover,
		Marks: make([]protocol.Mark, len(m.terms.Seats)), Since: r.Since, Deadline: r.Deadline}
	if old.Turn == protocol.MarkOf(sup.Turn) {
		copy(r.Marks, old.Marks)
	}
	for _, sig := range sup.Signatures {
		r.Marks[sig.Seat] = max(r.Marks[sig.Seat], protocol.MarkOf(sup.Turn+protocol.Turn(sig.At)))
	}
}

// spoilt is a support in which something is not what was signed.
func spoilt(s *protocol.Support, what string) *protocol.Support {
	other := *s
	other.Signatures, other.Moves = slices.Clone(s.Signatures), slices.Clone(s.Moves)
	switch what {
	case "first":
		other.Signatures[0].Signature[5]++
	case "last":
		other.Signatures[len(s.Signatures)-1].Signature[5]++
	case "move":
		other.Moves[len(s.Moves)-1] = []byte{99}
	}
	return &other
}
