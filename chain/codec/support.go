package codec

import (
	"encoding/binary"
	"fmt"

	"github.com/ante-games/ante/protocol"
)

// seatSignature is the length of a signature in a support: at 2, seat 1, signature 65.
const seatSignature = 2 + 1 + 65

func (p *packer) support(s *protocol.Support) {
	p.uint64(uint64(s.Turn))
	p.part(s.Base)
	var moves packer
	for _, move := range s.Moves {
		moves.part(move)
	}
	if moves.err != nil {
		p.fail("a move of %w", moves.err)
	}
	p.part(moves.out)
	for i := range s.Signatures {
		sig := &s.Signatures[i]
		if int(sig.At) > len(s.Moves) {
			p.fail("a signature of the position after move %d, of %d", sig.At, len(s.Moves))
		}
		p.out = binary.BigEndian.AppendUint16(p.out, sig.At)
		p.uint8(sig.Seat)
		p.raw(sig.Signature[:])
	}
}

func supportIn(in []byte) (*protocol.Support, error) {
	u := unpacker{in: in}
	out := &protocol.Support{Turn: protocol.Turn(u.uint64()), Base: u.part()}
	for moves := (unpacker{in: u.part()}); len(moves.in) > 0; {
		out.Moves = append(out.Moves, moves.part())
		if moves.err != nil {
			return nil, fmt.Errorf("moves: %w", moves.err)
		}
	}
	for u.err == nil && len(u.in) > 0 {
		item := u.raw(seatSignature)
		if u.err != nil {
			break
		}
		sig, err := protocol.ParseSignature(item[3:])
		if err != nil {
			return nil, err
		}
		out.Signatures = append(out.Signatures, protocol.SeatSignature{
			At: binary.BigEndian.Uint16(item), Seat: item[2], Signature: sig,
		})
	}
	return out, u.end("support")
}
