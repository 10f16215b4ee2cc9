package battleships

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
	"github.com/ethereum/go-ethereum/common"
)

// Move is one of the moves below. Which of them a move's bytes are follows from the phase and their
// number.
type Move interface {
	encode() []byte
	play(c *games.Context, p Params, s State) (State, error)
}

// The moves, in the order of their phases.
type (
	// Commit publishes seat 0's board and its side of the coin.
	Commit struct{ Root, Coin common.Hash }
	// Call calls the coin, and publishes seat 1's board.
	Call struct {
		Side uint8
		Root common.Hash
	}
	// Show opens the coin.
	Show coin.Shown
	// Shot is a shot at a cell of the other's board.
	Shot Cell
	// Answer says whether a ship is there, with its proof unless answers are trusted.
	Answer struct {
		Ship  uint8
		Proof *Proof
	}
	// Reveal opens the mover's board.
	Reveal struct {
		Fleet  Cells
		Secret common.Hash
	}
)

// revealSize is the length of a Reveal.
const revealSize = 8 + 32

func (m Commit) encode() []byte { return append(m.Root[:], m.Coin[:]...) }
func (m Call) encode() []byte   { return append([]byte{m.Side}, m.Root[:]...) }
func (m Show) encode() []byte   { return coin.Shown(m).Bytes() }
func (m Shot) encode() []byte   { return []byte{byte(m)} }
func (m Answer) encode() []byte {
	b := []byte{m.Ship}
	if m.Proof != nil {
		b = append(b, m.Proof[:]...)
	}
	return b
}
func (m Reveal) encode() []byte { return append(appendCells(nil, m.Fleet), m.Secret[:]...) }

func (rules) EncodeMove(m Move) []byte { return m.encode() }

func (rules) DecodeMove(s State, b []byte) (Move, error) {
	n := len(b)
	switch {
	case s.Phase == Over:
		return nil, games.BadMove("the match is over")
	case s.Phase == Toss && n == 64:
		return Commit{common.Hash(b[:32]), common.Hash(b[32:])}, nil
	case s.Phase == Calling && n == 33:
		return Call{b[0], common.Hash(b[1:])}, nil
	case s.Phase == Showing && n == coin.ShownSize:
		return Show(coin.DecodeShown(b)), nil
	case s.Phase >= Shooting && n == revealSize:
		return Reveal{cellsAt(b, 0), common.Hash(b[8:])}, nil
	case s.Phase == Shooting && n == 1:
		return Shot(b[0]), nil
	case s.Phase == Answering && n == 1:
		return Answer{Ship: b[0]}, nil
	case s.Phase == Answering && n == 1+proofSize:
		p := Proof(b[1:])
		return Answer{b[0], &p}, nil
	}
	return nil, games.BadMove("%d bytes in phase %v", n, s.Phase)
}
