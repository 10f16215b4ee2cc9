package mastermind

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// Each phase in which people choose is asked for in its own words, with numbers counted from 1; the
// others ask and take nothing.
func TestPlayer_AskAndChoose(t *testing.T) {
	lied := State{Phase: Disputing, Code: digits(0, 1, 2, 3), Transcript: []Entry{{digits(0, 1, 2, 3), 0}, {digits(4, 4, 4, 4), 0}}}
	guessing := State{Phase: Guessing, Transcript: lied.Transcript}
	p := Params{Pegs: 4, Colours: 6, Rounds: 1, Guesses: 12}
	for _, c := range []struct {
		State
		ask string
	}{
		{State{Phase: Making}, "Your secret code: 4 digits of 0..5, such as 0123?"},
		{guessing, "Guess 3 of 12, such as 0123?"},
		{lied, "Which of the 2 answers do you dispute: numbers such as 2 5, or pass? One false answer among them " +
			"convicts your opponent, none convicts you. False by your own reckoning: 1."},
		{State{Phase: Toss}, ""}, {State{Phase: Calling}, ""}, {State{Phase: Showing}, ""},
		{State{Phase: Answering}, ""}, {State{Phase: Revealing}, ""}, {State{Phase: Over}, ""},
	} {
		at := seat{Params: p, State: c.State}
		if ask := (player{}).Ask(at); !strings.HasSuffix(ask, c.ask) || (c.ask == "") != (ask == "") {
			t.Errorf("phase %d: %q, want %q", c.Phase, ask, c.ask)
		}
		if _, err := (player{}).Choose(at, "0123"); c.ask == "" && !errors.Is(err, games.ErrText) {
			t.Errorf("phase %d: %v", c.Phase, err)
		}
	}
}
