package sumscows

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
)

// View is a position for people.
type View struct {
	Phase   string    `json:"phase"`
	Role    string    `json:"role"` // of the seat that looks: player or server
	Seat    int       `json:"seat"`
	N       int       `json:"n"` // letters of the alphabet
	D       int       `json:"d"` // letters of a list
	Guesses int       `json:"guesses"`
	Fee     string    `json:"fee"` // amounts in wei or token units, as decimals
	Prize   string    `json:"prize"`
	Paid    string    `json:"paid"` // fees so far; in the end what the player pays
	Rows    []ViewRow `json:"rows"`
	Pending string    `json:"pending,omitempty"` // the guess that has no result yet
	Cause   string    `json:"cause,omitempty"`   // why the server has to open its list
	List    string    `json:"list,omitempty"`    // the hidden list, opened
	// what the server pays the player in the end, if anything
	Won    string `json:"won,omitempty"`
	Ending string `json:"ending,omitempty"` // win or loss, when the match is over
	Reason string `json:"reason,omitempty"` // why, if not by play
}

// ViewRow is a guess and its result.
type ViewRow struct {
	Guess  string `json:"guess"`
	Common int    `json:"common"`
	Sum    int    `json:"sum"`
	Found  bool   `json:"found,omitempty"`
}

var phaseNames = [...]string{Committing: "commit", Guessing: "guess", Answering: "answer", Opening: "open", Over: "over"}

// String names the phase.
func (f Phase) String() string { return phaseNames[f] }

func (player) View(t seat) games.View {
	p, s := t.Params, t.State
	fees := p.fees(len(s.Transcript))
	v := View{
		Phase: s.Phase.String(), Role: "player", Seat: int(t.Seat), N: int(p.N), D: int(p.D), Guesses: int(p.Guesses),
		Fee: p.Fee.Dec(), Prize: p.Prize.Dec(), Paid: fees.Dec(), Rows: []ViewRow{}, Pending: s.Guess.String(),
	}
	if t.Seat == Server {
		v.Role = "server"
	}
	for _, e := range s.Transcript {
		v.Rows = append(v.Rows, ViewRow{e.Guess.String(), e.Answer.Common(), e.Answer.Sum(), e.Answer.Found()})
	}
	switch s.Phase {
	case Opening:
		v.Cause = s.cause()
	case Over:
		v.Paid, v.Ending, v.Reason = s.Fees.Dec(), "loss", s.Ending.reason()
		if s.won() == (t.Seat == Player) {
			v.Ending = "win"
		}
		if !s.Prize.IsZero() {
			v.Won = s.Prize.Dec()
		}
		if list, legal := listOf(s.Secret, p); legal {
			v.List = list.String()
		}
	}
	return v
}

// won reports whether the player has won: the prize, or by the server's fault.
func (s *State) won() bool { return s.Ending >= FalseResult || !s.Prize.IsZero() }

func (s *State) cause() string {
	switch {
	case s.Cause == Ended:
		return "the player stops"
	case s.Cause == Accused:
		return "the player claims misbehaviour"
	case s.Cause == Silent:
		return "the player is silent"
	case s.found():
		return "the list is found"
	default:
		return "no guess is left"
	}
}

// String draws the view for a terminal.
func (v View) String() string { return v.Text(games.Plain) }

// Text implements games.Priced.
func (v View) Text(amount func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d letters of A..%c, you are the %s. Fee for a guess %s, prize %s, fees so far %s.\n",
		v.D, 'A'+v.N-1, v.Role, amount(v.Fee), amount(v.Prize), amount(v.Paid))
	for i, r := range v.Rows {
		fmt.Fprintf(&b, "%3d. %s   ", i+1, r.Guess)
		if r.Found {
			b.WriteString("found\n")
		} else {
			fmt.Fprintf(&b, "%d in common, sum %d\n", r.Common, r.Sum)
		}
	}
	if v.Pending != "" {
		fmt.Fprintf(&b, "%3d. %s   ?\n", len(v.Rows)+1, v.Pending)
	}
	if v.Cause != "" {
		fmt.Fprintf(&b, "The server opens its list: %s.\n", v.Cause)
	}
	if v.List != "" {
		fmt.Fprintf(&b, "The hidden list was %s.\n", v.List)
	}
	if v.Ending != "" {
		b.WriteString(games.Over(v.Ending, v.Reason))
	}
	return b.String()
}

func (player) Describe(p Params, _ State, m Move) string {
	switch m := m.(type) {
	case Commit:
		return "hides a list"
	case Guess:
		return "guesses " + List(m).String()
	case Claim:
		if m == Misbehaviour {
			return "claims misbehaviour"
		}
		return "claims the end"
	case Reply:
		return "answers " + Answer(m).String()
	case Reveal:
		if list, legal := listOf(m.Secret, p); legal {
			return "opens the list " + list.String()
		}
		return "opens what is no list"
	default:
		return ""
	}
}
