package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report is what many histories came to.
type Report struct {
	Game  string
	Seats int
	Seeds [2]uint64 // the first and the last
	Row
	Matches int
	By      map[string]*Row // by strategy
	Broken  []*Verdict
}

// Row is what came of some histories.
type Row struct {
	Histories int
	Disputed  int // a ledger or a position was posted
	Failed    int // somebody lost something
	Honest    bill
	Hostile   bill
	// The worst history for honest seats by what they paid for each unit of gas that seats which
	// cheat paid, where those paid anything, and the worst by what they paid.
	Ratio     float64
	RatioSeed uint64
	Gas       uint64
	GasSeed   uint64
}

func newReport(c *Config) *Report {
	return &Report{Game: c.Game.Name, Seats: c.Seats, By: map[string]*Row{}}
}

// nobody stands for strategies in histories where nobody cheats.
const nobody = "nobody cheats"

func (r *Report) add(v *Verdict) {
	if r.Histories == 0 {
		r.Seeds[0] = v.Seed
	}
	r.Seeds[1] = v.Seed
	r.Matches += v.Matches
	r.Row.add(v)
	if !v.OK() {
		r.Broken = append(r.Broken, v)
	}
	names := v.Names
	if len(names) == 0 {
		names = []string{nobody}
	}
	for _, name := range names {
		if r.By[name] == nil {
			r.By[name] = &Row{}
		}
		r.By[name].add(v)
	}
}

func (r *Row) add(v *Verdict) {
	one := Row{Histories: 1, Honest: v.Honest, Hostile: v.Hostile, Gas: v.Honest.Gas, GasSeed: v.Seed}
	if v.Disputed {
		one.Disputed = 1
	}
	if !v.OK() {
		one.Failed = 1
	}
	if v.Hostile.Gas > 0 {
		one.Ratio, one.RatioSeed = float64(v.Honest.Gas)/float64(v.Hostile.Gas), v.Seed
	}
	r.Join(&one)
}

// Join adds what came of other histories.
func (r *Row) Join(o *Row) {
	r.Histories += o.Histories
	r.Disputed += o.Disputed
	r.Failed += o.Failed
	r.Honest.join(o.Honest)
	r.Hostile.join(o.Hostile)
	if o.Ratio > r.Ratio {
		r.Ratio, r.RatioSeed = o.Ratio, o.RatioSeed
	}
	if o.Gas > r.Gas {
		r.Gas, r.GasSeed = o.Gas, o.GasSeed
	}
}

// String is the report in two lines.
func (r *Report) String() string {
	return fmt.Sprintf("%s, %d seats: %d histories (seeds %d..%d) of %d matches, %d disputed, %d failed, under %s\n"+
		"honest seats sent %d transactions (%d refused) for %d gas, at worst %d (seed %d); the others %d for %d gas; at worst honest seats paid %.2f for each unit (seed %d)",
		r.Game, r.Seats, r.Histories, r.Seeds[0], r.Seeds[1], r.Matches, r.Disputed, r.Failed, strings.Join(slices.Sorted(maps.Keys(r.By)), ", "),
		r.Honest.Sent, r.Honest.Refused, r.Honest.Gas, r.Gas, r.GasSeed, r.Hostile.Sent, r.Hostile.Gas, r.Ratio, r.RatioSeed)
}
