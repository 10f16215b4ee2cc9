package splitsteal

import (
	"testing"

	"github.com/ante-games/ante/games/commit"
)

// A choice can be recalled by its own user until the match is over.
func TestPlayer_Recall(t *testing.T) {
	p := Game().Player
	b := newBoard(t, Game().Rules, defaults, wei(100), wei(60))
	recalls := func(s commit.Secrets, want string) {
		t.Helper()
		if text, err := p.Recall(tableAt(b, 0, s)); text != want || err != nil {
			t.Errorf("recalls %q in phase %d, %v, want %q", text, b.Now().Phase, err, want)
		}
	}
	recalls(commit.Secrets{}, "")
	d, err := p.Choose(tableAt(b, 0, commit.Secrets{}), "split")
	if err != nil {
		t.Fatal(err)
	}
	recalls(d.Secrets, "you chose to split")
	b.play(Commit(d.Move)).play(b.commitment(Y, odd))
	recalls(d.Secrets, "you chose to split")
	recalls(commit.Secrets{}, "")
	opening, err := p.Auto(tableAt(b, 0, d.Secrets))
	if err != nil {
		t.Fatal(err)
	}
	if b.State, err = b.Rules.Play(b.C, b.State, opening.Move); err != nil {
		t.Fatal(err)
	}
	recalls(d.Secrets, "you chose to split") // until the other has opened too
	b.play(Open{odd, salt})
	recalls(d.Secrets, "")
}
