package splitsteal

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// View is a position for people: what is staked, and what each choice leads to, from before anybody
// chooses.
type View struct {
	Phase string `json:"phase"`           // commit, open or over
	Role  string `json:"role"`            // of the seat that looks: X, Y or house
	Mover string `json:"mover,omitempty"` // X or Y
	// choosing, committed, split, steal, disqualified, or present where its choice was not needed
	X      string  `json:"x"`
	Y      string  `json:"y"`      // likewise
	House  bool    `json:"house"`  // whether there is one
	Stakes Amounts `json:"stakes"` // the bets, and what the house adds
	// the four pairs of choices, then the three ways to be disqualified
	Matrix []Cell   `json:"matrix"`
	Gets   *Amounts `json:"gets,omitempty"` // how it ended
}

// Amounts are decimal, in wei or token units.
type Amounts struct {
	X     string `json:"x"`
	Y     string `json:"y"`
	House string `json:"house"`
}

// Cell is who gets how much in one case. A player splits, steals, does either, or is disqualified.
type Cell struct {
	X    string  `json:"x"`
	Y    string  `json:"y"`
	Gets Amounts `json:"gets"`
}

// preview shows a match of these stakes before it starts, as one of its seats sees it.
func preview(p Params, stakes []uint256.Int, of uint8) (View, error) {
	c := &games.Context{Params: p.Bytes(), Stakes: stakes}
	s, err := rules{}.Start(c, p)
	if err != nil {
		return View{}, err
	}
	v := player{}.view(seat{Context: c, Params: p, State: s, Seat: of})
	v.Mover, v.X, v.Y = "", "", "" // nobody chooses yet
	return v, nil
}

const (
	disqualified = "disqualified"
	either       = "either"
)

func (b player) View(t seat) games.View { return b.view(t) }

func (player) view(t seat) View {
	p, s := t.Params, t.State
	v := View{
		Phase: [...]string{CommitX: "commit", CommitY: "commit", OpenX: "open", OpenY: "open", Over: "over"}[s.Phase],
		Role:  "house", House: p.House != NoHouse, X: s.status(X), Y: s.status(Y), Matrix: []Cell{},
	}
	for _, r := range []Role{X, Y} {
		if r.Seat(p.House) == t.Seat {
			v.Role = r.String()
		}
	}
	if s.Phase != Over {
		v.Mover = s.Phase.role().String()
	}
	stakes, err := NewStakes(p, t.Context.Stakes)
	if err != nil {
		return v // no match has such stakes
	}
	v.Stakes = amounts(Shares(stakes))
	v.Matrix = stakes.Cells(p)
	if s.Phase == Over {
		gets := amounts(s.shares(&stakes))
		v.Gets = &gets
	}
	return v
}

// Cells returns the whole matrix for people.
func (s *Stakes) Cells(p Params) []Cell {
	list := make([]Cell, 0, 7)
	for _, x := range []Choice{Split, Steal} {
		for _, y := range []Choice{Split, Steal} {
			list = append(list, Cell{x.String(), y.String(), amounts(s.Matrix(p, x, y))})
		}
	}
	return append(list,
		Cell{disqualified, either, amounts(s.Disqualified(p, X.bit()))},
		Cell{either, disqualified, amounts(s.Disqualified(p, Y.bit()))},
		Cell{disqualified, disqualified, amounts(s.Disqualified(p, X.bit()|Y.bit()))})
}

func amounts(s Shares) Amounts { return Amounts{s.X.Dec(), s.Y.Dec(), s.House.Dec()} }

// status says how far a player is.
func (s *State) status(r Role) string {
	switch {
	case s.Out>>r&1 != 0:
		return disqualified
	case s.Phase == Over && s.Out != 0:
		return "present"
	case s.Phase == Over, s.Phase == OpenY && r == X:
		return s.choice(r).String()
	case s.Phase > Phase(r):
		return "committed"
	default:
		return "choosing"
	}
}

// String draws the view for a terminal.
func (v View) String() string { return v.Text(exact) }

// Text implements games.Priced: the viewer's side first.
func (v View) Text(amount func(string) string) string {
	me, other, side := "X", "Y", func(x, y string) [2]string { return [2]string{x, y} }
	if v.Role != "house" {
		me, other = "you", "opponent"
	}
	if v.Role == "Y" {
		side = func(x, y string) [2]string { return [2]string{y, x} }
	}
	var b strings.Builder
	bets := side(v.Stakes.X, v.Stakes.Y)
	fmt.Fprintf(&b, "Bets: %s %s, %s %s", me, amount(bets[0]), other, amount(bets[1]))
	house := func(text string) string {
		if !v.House {
			return ""
		}
		return text
	}
	fmt.Fprintf(&b, "%s. Everybody gets, in all:\n", house("; the house stakes "+amount(v.Stakes.House)))
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0) // to a strings.Builder nothing fails
	fmt.Fprintf(w, "%s\t%s\t%s\t%s%s\n", "if "+me, "if "+other, me, other, house("\thouse"))
	for _, c := range v.Matrix {
		does, gets := side(c.X, c.Y), side(c.Gets.X, c.Gets.Y)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s%s\n", does[0], does[1], amount(gets[0]), amount(gets[1]), house("\t"+amount(c.Gets.House)))
	}
	_ = w.Flush()
	if are := side(v.X, v.Y); v.X != "" {
		fmt.Fprintf(&b, "Now: %s (%s), %s (%s).\n", me, are[0], other, are[1])
	}
	if v.Gets != nil {
		gets := side(v.Gets.X, v.Gets.Y)
		fmt.Fprintf(&b, "The match is over: %s %s, %s %s%s.\n", me, amount(gets[0]), other, amount(gets[1]), house(", house "+amount(v.Gets.House)))
	}
	return b.String()
}

// exact writes an amount with no digit lost, and long rows of zeros as a power of ten: 1.25e18.
func exact(decimal string) string {
	digits := strings.TrimRight(decimal, "0")
	if len(decimal)-len(digits) < 6 || digits == "" {
		return decimal
	}
	if len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return fmt.Sprintf("%se%d", digits, len(decimal)-1)
}
