package battleships

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
)

// A seat's fleet can be recalled from when it is placed until it is opened: for ever, if it never
// is.
func TestPlayer_Recall(t *testing.T) {
	d := newDuel(t, proving)
	recalls := func(seat uint8, knows bool) {
		t.Helper()
		text, err := Game().Player.Recall(d.table(seat))
		if err != nil || strings.HasPrefix(text, "your fleet is "+fleets[seat].Text()) != knows || !knows && text != "" {
			t.Errorf("seat %d recalls %q, %v", seat, text, err)
		}
	}
	recalls(0, false)
	d.typed(exampleFleet)
	recalls(0, true)
	recalls(1, false)
	d.typed(fleets[1].Text())
	opener := d.mover()
	m, err := Game().Player.Choose(d.table(opener), "reveal")
	d.move(opener, m, err) // and not the other, yet
	recalls(opener, false)
	recalls(1-opener, true)
	if d.state, err = Game().Rules.Expire(d.c, d.state); err != nil {
		t.Fatal(err)
	}
	recalls(opener, false)
	recalls(1-opener, true)
}

// A side whose secrets are lost says so, bot or not, instead of making any other move.
func TestPlayer_LostSecrets(t *testing.T) {
	for _, p := range []Params{proving, trusting} {
		d := newDuel(t, p).typed(exampleFleet).typed(fleets[1].Text())
		shooter := d.mover()
		m, err := Game().Player.Choose(d.table(shooter), "e4")
		d.move(shooter, m, err)
		table := d.table(1 - shooter)
		table.Secrets = commit.Secrets{}
		for name, side := range map[string]func(games.Table) (*games.Decision, error){"auto": Game().Player.Auto, "bot": Game().Player.Bot} {
			if m, err := side(table); m != nil || !errors.Is(err, commit.ErrNoSecret) {
				t.Errorf("%s: %v, %v", name, m, err)
			}
		}
	}
}
