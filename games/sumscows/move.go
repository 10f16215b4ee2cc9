package sumscows

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Move is one of the moves below. Which of them a move's bytes are follows from the phase.
type Move interface {
	encode() []byte
	play(c *games.Context, p Params, s State) (State, error)
}

// The moves, in the order of their phases.
type (
	// Commit publishes the commitment to the hidden list.
	Commit common.Hash
	// Guess is the player's guess.
	Guess List
	// Claim ends the match instead of a guess: EndClaim or Misbehaviour.
	Claim uint8
	// Reply is the server's result.
	Reply Answer
	// Reveal opens the hidden list.
	Reveal struct{ Secret, Salt common.Hash }
)

// The claims: the player has enough, or holds the server to have answered falsely.
const (
	EndClaim     Claim = 1
	Misbehaviour Claim = 2
)

func (m Commit) encode() []byte { return m[:] }
func (m Guess) encode() []byte  { return append([]byte{0}, m...) }
func (m Claim) encode() []byte  { return []byte{byte(m)} }
func (m Reply) encode() []byte  { return binary.BigEndian.AppendUint16(nil, uint16(m)) }
func (m Reveal) encode() []byte { return append(m.Secret[:], m.Salt[:]...) }

func (rules) EncodeMove(m Move) []byte { return m.encode() }

func (rules) DecodeMove(s State, b []byte) (Move, error) {
	switch s.Phase {
	case Committing:
		if len(b) == 32 {
			return Commit(b), nil
		}
	case Guessing:
		if len(b) == 1+int(s.D) && b[0] == 0 {
			return Guess(b[1:]), nil
		}
		if len(b) == 1 && (b[0] == byte(EndClaim) || b[0] == byte(Misbehaviour)) {
			return Claim(b[0]), nil
		}
	case Answering:
		if len(b) == 2 {
			return Reply(binary.BigEndian.Uint16(b)), nil
		}
	case Opening:
		if len(b) == 64 {
			return Reveal{common.Hash(b[:32]), common.Hash(b[32:])}, nil
		}
	}
	return nil, games.BadMove("%d bytes in phase %v", len(b), s.Phase)
}
