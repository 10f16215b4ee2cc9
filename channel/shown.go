package channel

import (
	"github.com/ante-games/ante/protocol/message"
)

// receiveShown takes over what a tower shows. A tower is trusted with nothing: the ledger counts
// because all seats signed it, and so does support.
func (t *txn) receiveShown(e *message.TowerEvidence) error {
	if !t.state.opened() {
		return t.state.unopened()
	}
	if l := &e.Ledger; l.Version > max(1, min(t.state.full.Version, t.state.signed.version)) {
		if err := t.ledgers().checkLedger(l); err != nil {
			return err
		}
		if err := t.ledgers().adopt(*l, e.Matches, nil, true); err != nil {
			return err
		}
	}
	m := t.find(e.MatchID)
	if m == nil {
		return nil
	}
	if e.Support != nil {
		if err := t.side(m).learn(e.Support); err != nil {
			return err
		}
	}
	if e.Agreement != nil {
		t.side(m).learnAgreement(e.Agreement)
	}
	return nil
}
