package sim

import "github.com/ante-games/ante/channel"

// offered has a seat take an offer to end a match that gives its stake back, now and then.
func (s *seat) offered(o *channel.AgreementOffered) {
	m, ok := s.machine.Match(o.MatchID)
	if !ok || m.Seat < 0 || int(o.Seat) == m.Seat || o.Payouts[m.Seat].Lt(&m.Terms.Stakes[m.Seat]) || s.random.Uint64()%2 == 0 {
		return
	}
	// Refused when the match has moved on.
	_ = s.feed(channel.AcceptAgreement{MatchID: o.MatchID, Turn: o.Turn, Seat: o.Seat, Payouts: o.Payouts})
}
