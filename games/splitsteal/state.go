package splitsteal

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Phase is what is to be done next.
type Phase uint8

// The phases, in order: X before Y.
const (
	CommitX Phase = iota
	CommitY
	OpenX
	OpenY
	Over
)

// role is who moves.
func (f Phase) role() Role { return Role(f & 1) }

// State is a position of a match. What a phase has no use for is zero.
type State struct {
	Phase       Phase
	House       uint8          // its seat, or NoHouse
	Out         uint8          // who is disqualified: bit 0 for X, bit 1 for Y
	Splits      uint8          // who is known to have chosen split, likewise
	Commitments [2]common.Hash // those not opened yet, by role
	Params      Params         // Over: what the outcome is computed by
}

const headSize = 4

// EncodeState implements games.Typed. Layout: encoding.txt.
func (rules) EncodeState(s State) []byte {
	b := make([]byte, 0, headSize+64)
	b = append(b, byte(s.Phase), s.House, s.Out, s.Splits)
	for _, r := range s.committed() {
		b = append(b, s.Commitments[r][:]...)
	}
	if s.Phase == Over {
		b = append(b, s.Params.fractions()...)
	}
	return b
}

// committed returns whose commitments are open, in the order in which they are encoded.
func (s *State) committed() []Role {
	switch {
	case s.Phase == CommitY && s.Out == 0, s.Phase == OpenX && s.Out != 0:
		return []Role{X}
	case s.Phase == OpenX:
		return []Role{X, Y}
	case s.Phase == OpenY:
		return []Role{Y}
	default:
		return nil
	}
}

func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) < headSize {
		return s, games.BadState("%d bytes, want at least %d", len(b), headSize)
	}
	s = State{Phase: Phase(b[0]), House: b[1], Out: b[2], Splits: b[3]}
	if s.House > NoHouse || s.Out > mayBeOut[min(s.Phase, Over)] || s.Phase == OpenX && s.Out == X.bit() {
		return s, games.BadState("house %d, disqualified %b in phase %d", s.House, s.Out, s.Phase)
	}
	if s.Splits > mayHaveSplit[min(s.Phase, Over)] || s.Splits&s.Out != 0 {
		return s, games.BadState("splits %b in phase %d", s.Splits, s.Phase)
	}
	body := b[headSize:]
	if s.Phase >= Over {
		if s.Phase > Over || len(body) != fractionSize {
			return s, games.BadState("%d bytes in phase %d", len(b), s.Phase)
		}
		s.Params, err = decodeFractions(body)
		s.Params.House = s.House
		return s, err
	}
	committed := s.committed()
	if len(body) != 32*len(committed) {
		return s, games.BadState("%d bytes in phase %d", len(b), s.Phase)
	}
	for i, r := range committed {
		s.Commitments[r] = common.Hash(body[32*i:])
	}
	return s, nil
}

// What the masks can be at most, by phase.
var (
	mayBeOut     = [...]uint8{CommitX: 0, CommitY: 1, OpenX: 2, OpenY: 1, Over: 3}
	mayHaveSplit = [...]uint8{CommitX: 0, CommitY: 0, OpenX: 0, OpenY: 1, Over: 3}
)
