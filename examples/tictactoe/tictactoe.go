// Package tictactoe is tictactoe for two: the rules, equal to TicTacToe.sol byte for byte.
package tictactoe

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

//go:embed TicTacToe.bin
var contract string

// Game is the entry for a catalog.
func Game() games.Game {
	r := games.Bytes(rules{})
	return games.Game{
		Name: "tictactoe", Summary: "three in a line win the pot",
		Rules: r, Params: games.Numbers{}, Player: foreign.NewPlayer(manifest, r),
		Turns:    func([]byte) (uint64, error) { return 9, nil },
		Contract: common.FromHex(strings.TrimSpace(contract)),
	}
}

// manifest tells people about states and moves.
var manifest = &foreign.Manifest{
	Position: []foreign.Field{{Name: "cells", Count: 9}, {Name: "ending"}},
	Moves:    []foreign.Move{{Name: "take", Fields: []foreign.Field{{Name: "cell", Max: 8}}}},
	Board:    &foreign.Board{Field: "cells", Width: 3, Signs: ".XO"},
}

// State is the cells by row (0 empty, else the seat + 1), then how the match ended.
type State [10]byte

// How a match ended; seat 0's comes first, seat 1's is one more.
const playing, won, full, silent = 0, 1, 3, 4

// Move is the cell that the mover takes.
type Move uint8

// rules implements games.Typed. There are no parameters.
type rules struct{}

func (rules) EncodeState(s State) []byte { return s[:] }
func (rules) EncodeMove(m Move) []byte   { return []byte{byte(m)} }

func (rules) DecodeParams(b []byte) (struct{}, error) {
	_, err := games.Numbers{}.Values(b)
	return struct{}{}, err
}

func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) != len(s) || slices.Max(b[:9]) > 2 || b[9] > silent+1 {
		return s, fmt.Errorf("%w state", games.ErrIllegal)
	}
	return State(b), nil
}

func (rules) DecodeMove(_ State, b []byte) (Move, error) {
	if len(b) != 1 || b[0] > 8 {
		return 0, fmt.Errorf("%w move", games.ErrIllegal)
	}
	return Move(b[0]), nil
}

func (rules) Start(c *games.Context, _ struct{}) (State, error) {
	_, err := games.Pot(c.Stakes) // two of them
	return State{}, err
}

// Mover is seat 0 while an odd number of cells is free.
func (rules) Mover(s State) uint8 {
	if s[9] != playing {
		return games.Nobody
	}
	return uint8(1 - bytes.Count(s[:9], []byte{0})%2)
}

func (r rules) Play(_ *games.Context, _ struct{}, s State, m Move) (State, error) {
	if s[9] != playing || s[m] != 0 {
		return s, fmt.Errorf("%w move: the cell is taken, or the match over", games.ErrIllegal)
	}
	seat := r.Mover(s)
	if s[m] = seat + 1; s.line(seat + 1) {
		s[9] = won + seat
	} else if bytes.IndexByte(s[:9], 0) < 0 {
		s[9] = full
	}
	return s, nil
}

func (r rules) Expire(_ *games.Context, _ struct{}, s State) (State, error) {
	if s[9] != playing {
		return s, fmt.Errorf("%w: the match is over", games.ErrIllegal)
	}
	s[9] = silent + r.Mover(s)
	return s, nil
}

func (rules) Outcome(s State, stakes []uint256.Int) (o games.Outcome, err error) {
	pot, err := games.Pot(stakes)
	if err != nil || s[9] == playing {
		return o, fmt.Errorf("%w outcome", games.ErrIllegal)
	}
	o.Payouts = make([]uint256.Int, 2)
	o.Payouts[s.winner()] = *pot
	if s[9] == full {
		o.Payouts[1].Rsh(pot, 1)
		o.Payouts[0].Sub(pot, &o.Payouts[1])
	} else if s[9] >= silent {
		copy(o.Reason[:], "silence")
	}
	return o, nil
}

// winner is the seat that won: the one with the line, or that wasn't silent.
func (s State) winner() uint8 { return (s[9] - won) % 2 }

func (s State) line(mark byte) bool {
	for _, l := range [...][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if s[l[0]] == mark && s[l[1]] == mark && s[l[2]] == mark {
			return true
		}
	}
	return false
}
