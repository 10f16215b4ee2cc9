package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is what one history came to.
type Verdict struct {
	Seed     uint64
	Game     string
	Seats    []string // by seat: how it plays
	Names    []string // of the strategies that were at work
	Matches  int
	Blocks   uint64 // from the opening to the last payment
	Honest   bill   // of all honest seats together
	Hostile  bill
	Disputed bool     // the channel was closed one-sidedly, or a match was posted
	Lost     []string // what was lost that should not have been, and at which step; empty: nothing

	diary []string
}

// OK reports whether nobody lost anything.
func (v *Verdict) OK() bool { return len(v.Lost) == 0 }

// String says what was lost, by which strategies, at which step, and how to see it again.
func (v *Verdict) String() string {
	if v.OK() {
		return fmt.Sprintf("seed %d of %s: nothing was lost", v.Seed, v.Game)
	}
	step := "before anything happened"
	if len(v.diary) > 0 {
		step = v.diary[len(v.diary)-1]
	}
	return fmt.Sprintf("-sim.seed=%d (%s): %s\n  seats: %s\n  last step: %s", v.Seed, v.Game, strings.Join(v.Lost, "\n  and "),
		strings.Join(v.Seats, "; "), step)
}

// Story is the whole history as it was played, as far as it is kept.
func (v *Verdict) Story() string {
	return fmt.Sprintf("seed %d of %s, %s\n%s", v.Seed, v.Game, strings.Join(v.Seats, "; "), strings.Join(v.diary, "\n"))
}

func (v *Verdict) finish(h *history) {
	v.diary = h.diary
	for _, s := range h.seats {
		how := "honest"
		if !s.honest {
			how = strings.Join(s.hooks.names, ", ")
			v.Hostile.join(s.bill)
		} else {
			v.Honest.join(s.bill)
		}
		v.Seats = append(v.Seats, fmt.Sprintf("seat %d: %s", s.index, how))
		v.Matches = max(v.Matches, len(s.claims))
	}
	v.Names = h.gang.names()
	v.Blocks = h.chain.Block() - h.began
	v.Disputed = h.disputed
}

func (b *bill) join(o bill) {
	b.Gas += o.Gas
	b.Sent += o.Sent
	b.Refused += o.Refused
}

// Report is what many histories came to.
type Report struct {
	Game      string
	Seats     int
	Histories int
	Matches   int
	Disputed  int
	Honest    bill
	Hostile   bill
	Broken    []*Verdict
	By        map[string]*Row // by strategy
	Seeds     [2]uint64       // the first and the last
}

// Row is what came of the histories in which a strategy was at work, alone or among others.
type Row struct {
	Histories int
	Disputed  int
	Broken    int
	Honest    bill
	Hostile   bill
	Worst     float64 // the most gas that honest seats paid for one that cheats, in any history
	WorstSeed uint64
}

func newReport(c *Config) *Report {
	return &Report{Game: c.Game.Name, Seats: c.Seats, By: map[string]*Row{}}
}

func (r *Report) add(v *Verdict) *Report {
	if r.Histories == 0 {
		r.Seeds[0] = v.Seed
	}
	r.Seeds[1] = v.Seed
	r.Histories++
	r.Matches += v.Matches
	r.Honest.join(v.Honest)
	r.Hostile.join(v.Hostile)
	if v.Disputed {
		r.Disputed++
	}
	if !v.OK() {
		r.Broken = append(r.Broken, v)
	}
	names := v.Names
	if len(names) == 0 {
		names = []string{"nobody cheats"}
	}
	for _, name := range names {
		row := r.By[name]
		if row == nil {
			row = &Row{}
			r.By[name] = row
		}
		row.add(v)
	}
	return r
}

func (r *Row) add(v *Verdict) {
	r.Histories++
	if v.Disputed {
		r.Disputed++
	}
	if !v.OK() {
		r.Broken++
	}
	r.Honest.join(v.Honest)
	r.Hostile.join(v.Hostile)
	if ratio := float64(v.Honest.Gas) / float64(max(v.Hostile.Gas, 1)); v.Hostile.Gas > 0 && ratio > r.Worst {
		r.Worst, r.WorstSeed = ratio, v.Seed
	}
}

// String is the report in a few lines.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d seats: %d histories (seeds %d..%d) of %d matches, %d disputed, %d broken; honest seats sent %d transactions (%d refused) for %d gas, the others %d for %d gas\n",
		r.Game, r.Seats, r.Histories, r.Seeds[0], r.Seeds[1], r.Matches, r.Disputed, len(r.Broken), r.Honest.Sent, r.Honest.Refused, r.Honest.Gas, r.Hostile.Sent, r.Hostile.Gas)
	for _, name := range r.names() {
		row := r.By[name]
		fmt.Fprintf(&b, "  %-14s %6d histories, %6d disputed, honest gas %12d, hostile gas %12d, worst ratio %.2f (seed %d)\n",
			name, row.Histories, row.Disputed, row.Honest.Gas, row.Hostile.Gas, row.Worst, row.WorstSeed)
	}
	return b.String()
}

func (r *Report) names() []string {
	var names []string
	for name := range r.By {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
