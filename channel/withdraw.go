package channel

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// withdrawMatches gives up every match of ours that is not locked yet. Its lock may be signed, and
// whoever holds the signatures may complete it later, so that it is remembered as refused: then it
// is not started (see giveBack).
func (n negotiation) withdrawMatches() error {
	switch {
	case n.state.silent() != nil:
		return n.state.silent()
	case !n.state.opened():
		return n.state.unopened()
	}
	matches := slices.Clone(n.wants)
	if len(matches) == 0 {
		return ErrStale
	}
	s := n.change()
	s.offered = slices.Clone(s.offered)
	for i := range s.offered {
		if o := &s.offered[i]; n.ownNonce(o.Nonce) {
			o.refused = true
		}
	}
	n.dropWants(matches, n.cfg.Seat, message.Refused, "withdrawn")
	return nil
}

// lapse gives up every match that is not locked yet, approved ones too, once our user closes the
// channel, or anybody does on-chain: our user may have left. Its lock may still be completed.
func (n negotiation) lapse() {
	if !slices.ContainsFunc(n.offered, func(o offered) bool { return !o.refused }) {
		return
	}
	s := n.change()
	s.offered = slices.Clone(s.offered)
	for i := range s.offered {
		s.offered[i].refused = true
	}
}

// ownNonce reports whether the ledger that would first lock a match is ours to propose.
func (n negotiation) ownNonce(nonce uint64) bool {
	return nonce>>8%uint64(n.cfg.Terms.Seats()) == uint64(n.cfg.Seat)
}

// isWithdrawn reports whether a proposal contains matches that we proposed and have withdrawn
// since.
func (n negotiation) isWithdrawn(p *proposal) bool {
	return n.isOurs(p) && slices.ContainsFunc(p.Matches, func(m protocol.MatchTerms) bool {
		o := n.offer(m.Nonce)
		return o != nil && o.refused
	})
}

// giveBack offers the stakes of a match back that was refused or withdrawn before its lock was
// completed.
func (m side) giveBack() error {
	ours := func(o offer) bool { return int(o.by) == m.seat }
	if !m.refused || m.mayAgree(0) != nil || slices.ContainsFunc(m.offers, ours) {
		return nil
	}
	return m.signAgreement(protocol.Agreement{MatchID: m.id, Payouts: slices.Clone(m.terms.Stakes)}, uint8(m.seat))
}

// givesBack reports whether an agreement returns every stake of a match that its offerer has not
// started: on the chain the result would be the same.
func (m *match) givesBack(a *protocol.Agreement, by uint8) bool {
	l := m.last()
	return a.Turn == 0 && l.turn == 0 && !l.hasSigned(int(by)) && slices.Equal(a.Payouts, m.terms.Stakes)
}
