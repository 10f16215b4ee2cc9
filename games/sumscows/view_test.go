package sumscows

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// Fees and the prize are written as the caller says.
func TestView_Text(t *testing.T) {
	v := View{Role: "player", N: 6, D: 3, Guesses: 5, Fee: "100", Prize: "5000", Paid: "300"}
	text := games.ViewText(v, func(decimal string) string { return decimal + " ANTE" })
	if want := "Fee for a guess 100 ANTE, prize 5000 ANTE, fees so far 300 ANTE."; !strings.Contains(text, want) {
		t.Errorf("no %q in %q", want, text)
	}
	if !strings.Contains(v.String(), "Fee for a guess 100, prize 5000, fees so far 300.") {
		t.Errorf("plain: %q", v.String())
	}
}
