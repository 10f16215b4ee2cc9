package battleships

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
)

// View is a position for people.
type View struct {
	Phase    string   `json:"phase"`
	Turn     string   `json:"turn"` // who moves: you or opponent; empty when the match is over
	Moves    int      `json:"moves"`
	Trusting bool     `json:"trusting"`
	Own      ViewSide `json:"own"`
	Other    ViewSide `json:"other"`
	Shot     string   `json:"shot,omitempty"`   // that is not answered yet
	Ending   string   `json:"ending,omitempty"` // win or loss, when the match is over
	Reason   string   `json:"reason,omitempty"` // why, if not because all was hit
}

// ViewSide is what is public of a board: "." not shot at, "o" a miss, "x" a hit, "?" a shot that is
// not answered yet, "#" a ship that was not hit, on a board that is opened.
type ViewSide struct {
	Rows   []string `json:"rows"` // row 1 first, column a first
	Shots  int      `json:"shots"`
	Hits   int      `json:"hits"` // of 18
	Opened bool     `json:"opened"`
}

var phaseNames = [...]string{
	Toss: "toss", Calling: "call", Showing: "show", Shooting: "shoot", Answering: "answer", Revealing: "reveal", Over: "over",
}

// String names the phase.
func (f Phase) String() string { return phaseNames[f] }

func (player) View(t seat) games.View {
	s := t.State
	v := View{
		Phase: s.Phase.String(), Moves: int(s.Turn), Trusting: t.Params.Trusting == 1,
		Own: s.side(t.Seat), Other: s.side(1 - t.Seat),
	}
	switch mover := (rules{}).Mover(s); mover {
	case games.Nobody:
		v.Ending, v.Reason = "win", s.Ending.reason()
		if s.Seat == t.Seat {
			v.Ending = "loss"
		}
	case t.Seat:
		v.Turn = "you"
	default:
		v.Turn = "opponent"
	}
	if s.Phase == Answering {
		v.Shot = s.Cell.String()
	}
	return v
}

func (s *State) side(seat uint8) ViewSide {
	b := s.Boards[seat]
	v := ViewSide{Rows: b.rows(s.Fleets[seat]), Shots: b.Shots.Count(), Hits: b.Hits.Count(), Opened: s.Fleets[seat] != 0}
	if s.Phase == Answering && seat != s.Seat {
		row := []byte(v.Rows[s.Cell/side])
		row[s.Cell%side] = '?'
		v.Rows[s.Cell/side] = string(row)
	}
	return v
}

// rows draws a board; fleet is what is known of it.
func (b Board) rows(fleet Cells) []string {
	rows := make([]string, side)
	for r := range rows {
		line := make([]byte, side)
		for c := range line {
			switch cell := Cell(r*side + c); {
			case b.Hits.Has(cell):
				line[c] = 'x'
			case b.Shots.Has(cell):
				line[c] = 'o'
			case fleet.Has(cell):
				line[c] = '#'
			default:
				line[c] = '.'
			}
		}
		rows[r] = string(line)
	}
	return rows
}

const letters = "a b c d e f g h"

// draw writes one board for a terminal.
func draw(rows []string) string {
	lines := []string{"   " + letters}
	for i, r := range rows {
		lines = append(lines, fmt.Sprintf("%2d %s", i+1, spaced(r)))
	}
	return strings.Join(lines, "\n")
}

// String draws the view for a terminal: the own board on the left, the other's on the right.
func (v View) String() string {
	var b strings.Builder
	if v.Moves < int(Shooting) && v.Ending == "" {
		return "Both place their fleets; a coin decides who shoots first.\n"
	}
	fmt.Fprintf(&b, "   %-15s      %s\n", fmt.Sprintf("yours: %d hit", v.Own.Hits), fmt.Sprintf("theirs: %d hit of %d", v.Other.Hits, fleetCells))
	fmt.Fprintf(&b, "   %s      %s\n", letters, letters)
	for i := range v.Own.Rows {
		fmt.Fprintf(&b, "%2d %s   %2d %s\n", i+1, spaced(v.Own.Rows[i]), i+1, spaced(v.Other.Rows[i]))
	}
	switch {
	case v.Ending != "":
		b.WriteString(games.Over(v.Ending, v.Reason))
	case v.Phase == "reveal" && v.Turn == "you":
		b.WriteString("The other opened its board: you have to open yours.\n")
	case v.Phase == "reveal":
		b.WriteString("Your board is open: the other has to open its own.\n")
	case v.Shot != "" && v.Turn == "you":
		b.WriteString("They shoot at " + v.Shot + ".\n")
	case v.Shot != "":
		b.WriteString("You shoot at " + v.Shot + ".\n")
	case v.Turn == "you":
		b.WriteString("It is your turn to shoot.\n")
	default:
		b.WriteString("They are about to shoot.\n")
	}
	return b.String()
}

func spaced(row string) string { return strings.Join(strings.Split(row, ""), " ") }

func (player) Describe(_ Params, s State, m Move) string {
	switch m := m.(type) {
	case Commit:
		return "hides a fleet, tosses a coin and covers it"
	case Call:
		return "hides a fleet and calls " + coin.Name(m.Side)
	case Show:
		return "shows " + coin.Name(m.Side)
	case Shot:
		return "shoots at " + Cell(m).String()
	case Answer:
		return "answers " + s.Cell.String() + ": " + [2]string{"miss", "hit"}[m.Ship&1]
	case Reveal:
		return "opens its board: " + m.Fleet.Text()
	default:
		return ""
	}
}
