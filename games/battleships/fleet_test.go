package battleships

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// Legal agrees with looking at every ship there could be.
func TestLegal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := rand.NewChaCha8([32]byte{1})
	legal := 0
	var some Cells
	for i := range 20_000 {
		if i%200 == 0 {
			var err error
			if some, err = randomFleet(random); err != nil {
				t.Fatal(err)
			}
		}
		fleet := some
		for range r.IntN(3) { // a cell moved, taken or added, usually not for the better
			fleet ^= Cell(r.IntN(boardCells)).set()
		}
		want := covered(fleet)
		if fleet.Legal() != want {
			t.Fatalf("%v: legal %v, want %v", fleet.Text(), fleet.Legal(), want)
		}
		if want {
			legal++
		}
	}
	if legal < 1000 || legal > 19_000 {
		t.Errorf("%d of 20000 are legal: too few of one kind to tell", legal)
	}
}

// covered takes a fleet apart, piece by piece, as a person would.
func covered(fleet Cells) bool {
	left := fleetOf
	for fleet != 0 {
		piece := fleet & -fleet
		for grown := piece.halo() & fleet; grown != piece; grown = piece.halo() & fleet {
			piece = grown
		}
		straight := false
		for _, s := range places {
			straight = straight || s.cells == piece
		}
		if !straight || left[piece.Count()] == 0 {
			return false
		}
		left[piece.Count()]--
		fleet &^= piece
	}
	return left == [5]uint8{}
}

func TestParseFleet(t *testing.T) {
	want := mustFleet(exampleFleet)
	for _, text := range []string{
		exampleFleet, strings.ToUpper(exampleFleet), strings.ReplaceAll(exampleFleet, " ", ", "), want.Text(),
		"e6-e5 c5-c6 h4-h5 g1-g2 e3-e1 c1-c3 a4-a1",
	} {
		if got, err := parseFleet(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got.Text(), err)
		}
	}
	for text, hint := range map[string]string{
		"":                      "missing",
		"a1-a4":                 "2 of 3 cells, 4 of 2 cells missing",
		"a1-a4 c1-c4":           "too many",
		"a1-b2":                 "not straight",
		"a1":                    "first and last cell",
		"a1-a9":                 `"a9" is no cell`,
		"i1-i2":                 "no cell",
		"a1-a1":                 "1 cells",
		"a1-e1":                 "5 cells",
		"a1-a4 b1-b3":           "touches",
		"a1-a4 b5-c5":           "not even by a corner",
		exampleFleet + " a6-a7": "too many",
		strings.Replace(exampleFleet, "a1-a4", "a1-a3", 1): "too many",
	} {
		if got, err := parseFleet(text); !errors.Is(err, games.ErrText) || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, %v, want an error with %q", text, got.Text(), err, hint)
		}
	}
}

// Every fleet is written so that it can be read again.
func TestText(t *testing.T) {
	random := rand.NewChaCha8([32]byte{3})
	for range 50 {
		fleet, err := randomFleet(random)
		if err != nil {
			t.Fatal(err)
		}
		if !fleet.Legal() {
			t.Fatalf("random fleet %v", fleet.Text())
		}
		if got, err := parseFleet(fleet.Text()); err != nil || got != fleet {
			t.Fatalf("%q: %v, %v", fleet.Text(), got.Text(), err)
		}
	}
	if got := (Cell(63).set() | Cell(7).set() | Cell(8).set()).Text(); got != "h1 a2 h8" {
		t.Errorf("%q", got)
	}
}
