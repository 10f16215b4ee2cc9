package channel

import "slices"

// shown takes over what a tower shows. A tower is trusted with nothing: the ledger counts because all seats signed it, and
// so does support.
func (t *txn) shown(e *TowerEvidence) error {
	if !t.state.opened() {
		return t.state.unopened()
	}
	if l := &e.Ledger; l.Version > max(1, min(t.state.full.Version, t.state.signed.version)) {
		if err := t.checkLedger(l); err != nil {
			return err
		}
		if l.Version > t.state.signed.version {
			t.oldCopy()
		}
		if err := t.adopt(*l, e.Matches, nil, true); err != nil {
			return err
		}
	}
	m := t.find(e.MatchID)
	if m == nil || !m.plays() {
		return nil
	}
	if e.Support != nil {
		if t.forgotten(m, e.Support) {
			t.oldCopy()
		}
		if err := t.learn(m, e.Support); err != nil {
			return err
		}
	}
	if e.Agreement != nil {
		t.learnAgreement(t.find(m.id), e.Agreement)
	}
	return nil
}

// oldCopy notes that the records are an old copy: somebody shows a signature of ours that they know nothing of, and a mark is
// kept before its signature leaves.
func (t *txn) oldCopy() {
	if !t.state.restored {
		t.own().restored = true
		t.event(OldCopyFound{})
	}
}

// forgotten reports whether a support that holds carries a signature of ours beyond our mark.
func (t *txn) forgotten(m *match, s *Support) bool {
	beyond := func(sig SeatSignature) bool {
		return int(sig.Seat) == m.seat && MarkOf(s.Turn+Turn(sig.At)) > m.mark
	}
	if !slices.ContainsFunc(s.Signatures, beyond) {
		return false
	}
	_, err := m.judge.Replay(s, m.final, t.state.now)
	return err == nil
}
