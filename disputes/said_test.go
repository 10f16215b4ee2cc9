package disputes_test

import (
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/cockroachdb/datadriven"
)

// event reads what the chain says in a script.
func (s *script) event(d *datadriven.TestData, words []string) channel.ChainEvent {
	until := uint64(s.number(d, "until", 0))
	switch words[0] {
	case "opened":
		return channel.Opened{ChannelID: s.board.id, Terms: s.board.terms}
	case "closed":
		return channel.Closed{ChannelID: s.board.id, Version: s.parse(words[1])}
	case "settled":
		return channel.Settled{ChannelID: s.board.id, Version: s.parse(words[1])}
	case "contested":
		first := channel.FirstLedger(s.board.id, &s.board.terms)
		l := &channel.SignedLedger{Ledger: first}
		if words[1] != "1" {
			l = s.ledger(words[1:], d.HasArg("closing"))
		}
		return channel.Contested{ChannelID: s.board.id, Ledger: *l, Deadline: until}
	}
	m := s.matches[words[1]]
	if words[0] == "paid" {
		return channel.LockPaid{ChannelID: s.board.id, MatchID: m.id}
	}
	ev := channel.Recorded{ChannelID: s.board.id, MatchID: m.id, Record: s.c.Chain.Record(m.id)}
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
			r.Status = channel.MatchOver
		}
	case "unsigned":
		ev.Support = &channel.Support{Base: m.line[0].state}
		s.recorded(r, m, ev.Support)
		r.Status = channel.MatchUnsigned
	case "expired":
		p := m.line[s.parse(words[2])]
		ev.State = p.state
		*r = channel.Record{Status: channel.MatchLive, Turn: channel.MarkOf(p.turn), State: channel.StateHash(p.state), Mover: p.mover, Since: r.Since}
		for range m.terms.Seats {
			r.Marks = append(r.Marks, r.Turn)
		}
	case "agreed":
		r.Status, r.AgreedAt = channel.MatchAgreed, channel.MarkOf(channel.Turn(s.parse(words[2])))
		r.Payouts = amounts(s.list(words[3])...)
	case "final":
		*r = channel.Record{Status: channel.MatchFinal, Mover: games.Nobody, Payouts: amounts(s.list(words[2])...)}
	case "flagged":
		*r = channel.Record{Flagged: 1 << s.parse(words[2])}
	}
	return ev
}

// recorded is what an advance leaves behind.
func (s *script) recorded(r *channel.Record, m *match, sup *channel.Support) {
	old := *r
	i := slices.IndexFunc(m.line, func(p position) bool { return p.turn == sup.Last() })
	p := m.line[i]
	*r = channel.Record{Status: channel.MatchLive, Turn: channel.MarkOf(p.turn), State: channel.StateHash(p.state), Mover: p.mover,
		Marks: make([]channel.Mark, len(m.terms.Seats)), Since: r.Since, Deadline: r.Deadline}
	if old.Turn == channel.MarkOf(sup.Turn) {
		copy(r.Marks, old.Marks)
	}
	for _, sig := range sup.Signatures {
		r.Marks[sig.Seat] = max(r.Marks[sig.Seat], channel.MarkOf(sup.Turn+channel.Turn(sig.At)))
	}
}

// spoilt is a support in which something is not what was signed.
func spoilt(s *channel.Support, what string) *channel.Support {
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
