package sim

import (
	"errors"
	"flag"
	"testing"
)

var (
	seedFlag  = flag.Uint64("sim.seed", 0, "replay this history alone, and tell it")
	gamesFlag = flag.Int("sim.games", 0, "play so many histories of each simulation, whatever it says itself")
)

// Run plays random histories and fails the test at each in which somebody lost something: the
// failure names its seed, who cheated and how, the last step, and what was lost. It returns what
// came of all. Histories run one after the other in the caller's goroutine and wait for nothing;
// several simulations may run at once.
func Run(t testing.TB, c Config) *Report {
	t.Helper()
	r, err := Play(c.forTest(), func(v *Verdict) bool {
		if *seedFlag != 0 {
			t.Log(v.Story())
		}
		if !v.OK() {
			t.Error(v)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r)
	return r
}

// errBroken is what Play gives up with after some broken histories.
var errBroken = errors.New("too many histories are broken, the rest is not played")

// mostBroken is how many.
const mostBroken = 5

// Play plays random histories, and hands each one's verdict over as soon as there is one, until
// that says to stop. The error says why a Config can't be played with.
func Play(c Config, each func(*Verdict) bool) (*Report, error) {
	c = c.complete()
	g, err := newGround(c.Game)
	if err == nil {
		err = c.check(g)
	}
	if err != nil {
		return nil, err
	}
	r := newReport(&c)
	for i := range c.Games {
		v := newHistory(&c, g, c.Seed+uint64(i)).run()
		r.add(v)
		if !each(v) {
			break
		}
		if len(r.Broken) == mostBroken {
			return r, errBroken
		}
	}
	return r, nil
}

// forTest is the simulation as flags ask for it.
func (c Config) forTest() Config {
	c = c.complete()
	switch {
	case *seedFlag != 0:
		c.Seed, c.Games = *seedFlag, 1
	case *gamesFlag > 0:
		c.Games = *gamesFlag
	case testing.Short():
		c.Games = max(1, c.Games/4)
	}
	return c
}
