package mastermind

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
	"github.com/ethereum/go-ethereum/common"
)

// Move is one of the moves below. Which of them a move's bytes are follows from the phase.
type Move interface {
	encode() []byte
	play(c *games.Context, p Params, s State) (State, error)
}

// The moves, in the order of their phases.
type (
	// Commit publishes the commitment to a coin side (Toss) or a code (Making).
	Commit common.Hash
	// Call calls the coin: side 0 or 1.
	Call uint8
	// Show opens the coin.
	Show coin.Shown
	// Guess is the breaker's guess.
	Guess Code
	// Reply is the maker's answer to it.
	Reply Feedback
	// Reveal opens the code.
	Reveal struct {
		Code Code
		Salt common.Hash
	}
	// Dispute names the answers of the round that the breaker holds to be false, bit i for answer
	// i; none is a pass.
	Dispute uint32
)

func (m Commit) encode() []byte  { return m[:] }
func (m Call) encode() []byte    { return []byte{byte(m)} }
func (m Show) encode() []byte    { return coin.Shown(m).Bytes() }
func (m Guess) encode() []byte   { return binary.BigEndian.AppendUint16(nil, uint16(m)) }
func (m Reply) encode() []byte   { return []byte{byte(m)} }
func (m Reveal) encode() []byte  { return append(Guess(m.Code).encode(), m.Salt[:]...) }
func (m Dispute) encode() []byte { return binary.BigEndian.AppendUint32(nil, uint32(m)) }

func (rules) EncodeMove(m Move) []byte { return m.encode() }

func (rules) DecodeMove(s State, b []byte) (Move, error) {
	want := 0
	switch s.Phase {
	case Toss, Making:
		if want = 32; len(b) == want {
			return Commit(b), nil
		}
	case Calling:
		if want = 1; len(b) == want {
			return Call(b[0]), nil
		}
	case Showing:
		if want = coin.ShownSize; len(b) == want {
			return Show(coin.DecodeShown(b)), nil
		}
	case Guessing:
		if want = 2; len(b) == want {
			return Guess(binary.BigEndian.Uint16(b)), nil
		}
	case Answering:
		if want = 1; len(b) == want {
			return Reply(b[0]), nil
		}
	case Revealing:
		if want = 34; len(b) == want {
			return Reveal{Code(binary.BigEndian.Uint16(b)), common.Hash(b[2:])}, nil
		}
	case Disputing:
		if want = 4; len(b) == want {
			return Dispute(binary.BigEndian.Uint32(b)), nil
		}
	default:
		return nil, games.BadMove("the match is over")
	}
	return nil, games.BadMove("%d bytes, want %d", len(b), want)
}
