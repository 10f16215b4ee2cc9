package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// complete adopts the proposal on the table once every seat has signed it. A seat that moves first
// in a new match may wait with its signature of turn 0.
func (t *txn) complete(mayWait bool) error {
	p := t.state.pending
	if int(p.signedBy()) != 1<<t.cfg.Terms.Seats()-1 {
		return nil
	}
	return t.adopt(protocol.SignedLedger{Ledger: p.Ledger, Signatures: p.Signatures}, p.Matches, p.Bookings, mayWait)
}

// checkLedger checks a ledger that somebody says every seat signed. Version 1 needs no signatures.
func (t *txn) checkLedger(l *protocol.SignedLedger) error {
	if l.ChannelID != t.id {
		return fmt.Errorf("%w: a ledger of another channel", ErrPeer)
	}
	if err := l.Verify(t.cfg.Domain, &t.cfg.Terms); err != nil {
		return fmt.Errorf("%w: ledger %d: %w", ErrPeer, l.Version, err)
	}
	return nil
}

// adopt makes a checked ledger the newest fully signed one. The terms of the matches that it locks
// anew are among those given or those that we offered.
func (t *txn) adopt(l protocol.SignedLedger, matches []protocol.MatchTerms, bookings []protocol.Booking, mayWait bool) error {
	if l.Version <= t.state.full.Version {
		return nil
	}
	asking := t.state.asking()
	t.change().advance(l)
	if asking != nil && t.state.pending == nil && asking.Ledger.Version != l.Version {
		t.event(ProposalGone{Version: asking.Ledger.Version})
	}
	t.event(LedgerSigned{Ledger: l})
	t.lockMatches(&l, matches)
	t.release(&l, bookings)
	t.forget()
	if l.Closing {
		t.event(CloseSigned{Ledger: l})
	}
	t.all = true
	return t.signStarts(mayWait)
}

// lockMatches makes known the matches that a ledger locks.
func (t *txn) lockMatches(l *protocol.SignedLedger, matches []protocol.MatchTerms) {
	for i := range l.Locks {
		id := l.Locks[i].MatchID
		m := t.find(id)
		if m == nil {
			terms, refused := t.termsOf(id, matches)
			if terms == nil {
				// we never signed it: only after a restore, and then the Arena's events tell
				continue
			}
			m, _ = t.newMatch(*terms) // without its rules the match is kept, and can't be played
			m.refused = refused
			t.add(m)
			if t.ownNonce(terms.Nonce) {
				t.change().fulfil(terms)
			}
			t.event(MatchLocked{MatchID: id, Terms: *terms})
		}
		if m.released || m.locked == nil {
			m.edit()
			m.released = false
			if m.locked == nil {
				m.locked = l
				t.keep(lockKey(id), encodeLocked(l))
			}
		}
	}
}

// termsOf finds the terms of a match among those that we offered and those given, and says whether
// a seat refused it.
func (t *txn) termsOf(id common.Hash, given []protocol.MatchTerms) (terms *protocol.MatchTerms, refused bool) {
	for i := range t.state.offered {
		if o := &t.state.offered[i]; o.ID(t.cfg.Domain) == id {
			return &o.MatchTerms, o.refused
		}
	}
	for i := range given {
		if given[i].ID(t.cfg.Domain) == id {
			return &given[i], false
		}
	}
	return nil, false
}

// release marks the matches that a ledger no longer locks.
func (t *txn) release(l *protocol.SignedLedger, bookings []protocol.Booking) {
	for _, m := range t.matches {
		if m.released || l.Lock(m.id) != nil {
			continue
		}
		m.edit().released = true
		e := MatchReleased{MatchID: m.id}
		for i := range bookings {
			if bookings[i].MatchID == m.id {
				e.Payouts = bookings[i].Payouts
			}
		}
		t.event(e)
	}
}

// forget drops what no ledger can bring back any more: while a loose ledger may still be completed,
// it might lock what is released.
func (t *txn) forget() {
	s := t.state
	if s.loosened() {
		return
	}
	for _, m := range t.matches {
		if m.released {
			t.drop(m)
		}
	}
	if len(s.offered) > 0 {
		t.change().offered = slices.DeleteFunc(slices.Clone(s.offered), func(o offered) bool { return o.Nonce>>8 <= s.full.Version })
	}
}
