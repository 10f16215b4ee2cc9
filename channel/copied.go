package channel

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// A machine makes a mark durable before the signature that it is of leaves. So a valid signature of
// this seat's own that the marks do not account for proves that the records are an old copy, or
// that another program signs with the same key. Whoever shows it, and however: the channel signs
// nothing from then on, because each new signature could contradict one that the peers hold.

// oldCopy freezes the channel for good, and tells the user the proof.
func (t *txn) oldCopy(found OldCopyFound) {
	if t.state.restored {
		return
	}
	t.change().restored = true
	t.copied = &found
	t.event(found)
}

// recogniseShown looks for such a signature in evidence from a tower.
func (t *txn) recogniseShown(e *message.TowerEvidence) {
	t.recogniseLedger(&e.Ledger.Ledger, e.Ledger.Signatures)
	t.recogniseMatch(e.MatchID, e.Support, e.Agreement)
	for i := range e.Proofs {
		proof := &e.Proofs[i]
		m := t.find(proof.MatchID)
		if m != nil && m.seat == int(proof.Seat) && proof.Verify(t.cfg.Domain, m.id, m.terms.Signers(&t.cfg.Terms)) == nil {
			t.oldCopy(OldCopyFound{MatchID: m.id, Turn: proof.Turn})
		}
	}
}

// recogniseEvent looks for one in an event of the Arena. A Convicted event has no signatures, but
// the Arena has checked two: it alone flags a seat, whatever verdict a match's rules give.
func (t *txn) recogniseEvent(e onchain.Event, final bool) {
	switch e := e.(type) {
	case onchain.Contested:
		t.recogniseLedger(&e.Ledger.Ledger, e.Ledger.Signatures)
	case onchain.Recorded:
		t.recogniseMatch(e.MatchID, e.Support, e.Agreement)
		m := t.find(e.MatchID)
		if final && m != nil && m.seat >= 0 && e.Record.Flagged>>m.seat&1 == 1 {
			t.oldCopy(OldCopyFound{MatchID: m.id, Turn: m.mark.OrStart()})
		}
	}
}

// recogniseMessage looks at what a message says in this seat's name. What it says in its sender's
// name alone, a Move and an Approve, is looked at where the sender's signature is checked and
// fails.
func (t *txn) recogniseMessage(msg message.Message) {
	switch msg := msg.(type) {
	case message.Propose:
		t.recogniseProposal(&msg)
	case message.Approve:
		for i := range msg.Starts {
			t.recogniseCountersign(&msg.Starts[i])
		}
	case message.Move:
		if msg.First != nil {
			t.recogniseCountersign(msg.First)
		}
	case message.Countersign:
		t.recogniseCountersign(&msg)
	case message.AgreementSignature:
		t.recogniseConsent(&msg.Agreement, int(msg.Seat), msg.Signature)
	case message.SyncReply:
		if msg.Ledger != nil {
			t.recogniseLedger(&msg.Ledger.Ledger, msg.Ledger.Signatures)
		}
		if msg.Pending != nil {
			t.recogniseProposal(msg.Pending)
		}
		t.recogniseMatch(msg.MatchID, msg.Support, nil)
		for i := range msg.Agreements {
			t.recogniseConsent(&msg.Agreements[i].Agreement, int(msg.Agreements[i].Seat), msg.Agreements[i].Signature)
		}
	}
}

func (t *txn) recogniseProposal(p *message.Propose) {
	t.recogniseLedger(&p.Ledger, p.Signatures)
	for i := range p.Bookings {
		t.recogniseMatch(p.Bookings[i].MatchID, nil, p.Bookings[i].Agreement)
	}
}

func (t *txn) recogniseLedger(l *protocol.Ledger, signatures []protocol.Signature) {
	if l.ChannelID == t.id && len(signatures) == t.cfg.Terms.Seats() {
		t.ownLedger(l.Version, l.Digest(t.cfg.Domain), signatures[t.cfg.Seat])
	}
}

// ownLedger freezes the channel if another copy of its records signed a ledger for this seat.
func (t *txn) ownLedger(version uint64, digest common.Hash, sig protocol.Signature) {
	s := t.state
	known := version < s.signed.version || version == s.signed.version && digest == s.signed.digest
	if version == s.full.Version && known && version < s.signed.version {
		known = digest == s.full.Digest(t.cfg.Domain)
	}
	if !known && t.isOwn(digest, sig) {
		t.oldCopy(OldCopyFound{Version: version})
	}
}

func (t *txn) recogniseMatch(id common.Hash, s *protocol.Support, a *protocol.SignedAgreement) {
	m := t.find(id)
	if m == nil || m.seat < 0 {
		return
	}
	if s != nil && !t.state.restored && s.Check(len(m.terms.Seats)) == nil && t.side(m).suspects(s) {
		t.side(m).recogniseSupport(s)
	}
	if a != nil && len(a.Signatures) == len(m.terms.Seats) {
		t.recogniseConsent(&a.Agreement, m.seat, a.Signatures[m.seat])
	}
}

// suspects reports whether a support must be replayed to see whether this seat signed part of it.
// Hardly any must.
func (m side) suspects(s *protocol.Support) bool {
	return slices.ContainsFunc(s.Signatures, func(sig protocol.SeatSignature) bool {
		turn := s.Turn + protocol.Turn(sig.At)
		held := m.ownAt(turn)
		switch {
		case int(sig.Seat) != m.seat:
			return false
		case held != nil:
			return held.sigs[m.seat] != sig.Signature
		}
		return protocol.MarkOf(turn) >= m.mark
	})
}

// ownAt returns the link of a turn that this seat has signed, or nil.
func (m *match) ownAt(turn protocol.Turn) *link {
	if len(m.links) == 0 {
		return nil
	}
	if l := m.at(turn); l != nil && l.sigs[m.seat] != (protocol.Signature{}) {
		return l
	}
	return nil
}

// recogniseSupport replays a support as far as it can be replayed, even if the Arena would refuse
// it.
func (m side) recogniseSupport(s *protocol.Support) {
	visit := func(at uint16, turn protocol.Turn, state common.Hash) {
		for _, sig := range s.Signatures {
			if sig.At == at && int(sig.Seat) == m.seat {
				m.ownPosition(turn, state, sig.Signature)
			}
		}
	}
	if m.judge == nil {
		visit(0, s.Turn, protocol.StateHash(s.Base))
		return
	}
	m.judge.Walk(s, m.final, m.state.now, visit)
}

func (t *txn) recogniseCountersign(c *message.Countersign) {
	if m := t.find(c.MatchID); m != nil && int(c.Seat) == m.seat {
		t.side(m).ownPosition(c.Turn, c.State, c.Signature)
	}
}

// ownPosition freezes the channel if another copy of its records signed a position for this seat.
func (m side) ownPosition(turn protocol.Turn, state common.Hash, sig protocol.Signature) {
	if m.accountsFor(turn, state) {
		return
	}
	if p := (protocol.Position{MatchID: m.id, Turn: turn, State: state}); m.isOwn(p.Digest(m.cfg.Domain), sig) {
		m.oldCopy(OldCopyFound{MatchID: m.id, Turn: turn})
	}
}

// accountsFor reports whether this seat may have signed a position of a turn, judging by its marks
// and links.
func (m *match) accountsFor(turn protocol.Turn, state common.Hash) bool {
	if mark := protocol.MarkOf(turn); mark >= m.mark {
		return mark == m.mark && state == m.markState
	}
	l := m.ownAt(turn)
	return l == nil || l.hash == state
}

// recogniseConsent freezes the channel if another copy of its records signed an agreement for this
// seat.
func (t *txn) recogniseConsent(a *protocol.Agreement, seat int, sig protocol.Signature) {
	m := t.find(a.MatchID)
	if m == nil || seat != m.seat {
		return
	}
	digest := a.Digest(t.cfg.Domain)
	if mark := protocol.MarkOf(a.Turn); mark < m.consented || mark == m.consented && slices.Contains(m.consents, digest) {
		return
	}
	if t.isOwn(digest, sig) {
		t.oldCopy(OldCopyFound{MatchID: m.id, Turn: a.Turn})
	}
}

// isOwn reports whether a signature is this seat's own.
func (t *txn) isOwn(digest common.Hash, sig protocol.Signature) bool {
	return !t.state.restored && sig != (protocol.Signature{}) && sig.Verify(digest, t.cfg.Terms.Signers[t.cfg.Seat]) == nil
}
