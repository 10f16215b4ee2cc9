package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
)

// view is a position for people.
type view struct {
	Phase string `json:"phase"` // play, chance or over
	Seat  int    `json:"seat"`
	Mover int    `json:"mover"` // -1: no seat
	// by the manifest; nothing if the state has another form
	Position json.RawMessage `json:"position,omitempty"`
	State    string          `json:"state"`
	Board    []string        `json:"board,omitempty"`
	Upwards  bool            `json:"upwards,omitempty"` // the board's last row is its first cells
	Moves    []Move          `json:"moves,omitempty"`   // the kinds there are
	Legal    []string        `json:"legal,omitempty"`   // as they are typed: those found that the seat may make now
	Ending   string          `json:"ending,omitempty"`  // win, loss or draw
	Reason   string          `json:"reason,omitempty"`
}

// String draws the view for a terminal.
func (v view) String() string {
	var b strings.Builder
	for _, row := range v.Board {
		b.WriteString("  " + row + "\n")
	}
	if v.Board == nil {
		if v.Position != nil {
			fmt.Fprintf(&b, "%s\n", v.Position)
		} else {
			fmt.Fprintf(&b, "%s\n", v.State)
		}
	}
	switch {
	case v.Ending != "":
		b.WriteString(games.Over(v.Ending, v.Reason))
	case v.Mover == v.Seat:
		fmt.Fprintf(&b, "You are seat %d, and on move.\n", v.Seat)
	case v.Mover < 0:
		b.WriteString("The chain moves.\n")
	default:
		fmt.Fprintf(&b, "You are seat %d; seat %d moves.\n", v.Seat, v.Mover)
	}
	return b.String()
}

// draw returns the rows of a board.
func (b *Board) draw(cells []byte) []string {
	signs := []rune(b.Signs)
	var rows []string
	for len(cells) > 0 {
		row := make([]string, min(b.Width, len(cells)))
		for i, c := range cells[:len(row)] {
			row[i] = "?"
			if int(c) < len(signs) {
				row[i] = string(signs[c])
			}
		}
		rows, cells = append(rows, strings.Join(row, " ")), cells[len(row):]
	}
	if b.Upwards {
		slices.Reverse(rows)
	}
	return rows
}
