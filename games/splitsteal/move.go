package splitsteal

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Move is one of the moves below. Which of them a move's bytes are follows from the phase.
type Move interface{ encode() []byte }

type (
	// Commit publishes the commitment to a number.
	Commit common.Hash
	// Open opens it.
	Open struct{ Number, Salt common.Hash }
)

func (m Commit) encode() []byte { return m[:] }
func (m Open) encode() []byte   { return append(m.Number.Bytes(), m.Salt[:]...) }

// ChoiceOf returns what a number stands for.
func ChoiceOf(number common.Hash) Choice { return Choice(number[31] & 1) }

func (rules) EncodeMove(m Move) []byte { return m.encode() }

func (rules) DecodeMove(s State, b []byte) (Move, error) {
	switch want := [...]int{CommitX: 32, CommitY: 32, OpenX: 64, OpenY: 64, Over: -1}[s.Phase]; {
	case want < 0:
		return nil, games.BadMove("the match is over")
	case len(b) != want:
		return nil, games.BadMove("%d bytes, want %d", len(b), want)
	case want == 32:
		return Commit(b), nil
	default:
		return Open{common.Hash(b[:32]), common.Hash(b[32:])}, nil
	}
}
