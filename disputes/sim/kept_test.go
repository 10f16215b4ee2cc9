package sim_test

import (
	"fmt"
	"testing"

	"github.com/ante-games/ante/disputes/sim"
)

// kept are histories that an honest seat once lost in, or that the referee once misjudged, each
// with what was wrong. A change of what draws the histories makes others of them: what was wrong
// has a test of its own where it was mended.
var kept = []struct {
	game  string
	seeds []uint64
	wrong string
}{
	{"mastermind", []uint64{1000872}, boundForEver}, {"split or steal", []uint64{1000872}, boundForEver}, {"sums and cows", []uint64{1000872}, boundForEver},
	{"toy 3", []uint64{1000800, 1000899, 1000983}, "a seat did not follow a match that began on the chain, with a word on turn 0 that was kept from it"},
	{"toy 3", []uint64{1000966}, "the referee didn't see that a seat may tell another of one end of the match, and have the third sign another"},
	{"toy", []uint64{1001879}, bothRestored}, {"toy 3", []uint64{1000863}, bothRestored},
	{"toy with long turns", []uint64{8000166}, unsent},
	{"toy with long turns", []uint64{1000050, 1000079}, "a seat had forgotten its long turn up to what was recorded for good, when its peer signed a turn before that"},
	{"mastermind", []uint64{1001077}, "an answer was kept until the last moment, for the seat's next move, and a reorganisation took it back"},
}

const unsent = "the referee counted a signature that died with the process before it was durable, and so never left it"

const boundForEver = "a seat that had signed the booking of an agreement waited for ever for a peer who had broken it and was gone"

const bothRestored = "the referee didn't allow for the Demand that follows each expiry, where rules let two restored seats wait for each other for ever"

// TestKept plays the histories again that were lost once.
func TestKept(t *testing.T) {
	for _, k := range kept {
		for _, seed := range k.seeds {
			t.Run(fmt.Sprintf("%s %d", k.game, seed), func(t *testing.T) {
				t.Parallel()
				c := simulations[k.game]
				c.Games, c.Seed = 1, seed
				if _, err := sim.Play(c, func(v *sim.Verdict) bool {
					if !v.OK() {
						t.Errorf("once %s: %v", k.wrong, v)
					}
					return true
				}); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
