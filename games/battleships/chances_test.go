package battleships

import (
	"math/rand/v2"
	"testing"
)

// The estimate of how many fleets there are comes near the number that counting them all gives (the
// vectors' constant).
func TestChances_Unbiased(t *testing.T) {
	want := load(t).Constants.ValidPlacementsTotal
	draws := 100_000
	if testing.Short() {
		draws = 20_000
	}
	cells, total := Board{}.chances(1, draws)
	got := total / 48 / uint64(draws) //nolint:gosec // positive
	t.Logf("%d fleets estimated, there are %d", got, want)
	if got < want*97/100 || got > want*103/100 {
		t.Errorf("%d fleets estimated, there are %d", got, want)
	}
	var sum uint64
	for _, c := range cells {
		sum += c / 1000
	}
	if n := sum / (total / 1000); n != fleetCells && n != fleetCells-1 { // rounded down
		t.Errorf("a fleet has %d cells on average, want %d", n, fleetCells)
	}
}

// With a few cells left, the chances are those that listing all fleets gives.
func TestChances_Exact(t *testing.T) {
	fleet := mustFleet(exampleFleet)
	b := Board{Shots: fleet &^ mustShip("e5-e6"), Hits: fleet &^ mustShip("e5-e6")}
	for c := range Cell(boardCells) {
		if !fleet.Has(c) && c%3 != 0 {
			b.Shots |= c.set()
		}
	}
	var want [boardCells]int
	all := 0
	k := b.sketch()
	for _, s := range places { // all ships but one of two cells are hit
		if f := b.Hits | s.cells; s.length == 2 && s.cells&k.closed == 0 && f.Legal() {
			all++
			for c := range want {
				if f.Has(Cell(c)) {
					want[c]++
				}
			}
		}
	}
	if all < 2 {
		t.Fatalf("%d fleets fit", all)
	}
	got, total := b.chances(1, 50_000)
	for c := range want {
		share, exact := got[c]*1000/total, uint64(want[c]*1000/all)
		if share+30 < exact || share > exact+30 {
			t.Errorf("%v: %d of 1000, want %d", Cell(c), share, exact)
		}
	}
}

// A board is impossible exactly when no fleet fits, also when only all of it together tells.
func TestPossible(t *testing.T) {
	fleet := mustFleet(exampleFleet)
	for name, v := range map[string]struct {
		b    Board
		want bool
	}{
		"nothing":             {Board{}, true},
		"all hit":             {Board{^Cells(0), fleet}, true},
		"a hit hidden":        {Board{^Cells(0), fleet & (fleet - 1)}, false},
		"a hit more":          {Board{^Cells(0), fleet | Cell(63).set()}, false},
		"a corner":            {Board{Cell(0).set() | Cell(9).set(), Cell(0).set() | Cell(9).set()}, false},
		"five in a row":       {Board{mustShip("a1-e1"), mustShip("a1-e1")}, false},
		"a lonely hit":        {Board{Cell(0).set().halo(), Cell(0).set()}, false},
		"no room":             {Board{0x5555555555555555, 0}, true},
		"no room in any line": {Board{0x55aa55aa55aa55aa, 0}, false},
	} {
		if got := v.b.possible(); got != v.want {
			t.Errorf("%s: possible %v, want %v", name, got, v.want)
		}
	}
}

// The bot finds fleets in far fewer shots than the 61 that shooting at random takes on average, and
// never shoots twice at a cell.
func TestBot_Shots(t *testing.T) {
	const limit = 40
	fleets := 20
	if testing.Short() { // the race detector's run, say
		fleets = 4
	}
	random := rand.NewChaCha8([32]byte{7})
	total, worst := 0, 0
	for range fleets {
		fleet, err := randomFleet(random)
		if err != nil {
			t.Fatal(err)
		}
		var b Board
		for b.Hits != fleet {
			c := b.best(random.Uint64())
			if b.Shots.Has(c) {
				t.Fatalf("shoots at %v again", c)
			}
			b.Shots |= c.set()
			b.Hits |= c.set() & fleet
		}
		total += b.Shots.Count()
		worst = max(worst, b.Shots.Count())
	}
	t.Logf("%.2f shots on average over %d fleets, at most %d", float64(total)/float64(fleets), fleets, worst)
	if total > limit*fleets {
		t.Errorf("%.2f shots on average, want at most %d", float64(total)/float64(fleets), limit)
	}
}

func BenchmarkBot(b *testing.B) {
	for name, board := range map[string]Board{"empty": {}, "mid": {0x00ff00ff00aa5500, 0x0000000000000100}} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				board.best(uint64(i))
			}
		})
	}
}
