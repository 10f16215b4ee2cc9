package battleships

import (
	"testing"

	"github.com/ante-games/ante/games"
)

// A shot is at a cell of the board, and at one that this seat has not shot at.
func TestChecklist_Battleships_05_Shots(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := started(t, r, proving, 0, fleets)
		for c := boardCells; c < 256; c++ {
			b.refuse(Shot(c))
		}
		for range 60 {
			s := b.Now()
			shots := s.Boards[1-s.Seat].Shots
			for rest := shots; rest != 0; rest &= rest - 1 {
				b.refuse(Shot(rest.first()))
			}
			b.play(Shot((^shots).first())).answer(fleets[1-s.Seat])
		}
	})
}

// Whoever is on turn, to shoot or to answer, may open its board in place of that, and nobody else
// may; then the other has to open its own, and can do nothing else.
func TestChecklist_Battleships_08_RevealOnTurn(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		b := newBoard(t, r, proving).hide(fleets)
		for _, m := range []Move{b.toss(1), Call{0, b.trees[1].root()}, Show{1, salt}} {
			b.refuse(b.open(0, fleets[0])).refuse(b.open(1, fleets[1])).play(m)
		}
		for _, first := range []uint8{0, 1} { // seat 0 to shoot, then seat 1 to answer
			b.refuse(b.open(1-first, fleets[1-first]))
			opened := *b
			opened.play(b.open(first, fleets[first])).refuse(Shot(1)).refuse(Answer{}).refuse(b.open(first, fleets[first]))
			if got := opened.Mover(); got != 1-first {
				t.Errorf("seat %d has to open second, want %d", got, 1-first)
			}
			opened.play(b.open(1-first, fleets[1-first])).ends(first, false, "early reveal")
			if first == 0 {
				b.play(Shot(9))
			}
		}
	})
}

// Who opens its board first wins only when all 18 cells are hit; with one left the other opens,
// too, and wins.
func TestChecklist_Battleships_11_AllHit(t *testing.T) {
	engines(t, func(t *testing.T, r games.Rules) {
		last := fleets[1] & -fleets[1]
		b := started(t, r, proving, 0, fleets).shoot(fleets[1] &^ last)
		early := *b
		early.play(b.open(0, fleets[0])).play(b.open(1, fleets[1])).ends(0, false, "early reveal")
		b.shoot(last).play(b.open(0, fleets[0])).ends(1, false, "")
	})
}
