package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// connected tells a seat our versions and turns. It answers with what we lack, and asks for what it
// lacks.
func (t *txn) connected(seat int) error {
	if seat < 0 || seat >= t.cfg.Terms.Seats() || seat == t.cfg.Seat {
		return fmt.Errorf("%w: no other seat %d", protocol.ErrTerms, seat)
	}
	if t.state.opened() {
		t.catchUp(seat)
	}
	return nil
}

// tick repeats what nobody has answered.
func (t *txn) tick() error {
	s := t.state
	if !s.opened() {
		return nil
	}
	if p := s.pending; p != nil && p.stage != stageAsked && (p.dead() || t.ledgers().isOurs(p) && s.floor > p.Ledger.Version) && !s.frozen() {
		t.change()
		// Another one is made if somebody signed above it or it is no longer true.
		if !t.ledgers().isOurs(p) || s.floor > p.Ledger.Version || slices.ContainsFunc(p.Bookings, t.ledgers().broken) {
			p.stage = stageLost
		} else {
			p.stage = stageSigned
			t.broadcast(p.Propose)
		}
	}
	for _, m := range t.matches {
		if m.plays() {
			t.side(m).repeatNote()
			t.side(m).repeatConsent()
		}
		if _, ok := m.ending(); ok && m.seat >= 0 && !m.book {
			m.edit().book = true
		}
	}
	if s.pending != nil || len(t.matches) > 0 || len(s.wants) > 0 || s.wantClose {
		t.broadcast(t.syncMessage(false))
	}
	return nil
}

// syncMessage says how far we are.
func (t *txn) syncMessage(reply bool) message.Sync {
	s := t.state
	out := message.Sync{Version: s.full.Version, Signed: s.signed.version, SignedDigest: s.signed.digest, Reply: reply}
	if p := s.pending; p != nil && p.Ledger.Version == s.signed.version {
		out.SignedBy = p.signedBy()
	}
	for _, m := range t.matches {
		if m.plays() && !m.released && len(out.Matches) < protocol.MaxLocks {
			out.Matches = append(out.Matches, m.syncMark())
		}
	}
	return out
}

func (m *match) syncMark() message.MatchMark {
	l := m.last()
	out := message.MatchMark{MatchID: m.id, Turn: l.turn, State: l.hash, Passed: m.rank().Agreed}
	for i := range l.sigs {
		if l.sigs[i] != (protocol.Signature{}) {
			out.SignedBy |= 1 << i
		}
	}
	for i := range m.offers {
		out.AgreedBy |= m.offers[i].signedBy()
	}
	return out
}

// receiveSync sends what the other side lacks, and, unless this answers us already, asks for what
// we lack.
func (t *txn) receiveSync(from int, msg *message.Sync) error {
	t.ledgers().claims(from, msg)
	s := t.state
	if s.raises(msg.Signed) {
		t.change().floor = msg.Signed
	}
	if msg.Version < s.full.Version {
		t.ledgers().sendLedger(from)
	}
	behind := msg.Version > s.full.Version
	for _, m := range t.matches {
		if m.plays() && t.syncMatch(from, m, markOf(msg, m.id)) {
			behind = true
		}
	}
	if t.ledgers().syncPending(from, msg) { // after the matches, whose ends it may book
		behind = true
	}
	for i := range msg.Matches {
		if t.find(msg.Matches[i].MatchID) == nil && msg.Version >= s.full.Version {
			behind = true
		}
	}
	if behind && !msg.Reply {
		t.send(from, t.syncMessage(true))
	}
	return nil
}

// claims notes whether a seat says that it holds a signature of this seat's on a ledger above all
// that this seat has signed: on one that all signed, or on its pending one. If that is true, our
// records are an old copy, and the ledger will prove it: until the seat has shown it, or says
// otherwise, we sign no ledger. A higher one would hide what was forgotten.
func (n negotiation) claims(from int, msg *message.Sync) {
	s, own := n.state, uint16(1)<<n.cfg.Seat
	signed := s.top()
	claims := msg.Version > signed || msg.Signed > signed && msg.SignedBy&own != 0
	if was := s.unshown>>from&1 == 1; was != claims {
		n.change().unshown ^= 1 << from
	}
}

func markOf(msg *message.Sync, id common.Hash) *message.MatchMark {
	for i := range msg.Matches {
		if msg.Matches[i].MatchID == id {
			return &msg.Matches[i]
		}
	}
	return nil
}

// syncPending sends the pending proposal where it or signatures of it are missing, and reports
// whether the other side has more.
func (n negotiation) syncPending(from int, msg *message.Sync) (behind bool) {
	p := n.pending
	if p == nil || p.Ledger.Version < msg.Signed {
		return msg.Signed > n.top()
	}
	ours, theirs := p.signedBy(), uint16(0)
	if msg.Signed == p.Ledger.Version && msg.SignedDigest == p.digest {
		theirs = msg.SignedBy
	}
	if msg.Version < p.Ledger.Version && ours&^theirs != 0 && n.state.silent() == nil {
		n.send(from, message.SyncReply{Pending: &p.Propose})
	}
	return theirs&^ours != 0
}

// syncMatch sends our support where the other side knows less, and reports whether it knows more.
func (t *txn) syncMatch(from int, m *match, theirs *message.MatchMark) (behind bool) {
	ours := m.syncMark()
	if theirs == nil {
		theirs = &message.MatchMark{MatchID: m.id}
	}
	same := theirs.Turn == ours.Turn && theirs.State == ours.State
	if !same || ours.SignedBy&^theirs.SignedBy != 0 || ours.AgreedBy&^theirs.AgreedBy != 0 || ours.Passed > theirs.Passed {
		if ours.Turn > 0 || ours.SignedBy != 0 || ours.AgreedBy != 0 {
			t.sendMatch(from, m)
		}
	}
	more := theirs.SignedBy&^ours.SignedBy != 0 || theirs.AgreedBy&^ours.AgreedBy != 0 || theirs.Passed > ours.Passed
	return !same && theirs.Turn >= ours.Turn || same && more
}

// sendLedger sends the newest fully signed ledger with the terms of its matches.
func (n negotiation) sendLedger(to int) {
	full := n.full
	reply := message.SyncReply{Ledger: &full}
	for i := range full.Locks {
		if m := n.find(full.Locks[i].MatchID); m != nil {
			reply.Matches = append(reply.Matches, m.terms)
		}
	}
	n.send(to, reply)
}

func (t *txn) sendMatch(to int, m *match) {
	s := m.support()
	reply := message.SyncReply{MatchID: m.id, Support: &s}
	for i := range m.offers {
		for seat, sig := range m.offers[i].sigs {
			if sig != (protocol.Signature{}) && len(reply.Agreements) < len(m.terms.Seats) {
				reply.Agreements = append(reply.Agreements, message.AgreementSignature{Agreement: m.offers[i].Agreement, Seat: uint8(seat), Signature: sig})
			}
		}
	}
	t.send(to, reply)
}

func (t *txn) receiveSyncReply(from int, msg *message.SyncReply) error {
	if l := msg.Ledger; l != nil && l.Version > t.state.full.Version {
		if err := t.ledgers().checkLedger(l); err != nil {
			return err
		}
		if err := t.ledgers().adopt(*l, msg.Matches, nil, true); err != nil {
			return err
		}
	}
	if msg.Pending != nil {
		if err := t.ledgers().receivePropose(from, msg.Pending); err != nil {
			return err
		}
	}
	m := t.find(msg.MatchID)
	if m == nil {
		// an answer asks for nothing, so that two seats never exchange endless answers about what
		// one of them has forgotten
		return nil
	}
	if msg.Support != nil {
		if err := t.side(m).learn(msg.Support); err != nil {
			return err
		}
	}
	for i := range msg.Agreements {
		if err := t.receiveAgreement(from, &msg.Agreements[i]); err != nil {
			return err
		}
	}
	return nil
}
