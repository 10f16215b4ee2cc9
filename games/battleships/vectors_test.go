package battleships

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// hexCells is a board as the vectors write it.
type hexCells Cells

func (h *hexCells) UnmarshalText(b []byte) error {
	v, err := strconv.ParseUint(string(b), 16, 64)
	*h = hexCells(v)
	return err
}

type vectors struct {
	Constants struct {
		ShipCells            int    `json:"ship_cells"`
		ValidPlacementsTotal uint64 `json:"valid_placements_total"`
	}
	Cases struct {
		Placement []struct {
			Position hexCells
			Valid    bool
			Why      string
		}
		Shot []struct {
			Position hexCells
			Index    Cell
			Row, Col Cell
			Hit      bool
		}
		Answers []struct {
			Position, Guessed, Hits hexCells
			OK, Malformed           bool
		}
		Reveal []struct {
			FirstReveal bool `json:"first_reveal"`
			Player      uint8
			Position    hexCells
			Guessed     hexCells
			Hits        hexCells
			OnOpponent  hexCells `json:"hits_claimed_on_opponent"`
			Winner      *uint8
		}
	}
}

func load(t *testing.T) (v vectors) {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if c := v.Cases; len(c.Placement) != 311 || len(c.Shot) != 150 || len(c.Answers) != 100 || len(c.Reveal) != 100 {
		t.Fatal("vectors are missing")
	}
	return v
}

// A board that is opened at once convicts unless it is a legal fleet.
func TestVectors_Placement(t *testing.T) {
	cases := load(t).Cases.Placement
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			fleet := Cells(v.Position)
			if fleet.Legal() != v.Valid {
				t.Errorf("%x (%s): legal %v", fleet, v.Why, fleet.Legal())
			}
			b := started(t, r, proving, 0, [2]Cells{fleet, fleets[1]}).play(b0(fleet))
			if v.Valid {
				b.play(Reveal{fleets[1], secrets[1]}).ends(0, false, "early reveal")
			} else {
				b.ends(0, true, "bad fleet")
			}
		}
	})
}

func b0(fleet Cells) Reveal { return Reveal{fleet, secrets[0]} }

// The true answer is the only one that has a proof.
func TestVectors_Shot(t *testing.T) {
	cases := load(t).Cases.Shot
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			if v.Index != v.Row*8+v.Col {
				t.Fatalf("cell %d is not row %d, column %d", v.Index, v.Row, v.Col)
			}
			b := started(t, r, proving, 0, [2]Cells{fleets[0], Cells(v.Position)}).play(Shot(v.Index))
			ship, shooter := uint8(0), uint8(1)
			if v.Hit {
				ship, shooter = 1, 0
			}
			b.refuse(b.reply(1 - ship)).play(b.reply(ship))
			if s := b.Now(); s.Seat != shooter || s.Boards[1].Shots != v.Index.set() || s.Boards[1].Hits.Has(v.Index) != v.Hit {
				t.Errorf("%x at %d: %+v", v.Position, v.Index, s)
			}
		}
	})
}

// shotsAt is a position in which so many shots were fired at both boards, and a seat is to shoot.
func (b *board) shotsAt(seat uint8, own, other Board) *board {
	s := State{Phase: Shooting, Seat: seat, Roots: [2]common.Hash{b.trees[0].root(), b.trees[1].root()}}
	s.Boards[seat], s.Boards[1-seat] = own, other
	s.Turn = uint16(3 + 2*(own.Shots.Count()+other.Shots.Count()))
	return b.at(s)
}

// An opened board convicts if an answer was wrong. Hits without a shot are no position. Positions
// of the vectors need not be legal fleets; those that are none convict for that.
func TestVectors_Answers(t *testing.T) {
	cases := load(t).Cases.Answers
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			fleet := Cells(v.Position)
			b := newBoard(t, r, trusting).hide([2]Cells{fleet, fleets[1]})
			b.shotsAt(0, Board{Cells(v.Guessed), Cells(v.Hits)}, Board{})
			if v.Malformed {
				if _, err := r.Play(b.C, b.State, b0(fleet).encode()); err == nil {
					t.Errorf("%+v: hits without shots are accepted", v)
				}
				continue
			}
			b.play(b0(fleet))
			switch {
			case !fleet.Legal():
				b.ends(0, true, "bad fleet")
			case !v.OK:
				b.ends(0, true, "false answer")
			default:
				b.play(Reveal{fleets[1], secrets[1]}).ends(0, false, "early reveal")
			}
		}
	})
}

// Who wins when a board is opened, first or second; nobody yet when the other has to open too.
func TestVectors_Reveal(t *testing.T) {
	cases := load(t).Cases.Reveal
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			fleet, seat := Cells(v.Position), v.Player
			b := newBoard(t, r, trusting)
			both := [2]Cells{fleets[0], fleets[0]}
			both[seat] = fleet
			b.hide(both)
			own, other := Board{Cells(v.Guessed), Cells(v.Hits)}, Board{Cells(v.OnOpponent), Cells(v.OnOpponent)}
			b.shotsAt(seat, own, other)
			if !v.FirstReveal {
				s := b.Now()
				s.Phase, s.Fleets[1-seat] = Revealing, fleets[0]
				s.Turn++
				b.at(s)
			}
			b.play(Reveal{fleet, secrets[seat]})
			s := b.Now()
			switch {
			case v.Winner == nil && (s.Phase != Revealing || s.Seat != 1-seat):
				t.Errorf("%+v: %+v, want the other to open", v, s)
			case v.Winner != nil && (s.Phase != Over || s.Seat != 1-*v.Winner):
				t.Errorf("%+v: %+v, want seat %d to win", v, s, *v.Winner)
			}
		}
	})
}
