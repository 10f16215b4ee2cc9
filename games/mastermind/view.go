package mastermind

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
)

// View is a position for people.
type View struct {
	Phase string `json:"phase"`
	// of the seat that looks: maker or breaker; empty before the coin has fallen
	Role    string    `json:"role"`
	Round   int       `json:"round"` // from 1; 0 before the coin has fallen
	Rounds  int       `json:"rounds"`
	Pegs    int       `json:"pegs"`
	Colours int       `json:"colours"`
	Guesses int       `json:"guesses"` // the most in a round
	Points  [2]int    `json:"points"`  // by seat
	Seat    int       `json:"seat"`
	Rows    []ViewRow `json:"rows"`              // of this round
	Pending string    `json:"pending,omitempty"` // the guess that is not answered yet
	Code    string    `json:"code,omitempty"`    // opened, and open to dispute
	Ending  string    `json:"ending,omitempty"`  // win, loss or draw, when the match is over
	Reason  string    `json:"reason,omitempty"`  // why, if not by points
}

// ViewRow is a guess and its answer.
type ViewRow struct {
	Guess string `json:"guess"`
	Right int    `json:"right"`
	Wrong int    `json:"wrong"`
}

var phaseNames = [...]string{
	Toss: "toss", Calling: "call", Showing: "show", Making: "commit", Guessing: "guess", Answering: "feedback",
	Revealing: "reveal", Disputing: "dispute", Over: "over",
}

// String names the phase.
func (f Phase) String() string { return phaseNames[f] }

func (player) View(t seat) games.View {
	p, s := t.Params, t.State
	v := View{
		Phase: s.Phase.String(), Rounds: int(p.Rounds), Pegs: int(p.Pegs), Colours: int(p.Colours), Guesses: int(p.Guesses),
		Points: [2]int{int(s.Points[0]), int(s.Points[1])}, Seat: int(t.Seat), Rows: []ViewRow{},
	}
	if s.Phase >= Making {
		v.Round, v.Role = int(s.Round)+1, "breaker"
		if t.Seat == s.Maker {
			v.Role = "maker"
		}
	}
	for _, e := range s.Transcript {
		v.Rows = append(v.Rows, ViewRow{e.Guess.Text(p.Pegs), int(e.Answer.Right()), int(e.Answer.Wrong())})
	}
	switch s.Phase {
	case Answering:
		v.Pending = s.Guess.Text(p.Pegs)
	case Disputing:
		v.Code = s.Code.Text(p.Pegs)
	case Over:
		v.Ending, v.Reason = ending(s, t.Seat), s.Ending.reason()
	}
	return v
}

func ending(s State, seat uint8) string {
	switch {
	case s.draw():
		return "draw"
	case s.loser() == seat:
		return "loss"
	default:
		return "win"
	}
}

// String draws the view for a terminal.
func (v View) String() string {
	var b strings.Builder
	if v.Round == 0 {
		return "A coin decides who makes the first code.\n"
	}
	you, other := v.Points[v.Seat&1], v.Points[1-v.Seat&1]
	fmt.Fprintf(&b, "Round %d of %d, you are the %s. Points: you %d, opponent %d.\n", v.Round, v.Rounds, v.Role, you, other)
	for i, r := range v.Rows {
		fmt.Fprintf(&b, "%3d. %s   %s%s%s\n", i+1, spaced(r.Guess),
			strings.Repeat("●", r.Right), strings.Repeat("○", r.Wrong), strings.Repeat("·", max(0, v.Pegs-r.Right-r.Wrong)))
	}
	if v.Pending != "" {
		fmt.Fprintf(&b, "%3d. %s   ?\n", len(v.Rows)+1, spaced(v.Pending))
	}
	if v.Code != "" {
		fmt.Fprintf(&b, "The code was %s.\n", spaced(v.Code))
	}
	if v.Ending != "" {
		b.WriteString(games.Over(v.Ending, v.Reason))
	}
	return b.String()
}

func spaced(digits string) string { return strings.Join(strings.Split(digits, ""), " ") }

func (player) Describe(p Params, s State, m Move) string {
	switch m := m.(type) {
	case Commit:
		if s.Phase == Toss {
			return "tosses a coin and covers it"
		}
		return fmt.Sprintf("hides a code for round %d", s.Round+1)
	case Call:
		return "calls " + coin.Name(uint8(m))
	case Show:
		return "shows " + coin.Name(m.Side)
	case Guess:
		return "guesses " + Code(m).Text(p.Pegs)
	case Reply:
		return "answers " + Feedback(m).String()
	case Reveal:
		if !m.Code.Legal(p) {
			return "opens what is no code"
		}
		return "opens the code " + m.Code.Text(p.Pegs)
	case Dispute:
		return m.describe()
	default:
		return ""
	}
}

func (m Dispute) describe() string {
	if m == 0 {
		return "disputes nothing"
	}
	return "disputes answer " + m.list()
}

// list names the answers by their numbers, from 1.
func (m Dispute) list() string {
	var list []string
	for i := range MaxGuesses {
		if m>>i&1 == 1 {
			list = append(list, fmt.Sprint(i+1))
		}
	}
	return strings.Join(list, ", ")
}

// example is a code that shows how to type one.
func example(p Params) string {
	var c Code
	for i := range p.Pegs {
		c |= Code(i%p.Colours) << (3 * i)
	}
	return c.Text(p.Pegs)
}
