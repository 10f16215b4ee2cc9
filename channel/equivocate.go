package channel

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// convictable keeps the proof that another seat signed a linked position and this other one of the same turn, if it did.
func (t *txn) convictable(m *match, l *link, seat int, other common.Hash, sig Signature) {
	if seat == m.seat || l.sigs[seat] == (Signature{}) {
		return
	}
	if slices.ContainsFunc(m.proofs, func(p Equivocation) bool { return int(p.Seat) == seat }) {
		return
	}
	proof := Equivocation{MatchID: m.id, Turn: l.turn, Seat: uint8(seat),
		States: [2]common.Hash{l.hash, other}, Signatures: [2]Signature{l.sigs[seat], sig}}
	m = t.edit(m)
	m.proofs = append(slices.Clip(m.proofs), proof)
	t.fx.Sync = true
	t.event(SeatEquivocated{Proof: proof})
}

// Verify checks that the proof holds against a seat of a match, given the match's signers by seat. The error wraps ErrSignature.
func (e *Equivocation) Verify(d Domain, matchID common.Hash, signers []common.Address) error {
	if e.MatchID != matchID || int(e.Seat) >= len(signers) || e.States[0] == e.States[1] {
		return fmt.Errorf("%w: not of two positions, or of another match", ErrSignature)
	}
	for i, state := range e.States {
		p := Position{MatchID: matchID, Turn: e.Turn, State: state}
		if err := e.Signatures[i].Verify(p.Digest(d), signers[e.Seat]); err != nil {
			return err
		}
	}
	return nil
}
