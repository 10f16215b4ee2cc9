package battleships

import (
	"fmt"
	"io"
	"strings"

	"github.com/ante-games/ante/games"
)

// The fleet: how many ships there are of each length, and the cells they have together.
var fleetOf = [5]uint8{2: 4, 3: 2, 4: 1}

const fleetCells = 18

// Legal reports whether the cells are one ship of 4, two of 3 and four of 2: straight, without a
// side or corner in common.
func (s Cells) Legal() bool {
	// No two cells touch by a corner, so whatever hangs together is straight. Then the numbers of
	// single cells, and of two, three and four in a row, tell how many ships of each length there
	// are.
	down := s & (s >> 9) &^ lastCol
	up := s & (s >> 7) &^ firstCol
	row2, col2 := s&(s>>1)&^lastCol, s&(s>>side)
	row3, col3 := row2&(row2>>1)&^lastCol, col2&(col2>>side)
	row4, col4 := row3&(row3>>1)&^lastCol, col3&(col3>>side)
	return down|up == 0 && s.Count() == fleetCells && row2.Count()+col2.Count() == 11 &&
		row3.Count()+col3.Count() == 4 && row4.Count()+col4.Count() == 1
}

// ship is a place that a ship can have.
type ship struct {
	cells  Cells
	beside Cells // the cells that touch it
	length int
}

// places lists all places of ships, the longest first.
var places = func() (list []ship) {
	for length := 4; length >= 2; length-- {
		for i := range Cell(boardCells) {
			var row, col Cells
			for k := range Cell(length) {
				row |= (i + k).set()
				col |= (i + side*k).set()
			}
			if int(i%side)+length <= side {
				list = append(list, ship{row, row.halo() &^ row, length})
			}
			if int(i/side)+length <= side {
				list = append(list, ship{col, col.halo() &^ col, length})
			}
		}
	}
	return list
}()

// ofLength are the places of ships of each length, and covering those that cover each cell, in the
// order of places.
var ofLength, covering = func() (length [5][]ship, cell [boardCells][]ship) {
	for _, s := range places {
		length[s.length] = append(length[s.length], s)
		for rest := s.cells; rest != 0; rest &= rest - 1 {
			cell[rest.first()] = append(cell[rest.first()], s)
		}
	}
	return length, cell
}()

// randomFleet returns one of all legal fleets, each as likely as another: ships are put anywhere
// until none touch.
func randomFleet(random io.Reader) (Cells, error) {
	for {
		fleet, full := Cells(0), true
		for length := 4; length >= 2 && full; length-- {
			list := ofLength[length]
			for range fleetOf[length] {
				i, err := games.Below(random, len(list))
				if err != nil {
					return 0, err
				}
				if full = list[i].cells&fleet.halo() == 0; !full {
					break
				}
				fleet |= list[i].cells
			}
		}
		if full {
			return fleet, nil
		}
	}
}

// parseFleet reads seven ships, each by its first and last cell: a1-a4. Spaces and commas stand
// between ships; their order, and that of their ends, does not matter.
func parseFleet(text string) (Cells, error) {
	var fleet Cells
	left := fleetOf
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		cells, err := parseShip(word)
		if err != nil {
			return 0, err
		}
		n := cells.Count()
		switch {
		case n < 2 || n > 4:
			return 0, fmt.Errorf("%w: %s has %d cells, ships have 2 to 4", games.ErrText, word, n)
		case left[n] == 0:
			return 0, fmt.Errorf("%w: %s is one ship of %d too many, there are %d", games.ErrText, word, n, fleetOf[n])
		case cells&fleet.halo() != 0:
			return 0, fmt.Errorf("%w: %s touches another ship, as none may, not even by a corner", games.ErrText, word)
		}
		left[n]--
		fleet |= cells
	}
	if missing := describeShips(left); missing != "" {
		return 0, fmt.Errorf("%w: %s missing, want ships by their ends, such as %s, or random", games.ErrText, missing, exampleFleet)
	}
	return fleet, nil
}

func parseShip(word string) (Cells, error) {
	from, to, found := strings.Cut(word, "-")
	if !found {
		return 0, fmt.Errorf("%w: %q is no ship, want its first and last cell, such as a1-a4", games.ErrText, word)
	}
	a, err := parseCell(from)
	if err != nil {
		return 0, err
	}
	b, err := parseCell(to)
	if err != nil {
		return 0, err
	}
	a, b = min(a, b), max(a, b)
	step := Cell(1)
	if a%side == b%side {
		step = side
	} else if a/side != b/side {
		return 0, fmt.Errorf("%w: %s is not straight", games.ErrText, word)
	}
	var cells Cells
	for c := a; c <= b; c += step {
		cells |= c.set()
	}
	return cells, nil
}

// exampleFleet shows how to type one.
const exampleFleet = "a1-a4 c1-c3 e1-e3 g1-g2 h4-h5 c5-c6 e5-e6"

// describeShips says how many ships of each length there are.
func describeShips(count [5]uint8) string {
	var list []string
	for length := 4; length >= 2; length-- {
		if count[length] > 0 {
			list = append(list, fmt.Sprintf("%d of %d cells", count[length], length))
		}
	}
	return strings.Join(list, ", ")
}

// Text lists the ships by their ends, as they are typed; of cells that are no legal fleet, each
// straight piece.
func (s Cells) Text() string {
	var list []string
	for rest := s; rest != 0; {
		a := rest.first()
		step := Cell(1)
		if a%side == side-1 || !s.Has(a+1) {
			step = side
		}
		b := a
		for int(b)+int(step) < boardCells && rest.Has(b+step) && (step == side || b%side < side-1) {
			b += step
		}
		for c := a; c <= b; c += step {
			rest &^= c.set()
		}
		if a == b {
			list = append(list, a.String())
		} else {
			list = append(list, a.String()+"-"+b.String())
		}
	}
	return strings.Join(list, " ")
}
