package mastermind

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// disputing is a table at which seat 1 is asked what it disputes of a round in which answer 4 was
// false.
func disputing(t *testing.T) (*board, games.Table) {
	t.Helper()
	p := defaults
	p.Dispute = 1
	b := started(t, Game().Rules, p, 0)
	b.round(code, slices.Repeat([]Code{miss}, 12), map[int]Feedback{3: NewFeedback(1, 0)}).play(Reveal{code, salt})
	return b, games.Table{Context: b.C, State: b.State, Seat: 1, Random: rand.Reader}
}

// TestDisputeByHand: people type what they dispute, are told what their own node finds, and nothing
// is disputed or passed in their name while a bot does not play for them.
func TestDisputeByHand(t *testing.T) {
	b, table := disputing(t)
	player := Game().Player
	if d, err := player.Auto(table); d != nil || err != nil {
		t.Fatalf("it is disputed without asking: %v, %v", d, err)
	}
	if ask, err := player.Ask(table); err != nil || !strings.Contains(ask, "False by your own reckoning: 4.") {
		t.Errorf("asked %q, %v", ask, err)
	}
	for text, want := range map[string]Dispute{"4": 1 << 3, " 2 5": 1<<1 | 1<<4, "1,12": 1 | 1<<11, "pass": 0, "PASS ": 0} {
		if d, err := player.Choose(table, text); err != nil || string(d.Move) != string(want.encode()) {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "0", "13", "-1", "pass 4", "all", "4;5", "99999999999999999999"} {
		if _, err := player.Choose(table, text); !errors.Is(err, games.ErrText) {
			t.Errorf("%q: %v", text, err)
		}
	}
	d, err := player.Bot(table)
	if err != nil {
		t.Fatal(err)
	}
	if b.State, err = b.Rules.Play(b.C, b.State, d.Move); err != nil {
		t.Fatal(err)
	}
	b.Pays(0b01, "false feedback", 0, 101)
}
