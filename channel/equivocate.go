package channel

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// convictable keeps the proof that another seat signed a linked position and this other one of the
// same turn, if it did.
func (m side) convictable(l *link, seat int, other common.Hash, sig protocol.Signature) {
	if seat == m.seat || l.sigs[seat] == (protocol.Signature{}) {
		return
	}
	if slices.ContainsFunc(m.proofs, func(p protocol.Equivocation) bool { return int(p.Seat) == seat }) {
		return
	}
	proof := protocol.Equivocation{MatchID: m.id, Turn: l.turn, Seat: uint8(seat),
		States: [2]common.Hash{l.hash, other}, Signatures: [2]protocol.Signature{l.sigs[seat], sig}}
	m.edit()
	m.proofs = append(slices.Clip(m.proofs), proof)
	m.event(SeatEquivocated{Proof: proof})
}

// convict keeps the proof against each seat that signed our line and this other one, whose
// signatures are checked, at one turn.
func (m side) convict(other []link) {
	for i := range other {
		o := &other[i]
		l := m.at(o.turn)
		if l == nil || l.hash == o.hash {
			continue
		}
		for seat, sig := range o.sigs {
			if sig != (protocol.Signature{}) {
				m.convictable(l, seat, o.hash, sig)
			}
		}
	}
}
