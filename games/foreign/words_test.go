package foreign

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// A field of 32 bytes is typed as it is shown, and a state of any length shows its words.
func TestPlayer_Words(t *testing.T) {
	g, err := Load("../../examples/words/words.json")
	if err != nil {
		t.Fatal(err)
	}
	at := table(t, connectFour(t), "")
	at.Context.Params = nil
	if at.State, err = g.Rules.Start(at.Context); err != nil {
		t.Fatal(err)
	}
	word := "0x" + strings.Repeat("ab", 32)
	for _, typed := range []string{"say " + word, `{"move":"say","word":"` + word + `"}`, word} {
		if d, err := g.Player.Choose(at, typed); err != nil || string(d.Move) != strings.Repeat("\xab", 32) {
			t.Errorf("%s: %v, %v", typed, d, err)
		}
	}
	for _, typed := range []string{"say " + word[:64], "say " + word + "ab", "say 0xzz", "say word", "say -1"} {
		if _, err := g.Player.Choose(at, typed); !errors.Is(err, games.ErrText) || !strings.Contains(err.Error(), "0x and 32 bytes") {
			t.Errorf("%s: %v", typed, err)
		}
	}
	for _, want := range []string{`"words":[]`, `"words":["` + word + `"]`, `"words":["` + word + `","0x` + strings.Repeat("0", 62) + `07"]`} {
		v, err := g.Player.View(at)
		if err != nil || !strings.Contains(v.String(), want) {
			t.Errorf("%v, %v; want %s", v, err, want)
		}
		typed := "say " + word
		if at.Seat == 1 {
			typed = "say 7"
		}
		d, err := g.Player.Choose(at, typed)
		if err != nil {
			t.Fatal(err)
		}
		if at.State, err = g.Rules.Play(at.Context, at.State, d.Move); err != nil {
			t.Fatal(err)
		}
		at.Seat = 1 - at.Seat
	}
	if v, err := g.Player.View(games.Table{Context: at.Context, State: append(at.State, 1)}); err == nil {
		t.Errorf("a state with half a word is shown: %v", v)
	}
}
