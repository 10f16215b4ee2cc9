package battleships

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/ante-games/ante/games"
)

// Cells is a set of a board's cells: row r, column c is bit 8r + c.
type Cells uint64

// Cell is one cell: 8 × row + column. People write its column as a letter and its row from 1: a1 to
// h8.
type Cell uint8

const (
	side       = 8
	boardCells = side * side
	firstCol   = Cells(0x0101010101010101)
	lastCol    = firstCol << (side - 1)
)

func (c Cell) set() Cells { return 1 << c }

// String returns the cell as people write it.
func (c Cell) String() string { return string([]byte{'a' + byte(c%side), '1' + byte(c/side)}) }

// Has reports whether a cell is in the set.
func (s Cells) Has(c Cell) bool { return s>>c&1 == 1 }

// Count returns the number of cells.
func (s Cells) Count() int { return bits.OnesCount64(uint64(s)) }

// first returns the first cell of a set that is not empty.
func (s Cells) first() Cell { return Cell(bits.TrailingZeros64(uint64(s))) }

// halo returns the set with all cells that touch it, by a side or a corner.
func (s Cells) halo() Cells {
	s |= s&^lastCol<<1 | s&^firstCol>>1
	return s | s<<side | s>>side
}

// parseCell reads a cell such as e4 or E4.
func parseCell(text string) (Cell, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	if len(t) != 2 || t[0] < 'a' || t[0] > 'h' || t[1] < '1' || t[1] > '8' {
		return 0, fmt.Errorf("%w: %q is no cell, want a letter a..h and a digit 1..8, such as e4", games.ErrText, text)
	}
	return Cell(t[1]-'1')*side + Cell(t[0]-'a'), nil
}
