package channel

// shown takes over what a tower shows. A tower is trusted with nothing: the ledger counts because all seats signed it, and
// so does support. What we signed ourselves and do not know of says that our records are an old copy, because a mark is kept
// before its signature leaves.
func (t *txn) shown(e *TowerEvidence) error {
	if !t.state.opened() {
		return t.state.unopened()
	}
	if l := &e.Ledger; l.Version > t.state.full.Version {
		if err := t.checkLedger(l); err != nil {
			return err
		}
		if l.Version > t.state.signed.version {
			t.own().restored = true
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
			t.own().restored = true
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

// forgotten reports whether a support that holds carries a signature of ours beyond our mark.
func (t *txn) forgotten(m *match, s *Support) bool {
	if _, err := m.judge.Replay(s, m.final, t.state.now); err != nil {
		return false
	}
	for _, sig := range s.Signatures {
		if int(sig.Seat) == m.seat && MarkOf(s.Turn+Turn(sig.At)) > m.mark {
			return true
		}
	}
	return false
}
