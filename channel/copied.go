package channel

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// A machine makes a mark durable before the signature that it is of leaves. So a valid signature of this seat's own that the marks
// do not account for proves that the records are an old copy, or that another program signs with the same key. Whoever shows it, and
// however: the channel signs nothing from then on, because each new signature could contradict one that the peers hold.

// oldCopy freezes the channel for good. What proves it is told to the user.
func (t *txn) oldCopy(found OldCopyFound) {
	if t.state.restored {
		return
	}
	t.own().restored = true
	t.copied, t.fx.Sync = &found, true
	t.event(found)
}

// recogniseShown looks for such a signature in what a tower shows.
func (t *txn) recogniseShown(e *TowerEvidence) {
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

// recogniseEvent looks for one in what the Arena says. Of a conviction it shows no signature, but it has checked two.
func (t *txn) recogniseEvent(e ChainEvent, final bool) {
	switch e := e.(type) {
	case Contested:
		t.recogniseLedger(&e.Ledger.Ledger, e.Ledger.Signatures)
	case Recorded:
		t.recogniseMatch(e.MatchID, e.Support, e.Agreement)
		m := t.find(e.MatchID)
		if final && m != nil && m.seat >= 0 && e.Guilty>>m.seat&1 == 1 && e.Reason == Equivocated {
			t.oldCopy(OldCopyFound{MatchID: m.id, Turn: m.mark.orStart()})
		}
	}
}

// recogniseMessage looks at what a message says in this seat's name. What it says in its sender's name alone, a Move and an Approve,
// is looked at where the sender's signature is checked and fails.
func (t *txn) recogniseMessage(msg Message) {
	switch msg := msg.(type) {
	case Propose:
		t.recogniseProposal(&msg)
	case Approve:
		for i := range msg.Starts {
			t.recogniseCountersign(&msg.Starts[i])
		}
	case Move:
		if msg.First != nil {
			t.recogniseCountersign(msg.First)
		}
	case Countersign:
		t.recogniseCountersign(&msg)
	case AgreementSignature:
		t.recogniseConsent(&msg.Agreement, int(msg.Seat), msg.Signature)
	case SyncReply:
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

func (t *txn) recogniseProposal(p *Propose) {
	t.recogniseLedger(&p.Ledger, p.Signatures)
	for i := range p.Bookings {
		t.recogniseMatch(p.Bookings[i].MatchID, nil, p.Bookings[i].Agreement)
	}
}

func (t *txn) recogniseLedger(l *Ledger, signatures []Signature) {
	if l.ChannelID == t.id && len(signatures) == t.cfg.Terms.Seats() {
		t.ownLedger(l.Version, l.Digest(t.cfg.Domain), signatures[t.cfg.Seat])
	}
}

// ownLedger freezes the channel if this seat signed a ledger by another copy of its records.
func (t *txn) ownLedger(version uint64, digest common.Hash, sig Signature) {
	s := t.state
	known := version < s.signed.version || version == s.signed.version && digest == s.signed.digest
	if version == s.full.Version && known && version < s.signed.version {
		known = digest == s.full.Digest(t.cfg.Domain)
	}
	if !known && t.isOwn(digest, sig) {
		t.oldCopy(OldCopyFound{Version: version})
	}
}

func (t *txn) recogniseMatch(id common.Hash, s *Support, a *SignedAgreement) {
	m := t.find(id)
	if m == nil || m.seat < 0 {
		return
	}
	if s != nil && !t.state.restored && s.check(len(m.terms.Seats)) == nil && t.suspects(m, s) {
		t.recogniseSupport(m, s)
	}
	if a != nil && len(a.Signatures) == len(m.terms.Seats) {
		t.recogniseConsent(&a.Agreement, m.seat, a.Signatures[m.seat])
	}
}

// suspects reports whether a support has to be replayed to see whether this seat signed what is in it: nearly none has.
func (t *txn) suspects(m *match, s *Support) bool {
	return slices.ContainsFunc(s.Signatures, func(sig SeatSignature) bool {
		turn := s.Turn + Turn(sig.At)
		held := m.ownAt(turn)
		switch {
		case int(sig.Seat) != m.seat:
			return false
		case held != nil:
			return held.sigs[m.seat] != sig.Signature
		}
		return MarkOf(turn) >= m.mark
	})
}

// ownAt returns the link of a turn that this seat has signed, or nil.
func (m *match) ownAt(turn Turn) *link {
	if len(m.links) == 0 {
		return nil
	}
	if l := m.at(turn); l != nil && l.sigs[m.seat] != (Signature{}) {
		return l
	}
	return nil
}

// recogniseSupport replays a support, whether the Arena would take it or not, as far as it can be replayed.
func (t *txn) recogniseSupport(m *match, s *Support) {
	r := Replayed{Turn: s.Turn, State: s.Base, Hash: StateHash(s.Base), Marks: make([]Mark, len(m.terms.Seats))}
	var block uint64
	if m.final.Holds(r.Turn, r.Hash) {
		block = m.final.Block
		r.Signed = r.start(m.final, t.state.now, t.cfg.Terms.Window)
	}
	rest := s.Signatures
	for at := uint16(0); ; at++ {
		for _, sig := range rest {
			if sig.At == at && int(sig.Seat) == m.seat {
				t.ownPosition(m, r.Turn, r.Hash, sig.Signature)
			}
		}
		if m.judge == nil || int(at) == len(s.Moves) {
			return
		}
		signed, n, err := m.judge.count(&r, rest, at)
		if err != nil {
			return
		}
		rest, r.Signed = rest[n:], r.Signed|signed
		if m.judge.forward(&r, s.Moves[at], block) != nil {
			return
		}
		block = 0
	}
}

func (t *txn) recogniseCountersign(c *Countersign) {
	if m := t.find(c.MatchID); m != nil && int(c.Seat) == m.seat {
		t.ownPosition(m, c.Turn, c.State, c.Signature)
	}
}

// ownPosition freezes the channel if this seat signed a position by another copy of its records.
func (t *txn) ownPosition(m *match, turn Turn, state common.Hash, sig Signature) {
	if m.seat < 0 || m.accountsFor(turn, state) {
		return
	}
	if p := (Position{MatchID: m.id, Turn: turn, State: state}); t.isOwn(p.Digest(t.cfg.Domain), sig) {
		t.oldCopy(OldCopyFound{MatchID: m.id, Turn: turn})
	}
}

// accountsFor reports whether this seat may have signed a position of a turn, as far as its marks and links tell.
func (m *match) accountsFor(turn Turn, state common.Hash) bool {
	if mark := MarkOf(turn); mark >= m.mark {
		return mark == m.mark && state == m.markState
	}
	l := m.ownAt(turn)
	return l == nil || l.hash == state
}

// recogniseConsent freezes the channel if this seat signed an agreement by another copy of its records.
func (t *txn) recogniseConsent(a *Agreement, seat int, sig Signature) {
	m := t.find(a.MatchID)
	if m == nil || seat != m.seat {
		return
	}
	digest := a.Digest(t.cfg.Domain)
	if mark := MarkOf(a.Turn); mark < m.consented || mark == m.consented && slices.Contains(m.consents, digest) {
		return
	}
	if t.isOwn(digest, sig) {
		t.oldCopy(OldCopyFound{MatchID: m.id, Turn: a.Turn})
	}
}

// isOwn reports whether a signature is this seat's own.
func (t *txn) isOwn(digest common.Hash, sig Signature) bool {
	return !t.state.restored && sig != (Signature{}) && sig.Verify(digest, t.cfg.Terms.Signers[t.cfg.Seat]) == nil
}
