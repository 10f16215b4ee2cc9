package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ending returns how a match can be booked now: by the final record on-chain, by an agreement of
// all its seats, or by a position that is over and that we signed.
func (m *match) ending() (protocol.Booking, bool) {
	b := protocol.Booking{MatchID: m.id}
	if m.released {
		return b, false
	}
	if m.decided() {
		b.Turn, b.Payouts = m.final.Turn.OrStart(), m.final.Payouts
		return b, len(b.Payouts) == len(m.terms.Seats) && !m.condemned()
	}
	if !m.plays() {
		return b, false
	}
	if a := m.agreement(); a != nil {
		b.Turn, b.Payouts, b.Agreement = a.Turn, a.Payouts, a
		return b, true
	}
	if !m.over() || !m.last().hasSigned(m.seat) || m.condemned() {
		return b, false
	}
	out, err := m.judge.Outcome(m.last().state)
	b.Turn, b.Payouts = m.last().turn, out.Payouts
	return b, err == nil
}

// condemned reports whether a seat was, or can be, convicted of signing twice. The Arena then pays
// otherwise than the rules say, so such a match is booked by agreement only.
func (m *match) condemned() bool {
	if r := m.recorded(); r != nil && r.Flagged != 0 && len(m.terms.Seats) > 2 {
		return true
	}
	return len(m.proofs) > 0 && !m.decided()
}

// bookings returns the bookings that are ours to propose: the lowest seat of a match does it by
// itself, or, of an agreement, the seat on move.
func (n negotiation) bookings() []protocol.Booking {
	var out []protocol.Booking
	for _, m := range n.matches {
		b, ok := m.ending()
		if !ok {
			continue
		}
		first := m.seat == 0 || m.book
		if b.Agreement != nil && m.optional() {
			first = int(m.last().mover) == m.seat
		}
		if first {
			out = append(out, b)
		}
	}
	return out
}

// optional reports whether a seat on move could go on from the newest position although all agreed
// to end the match. Its signature comes first under the ledger that books the agreement: a seat
// that holds all the others' could see how the match goes on, and complete the ledger only if it
// loses. As long as we have signed nothing of the match, nobody can go on.
func (m *match) optional() bool {
	l := m.last()
	return int(l.mover) < len(m.terms.Seats) && (l.turn > 0 || l.hasSigned(m.seat))
}

func (n negotiation) bookMatch(id common.Hash) error {
	m := n.find(id)
	if m == nil || m.seat < 0 || m.released {
		return ErrNoMatch
	}
	if _, ok := m.ending(); !ok {
		return fmt.Errorf("%w: it is neither over nor agreed", ErrWaiting)
	}
	if !m.book {
		m.edit().book = true
	}
	return nil
}

// checkBooking says why a booking is not to be signed, if so. The booking of a match in which we
// don't play concerns only its seats, and needs their signatures too.
func (n negotiation) checkBooking(p *proposal, b *protocol.Booking) error {
	m := n.find(b.MatchID)
	if m == nil {
		return ErrNoMatch
	}
	if m.seat < 0 {
		return nil
	}
	if m.decided() && !m.condemned() {
		return samePayouts(b.Payouts, m.final.Payouts)
	}
	if !m.plays() {
		return ErrNoMatch
	}
	if b.Agreement != nil {
		return n.side(m).checkAgreed(p, b)
	}
	ours, ok := m.ending()
	if !ok || ours.Agreement != nil || ours.Turn != b.Turn {
		return fmt.Errorf("%w: turn %s of match %s is not over here", ErrWaiting, b.Turn, b.MatchID)
	}
	return samePayouts(b.Payouts, ours.Payouts)
}

// checkAgreed checks a booking by agreement: signed by all seats, which includes us, and not killed
// by a later turn. The seat that could kill it has signed the ledger.
func (m side) checkAgreed(p *proposal, b *protocol.Booking) error {
	a := b.Agreement
	if a.MatchID != m.id || a.Turn != b.Turn || len(a.Signatures) != len(m.terms.Seats) {
		return fmt.Errorf("%w: booking by an agreement on something else", protocol.ErrTerms)
	}
	if a.Turn < m.last().turn {
		return fmt.Errorf("%w: the match went on after the agreement", ErrStale)
	}
	if mover := m.last().mover; m.optional() && int(mover) != m.seat && p.Signatures[m.terms.Seats[mover]] == (protocol.Signature{}) {
		return fmt.Errorf("%w: seat %d of match %s is on move, and has not signed that it is booked", ErrWaiting, mover, b.MatchID)
	}
	digest := a.Digest(m.cfg.Domain)
	for i, sig := range a.Signatures {
		if err := sig.Verify(digest, m.cfg.Terms.Signers[m.terms.Seats[i]]); err != nil {
			return err
		}
	}
	if m.agreement() == nil && a.Turn == m.last().turn {
		m.takeAgreement(a) // from now on no move of ours starts
	}
	return samePayouts(b.Payouts, a.Payouts)
}

func samePayouts(got, want []uint256.Int) error {
	if !slices.Equal(got, want) {
		return fmt.Errorf("%w: booked payouts are not those of the match", protocol.ErrTerms)
	}
	return nil
}
