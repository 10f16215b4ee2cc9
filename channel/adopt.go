package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// complete adopts the pending proposal once every seat has signed it. A seat that moves first in a
// new match may wait with its signature of turn 0.
func (n negotiation) complete(mayWait bool) error {
	p := n.pending
	if int(p.signedBy()) != 1<<n.cfg.Terms.Seats()-1 {
		return nil
	}
	return n.adopt(protocol.SignedLedger{Ledger: p.Ledger, Signatures: p.Signatures}, p.Matches, p.Bookings, mayWait)
}

// checkLedger checks a ledger that somebody says every seat signed. Version 1 needs no signatures.
func (n negotiation) checkLedger(l *protocol.SignedLedger) error {
	if l.ChannelID != n.id {
		return fmt.Errorf("%w: a ledger of another channel", ErrPeer)
	}
	if err := l.Verify(n.cfg.Domain, &n.cfg.Terms); err != nil {
		return fmt.Errorf("%w: ledger %d: %w", ErrPeer, l.Version, err)
	}
	return nil
}

// adopt makes a checked ledger the newest fully signed one, unless the channel is paid out for
// good. The terms of the matches that it locks anew are among those given or those that we offered.
// While the channel is contested it takes no match away: an older ledger may be paid out, and the
// match goes on.
func (n negotiation) adopt(l protocol.SignedLedger, matches []protocol.MatchTerms, bookings []protocol.Booking, mayWait bool) error {
	if l.Version <= n.full.Version || n.state.chain.settlements.final {
		return nil
	}
	asking := n.asking()
	n.change().advance(l)
	if asking != nil && n.pending == nil && asking.Ledger.Version != l.Version {
		n.gone(asking)
	}
	n.event(LedgerSigned{Ledger: l})
	n.lockMatches(&l, matches)
	if !n.state.contested() {
		n.release(bookings)
	}
	if l.Closing {
		n.event(CloseSigned{Ledger: l})
	}
	n.all = true
	return n.signStarts(mayWait)
}

// lockMatches registers the matches that a ledger locks.
func (n negotiation) lockMatches(l *protocol.SignedLedger, matches []protocol.MatchTerms) {
	for i := range l.Locks {
		id := l.Locks[i].MatchID
		m := n.find(id)
		if m == nil {
			terms, refused := n.termsOf(id, matches)
			if terms == nil {
				// we never signed it: only after a restore, and then the Arena's events show it
				continue
			}
			m, _ = n.newMatch(*terms) // without its rules the match is kept, and can't be played
			m.refused = refused
			n.add(m)
			if n.ownNonce(terms.Nonce) {
				n.change().fulfil(terms)
			}
			n.event(MatchLocked{MatchID: id, Terms: *terms})
		}
		if m.released || m.locked == nil {
			m.edit()
			if m.released {
				m.promised = max(m.promised, n.loose) // signed on top of the ledger that released it
			}
			m.released = false
			if m.locked == nil {
				m.locked = l
				n.keep(lockKey(id), encodeLocked(l))
			}
		}
	}
}

// termsOf looks up the terms of a match, first among those that we offered, then among those given.
// It also reports whether a seat refused the match.
func (n negotiation) termsOf(id common.Hash, given []protocol.MatchTerms) (terms *protocol.MatchTerms, refused bool) {
	for i := range n.offered {
		if o := &n.offered[i]; o.ID(n.cfg.Domain) == id {
			return &o.MatchTerms, o.refused
		}
	}
	for i := range given {
		if given[i].ID(n.cfg.Domain) == id {
			return &given[i], false
		}
	}
	return nil, false
}

// release marks the matches that the newest ledger no longer locks, and forgets them if it may.
func (n negotiation) release(bookings []protocol.Booking) {
	for _, m := range n.matches {
		if m.released || n.full.Lock(m.id) != nil {
			continue
		}
		m.edit().released = true
		e := MatchReleased{MatchID: m.id, Terms: m.terms}
		for i := range bookings {
			if bookings[i].MatchID == m.id {
				e.Payouts = bookings[i].Payouts
			}
		}
		n.event(e)
	}
	n.forget()
}

// forget deletes matches and offers that no ledger can bring back. While a loose ledger may still
// be completed it deletes nothing: that ledger might lock a released match. Nor once the channel is
// contested or closed, as a reorganisation may have an older ledger paid out.
func (n negotiation) forget() {
	s := n.state
	if s.loosened() || s.contested() {
		return
	}
	for _, m := range n.matches {
		if m.released {
			n.drop(m)
		}
	}
	if len(s.offered) > 0 {
		n.change().offered = slices.DeleteFunc(slices.Clone(s.offered), func(o offered) bool { return o.Nonce>>8 <= s.full.Version })
	}
}
