package sim

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol/onchain"
)

// A simulator that finds nothing proves nothing: with a defect planted in honest seats it must find
// it, and say what was lost.
func TestPlantedDefectsAreFound(t *testing.T) {
	for _, tc := range []struct {
		name  string
		found string // in what was lost; empty: anything
		spoil func(*seat)
		seats int    // 2 if zero
		seed  uint64 // from which on it doesn't take long
	}{
		{"a planner that never answers", "", func(s *seat) { s.hooks.passive = true }, 0, 1},
		{"a player that doesn't move while a clock runs", "the chain paid", func(s *seat) {
			s.unless(func(m *channel.MatchView, _ games.Table, _ *games.Decision) bool { return m.OnChain })
		}, 0, 1},
		{"a store that goes back to an old copy", "went back", func(s *seat) { s.copyAt, s.backAt = 9, 14 }, 0, 1},
		{"a watcher that is away for too long", "", func(s *seat) { s.away(s.began+12, 3*window) }, 0, 1},
		{"a planner that never expires", "waits in vain", drops[onchain.Expire], 0, 1},
		{"a planner that never convicts", "not convicted", drops[onchain.Convict], 0, 1},
		{"a planner that never convicts, among three", "not convicted", drops[onchain.Convict], 3, 200},
		{"a planner that posts no position", "waits in vain", drops[onchain.Advance], 0, 1},
		{"a planner that posts no position, among three", "waits in vain", drops[onchain.Advance], 3, 1},
		{"a player that lies", "convicted", func(s *seat) { s.hooks.player = toy.Game().Liars[0].Player(0) }, 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var found *Verdict
			c := Config{Game: toy.Game(), Seats: tc.seats, Params: [][]byte{toy.Params(0)}, Games: 400, Seed: tc.seed, spoil: tc.spoil}
			_, err := Play(c, func(v *Verdict) bool {
				if !v.OK() && strings.Contains(strings.Join(v.Lost, " "), tc.found) {
					found = v
				}
				return found == nil
			})
			if found == nil {
				t.Fatalf("nothing was found: %v", err)
			}
			t.Log(found)
		})
	}
}

// drops makes a seat's node plan what it should, and send nothing of one kind.
func drops[A onchain.Action](s *seat) {
	s.hooks.drops = func(a onchain.Action) bool { _, is := a.(A); return is }
}

// One seed is one history, whatever was played before.
func TestSeedsAreReplayedExactly(t *testing.T) {
	told := map[uint64]string{}
	for _, order := range [][]uint64{{3, 41, 123}, {123, 3, 41}} {
		for _, seed := range order {
			c := Config{Game: toy.Game(), Params: [][]byte{toy.Params(0)}, Seats: 3, Games: 1, Seed: seed}
			_, err := Play(c, func(v *Verdict) bool {
				if was, known := told[seed]; known && was != v.Story() {
					t.Errorf("seed %d went otherwise:\n%s\n\n%s", seed, was, v.Story())
				}
				told[seed] = v.Story()
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
