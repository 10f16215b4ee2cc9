package splitsteal

import (
	"bytes"
	"io"
	"testing"

	"github.com/ante-games/ante/games/commit"
)

// Who has nothing to lose by stealing always steals; and against such a one splitting is better.
func TestBot_NothingToLose(t *testing.T) {
	// two stealers get a quarter of their bets, a splitter alone two fifths
	p := Params{2, 3, 5, 4, 2}
	for role, want := range map[Role][2]int64{X: {1, 1}, Y: {0, 0}} {
		s := Stakes{X: *wei(1000)}
		if split, of := s.mix(p, role); split.Int64() != want[0] || of.Int64() != want[1] {
			t.Errorf("%s splits %d times of %d, want %v", role, split, of, want)
		}
	}
}

// Of 350 numbers that the bot may draw, exactly the first 150 have it split.
func TestBot_SplitsBelow(t *testing.T) {
	b := newBoard(t, Game().Rules, Params{2, 3, 5, 4, 2}, wei(1000), wei(1000))
	for drawn, want := range map[int]Choice{0: Split, 149: Split, 150: Steal, 349: Steal} {
		table := tableAt(b, 0, commit.Secrets{})
		table.Random = io.MultiReader(bytes.NewReader([]byte{byte(drawn >> 8), byte(drawn)}), ones{})
		d, err := Game().Player.Bot(table)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := commit.Open(d.Secrets, b.C.MatchID, 0, ones{})
		if err != nil {
			t.Fatal(err)
		}
		if number, _, err := kept.Secret(Tag, 0); ChoiceOf(number) != want || err != nil {
			t.Errorf("%d: %s, %v, want %s", drawn, ChoiceOf(number), err, want)
		}
	}
}
