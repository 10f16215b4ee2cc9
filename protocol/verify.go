package protocol

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// Verify checks that a ledger fits the channel's terms and that all seats signed it. Version 1,
// which nobody signs, does not pass.
func (l *SignedLedger) Verify(d Domain, t *Terms) error {
	if err := l.Check(t); err != nil {
		return err
	}
	return verifyAll(l.Signatures, l.Digest(d), t.Signers)
}

// Verify checks that an agreement is about a match, that its payouts fit and that all seats of the
// match signed it.
func (a *SignedAgreement) Verify(d Domain, t *Terms, m *MatchTerms) error {
	if a.MatchID != m.ID(d) || len(a.Payouts) != len(m.Stakes) {
		return fmt.Errorf("%w: an agreement of another match", ErrTerms)
	}
	if MarkOf(a.Turn) == 0 { // the Arena takes no agreement at it
		return fmt.Errorf("%w: an agreement at a turn that there can't be", ErrTerms)
	}
	if err := SameSum(a.Payouts, m.Stakes); err != nil {
		return err
	}
	return verifyAll(a.Signatures, a.Digest(d), m.Signers(t))
}

func verifyAll(signatures []Signature, digest common.Hash, signers []common.Address) error {
	if len(signatures) != len(signers) {
		return fmt.Errorf("%w: %d signatures of %d seats", ErrSignature, len(signatures), len(signers))
	}
	for i := range signatures {
		if err := signatures[i].Verify(digest, signers[i]); err != nil {
			return fmt.Errorf("seat %d: %w", i, err)
		}
	}
	return nil
}

// Verify checks that the proof holds against a seat of a match, given the match's signers by seat.
// The error wraps ErrSignature.
func (e *Equivocation) Verify(d Domain, matchID common.Hash, signers []common.Address) error {
	if int(e.Seat) >= len(signers) {
		return fmt.Errorf("%w: seat %d in a match of %d", ErrSignature, e.Seat, len(signers))
	}
	return e.verify(matchID, func(state common.Hash, sig Signature) error {
		return sig.Verify(Position{MatchID: matchID, Turn: e.Turn, State: state}.Digest(d), signers[e.Seat])
	})
}

func (e *Equivocation) verify(matchID common.Hash, signed func(state common.Hash, sig Signature) error) error {
	if e.MatchID != matchID || e.States[0] == e.States[1] {
		return fmt.Errorf("%w: not of two positions, or of another match", ErrSignature)
	}
	if MarkOf(e.Turn) == 0 { // the Arena takes no proof of it
		return fmt.Errorf("%w: of a turn that there can't be", ErrSignature)
	}
	for i, state := range e.States {
		if err := signed(state, e.Signatures[i]); err != nil {
			return err
		}
	}
	return nil
}
