package sim_test

import (
	"flag"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/ante-games/ante/disputes/sim"
	"github.com/ante-games/ante/games/gametest/toy"
)

var (
	depthFlag  = flag.Int("explore.depth", 0, "explore schedules of so many steps from every start")
	statesFlag = flag.Int("explore.states", 0, "give each start up after so many states")
	pathFlag   = flag.String("explore.path", "", "replay this schedule alone, and tell it")
)

// table is a channel in which some seats cheat, and the schedules from which on everything is
// tried.
type table struct {
	seats   int
	hostile uint16
	starts  []start
}

type start struct {
	name  string
	first uint8 // who moves first in the match
	path  string
	depth int  // 1 if zero, and in short runs
	ends  bool // by an expiry, for the next seat; else the next seat moves then, in a new epoch
}

var tables = []table{
	{2, 0b10, []start{
		{"opened", 1, "", 2, false},
		{"playing", 1, "propose 0; quiet", 0, false},
		{"twice in a row", 1, "propose 0; quiet; move 1 again; quiet; move 1 pass", 0, false},
		{"the chain moves", 1, "propose 0; quiet; move 1 again; quiet; move 1 chance; quiet", 0, false},
		{"their clock", 1, "propose 0; quiet; ask 0; include 0's advance; block", 0, false},
		{"our clock", 0, "propose 0; quiet; demand 0; block", 2, false},
		{"time is out", 1, "propose 0; quiet; ask 0; include 0's advance; block; wait until 45", 0, false},
		{"a new epoch", 1, "propose 0; quiet; ask 0; include 0's advance; block; wait until 45; include 0's expire; block", 0, false},
		{"offered", 1, "propose 0; quiet; offer 1; quiet", 0, false},
		{"agreed", 1, "propose 0; quiet; offer 1; quiet; accept 0 from 1; deliver 0>1", 2, false},
		{"forked", 1, "propose 0; quiet; move 1 pass; quiet; fork 1 win", 2, false},
		{"contested", 1, "propose 0; quiet; contest 1; block", 0, false},
		{"refuted", 1, "propose 0; quiet; contest 1; block; include 0's contestledger; wait until 43", 0, false},
		{"paying", 1, "propose 0; quiet; exit 0; include 0's contestledger; block; wait until 45", 0, false},
		{"closing", 1, "close 0; quiet; ask 0", 2, false},
	}},
	{3, 0b110, []start{
		{"opened", 1, "", 0, false},
		{"playing", 1, "propose 0; quiet", 0, false},
		{"our move", 0, "propose 0; quiet; move 0 pass", 0, false},
		{"twice in a row", 1, "propose 0; quiet; move 1 again; quiet; move 1 pass", 0, false},
		{"the chain moves", 1, "propose 0; quiet; move 1 again; quiet; move 1 chance; quiet", 0, false},
		{"their clock", 1, "propose 0; quiet; ask 0; include 0's advance; block", 0, false},
		{"our clock", 0, "propose 0; quiet; demand 0; block", 0, false},
		{"time is out", 2, "propose 0; quiet; ask 0; include 0's advance; block; wait until 45", 0, false},
		{"a new epoch", 2, "propose 0; quiet; ask 0; include 0's advance; block; wait until 45; include 0's expire; block", 0, false},
		{"offered", 1, "propose 0; quiet; offer 1; quiet", 0, false},
		{"agreed", 1, "propose 0; quiet; offer 1; quiet; accept 0 from 1; accept 2 from 1; deliver 0>1", 0, false},
		{"forked", 1, "propose 0; quiet; move 1 pass; quiet; fork 1 win", 0, false},
		{"outrun", 1, "propose 0; quiet; move 1 again; deliver 1>0; fork 1 pass; fork 3 again; post 4", 0, false},
		{"a fork stands", 1, "propose 0; quiet; move 1 pass; quiet; fork 1 again; post 4; block", 0, true},
		{"a forged end", 1, "propose 0; quiet; move 1 pass; quiet; fork 1 give", 0, false},
		{"a long fork", 1, "propose 0; quiet; move 1 pass; quiet; fork 1 again; fork 4 give", 0, false},
		{"contested", 1, "propose 0; quiet; contest 1; block", 0, false},
		{"paying", 1, "propose 0; quiet; exit 0; include 0's contestledger; block; wait until 45", 0, false},
		{"closing", 1, "close 0; quiet; ask 0", 0, false},
	}},
	{3, 0b100, []start{
		{"playing", 2, "propose 0; quiet", 0, false},
		{"their clock", 2, "propose 0; quiet; ask 0; include 0's advance; block", 0, false},
	}},
}

func (k table) exploration(s start) sim.Exploration {
	expire := toy.Skip
	if s.ends {
		expire = toy.Fine
	}
	e := sim.Exploration{
		Name:  fmt.Sprintf("%d seats, %d honest, %s", k.seats, k.seats-bits.OnesCount16(k.hostile), s.name),
		Seats: k.seats, Hostile: k.hostile, Params: toy.Params(s.first, toy.Fine, expire), Depth: s.tries(), States: *statesFlag,
	}
	if s.path != "" {
		e.Start = strings.Split(s.path, "; ")
	}
	return e
}

func (s start) tries() int {
	switch {
	case *depthFlag > 0:
		return *depthFlag
	case testing.Short():
		return 1
	}
	return max(1, s.depth)
}

// What every table must have seen, so that nothing is explored in vain.
var (
	wantSteps = []string{"accept", "ask", "block", "close", "contest", "convict", "crash", "deliver", "demand", "exit", "expire", "fork", "include",
		"lose", "move", "offer", "post", "propose", "settle", "show", "steal", "think", "tick", "wait"}
	wantChain = []string{"advance", "advance with a demand", "agree", "close", "contestledger", "convict", "demandmove", "expire", "settle"}
)

// TestExplore tries every schedule of a few steps from each start: go test ./disputes/sim -run
// TestExplore -v -explore.depth N.
func TestExplore(t *testing.T) {
	for _, k := range tables {
		t.Run(fmt.Sprintf("%d seats, %d honest", k.seats, k.seats-bits.OnesCount16(k.hostile)), func(t *testing.T) {
			t.Parallel()
			ran := 0
			all := sim.Explored{Exploration: sim.Exploration{Name: "all starts"}, Complete: true}
			for _, s := range k.starts {
				t.Run(s.name, func(t *testing.T) {
					ran++
					if e := k.exploration(s); *pathFlag != "" {
						retrace(t, e)
					} else {
						explore(t, e, &all)
					}
				})
			}
			t.Log(&all)
			if *pathFlag != "" || ran < len(k.starts) || ran < 3 {
				return
			}
			for _, kind := range wantSteps {
				if all.Steps[kind] == 0 {
					t.Errorf("no step %q was ever tried", kind)
				}
			}
			for _, kind := range wantChain {
				if all.OnChain[kind] == 0 {
					t.Errorf("the Arena never did %q", kind)
				}
			}
		})
	}
}

func explore(t *testing.T, e sim.Exploration, all *sim.Explored) {
	r, err := sim.Explore(e)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r)
	for _, b := range r.Broken {
		t.Errorf("%v -run '%s$'", b, t.Name())
	}
	all.Join(r)
}

func retrace(t *testing.T, e sim.Exploration) {
	story, b, err := sim.Retrace(e, strings.Split(*pathFlag, "; "))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(story)
	if b != nil {
		t.Error(b)
	}
}
