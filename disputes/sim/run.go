package sim

import (
	"flag"
	"testing"
)

var (
	seedFlag  = flag.Uint64("sim.seed", 0, "replay this history alone, and tell it")
	gamesFlag = flag.Int("sim.games", 0, "play so many histories of each simulation, whatever it says itself")
)

// Run plays random histories and fails the test at each in which somebody lost something. It returns what came of all.
func Run(t testing.TB, c Config) *Report {
	t.Helper()
	c = c.complete()
	g, err := newGround(c.Game)
	if err == nil {
		err = c.check(g)
	}
	if err != nil {
		t.Fatal(err)
	}
	if *seedFlag != 0 {
		v := newHistory(&c, g, *seedFlag).run()
		t.Log(v.Story())
		if !v.OK() {
			t.Error(v)
		}
		return newReport(&c).add(v)
	}
	report := newReport(&c)
	for i := range c.games() {
		v := newHistory(&c, g, c.Seed+uint64(i)).run()
		report.add(v)
		if !v.OK() {
			t.Error(v)
			if len(report.Broken) == mostBroken {
				t.Fatalf("%d histories failed; the rest is not played", mostBroken)
			}
		}
	}
	t.Log(report)
	return report
}

// mostBroken is how many failures are told before a run gives up.
const mostBroken = 5

func (c *Config) games() int {
	switch {
	case *gamesFlag > 0:
		return *gamesFlag
	case testing.Short():
		return max(1, c.Games/4)
	}
	return c.Games
}
