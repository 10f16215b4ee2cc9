package sim_test

import (
	"testing"

	"github.com/ante-games/ante/disputes/sim"
	"github.com/ante-games/ante/games/gametest/toy"
)

// BenchmarkHostile plays hostile histories of the toy by two seats, about half of which come to a
// dispute, on one core.
func BenchmarkHostile(b *testing.B) {
	matches := 0
	c := sim.Config{Game: toy.Game(), Params: [][]byte{toy.Params(0)}, Games: b.N}
	b.ResetTimer()
	r, err := sim.Play(c, func(v *sim.Verdict) bool {
		matches += v.Matches
		return v.OK()
	})
	if err != nil || len(r.Broken) > 0 {
		b.Fatal(err, r.Broken)
	}
	b.ReportMetric(float64(matches)/b.Elapsed().Seconds(), "matches/s")
	b.ReportMetric(float64(r.Disputed)/b.Elapsed().Seconds(), "disputes/s")
}
