package sim_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/disputes/sim"
)

var reportFlag = flag.String("sim.report", "", "play many more histories of every game, and write a report about them to this file")

// shares are how many of a hundred histories of a long run each game has; long games have few.
var shares = map[string]int{
	"toy": 22, "toy 3": 15, "toy 4": 6, "mastermind": 18, "sums and cows": 12, "split or steal": 12, "split or steal with a house": 10,
	"battleships": 2, "box9": 3,
}

// TestLong is the long run: go test ./disputes/sim -run TestLong -sim.report FILE -sim.games N,
// where N counts all games.
func TestLong(t *testing.T) {
	if *reportFlag == "" {
		t.Skip("only with -sim.report: make sim-long")
	}
	all := flag.Lookup("sim.games").Value.(flag.Getter).Get().(int)
	if all == 0 {
		all = 10_000
	}
	p := page{by: map[string]*sim.Row{}, names: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(simulations)) {
		c := simulations[name]
		c.Games, c.Seed = max(1, all*shares[name]/100), 1_000_000
		r, err := sim.Play(c, func(v *sim.Verdict) bool {
			if !v.OK() {
				t.Errorf("%s: %v", name, v)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(r)
		p.add(name, r)
	}
	if err := os.WriteFile(*reportFlag, []byte(p.text()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// page is the report of a long run.
type page struct {
	rows  []string
	by    map[string]*sim.Row
	names map[string]string // of the simulation in which a strategy was worst
	total sim.Row
}

func (p *page) add(name string, r *sim.Report) {
	p.rows = append(p.rows, fmt.Sprintf("| %s | %d | %d..%d | %d | %d | %d | %d | %d | %.0f | %.2f (%d) | %d (%d) |", name, r.Seats, r.Seeds[0], r.Seeds[1],
		r.Matches, r.Disputed, r.Failed, r.Honest.Sent, r.Honest.Refused, perDispute(&r.Row), r.Ratio, r.RatioSeed, r.Gas, r.GasSeed))
	p.total.Join(&r.Row)
	for st, row := range r.By {
		if p.by[st] == nil {
			p.by[st] = &sim.Row{}
		}
		if row.Ratio > p.by[st].Ratio {
			p.names[st] = name
		}
		p.by[st].Join(row)
	}
}

func perDispute(r *sim.Row) float64 { return float64(r.Honest.Gas) / float64(max(r.Disputed, 1)) }

func (p *page) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Hostile histories

In %d histories, %d of them disputed on the chain, **%d seats that played honestly lost something**. To replay one:
`+"`go test ./disputes/sim -run 'TestHostile/NAME$' -v -sim.seed=SEED`"+`, with underscores for the spaces of the name. Package
disputes/sim states what is checked.

## By game

Gas is that of transactions to the Arena and the rules, by all seats of a kind together. *Refused* are honest transactions that the
Arena refused, because somebody was faster, another honest seat as often as one that cheats. *Gas per dispute* is the honest side's.
*Worst ratio* is the most gas that honest seats paid for each unit that the seats which cheat paid, in any one history in which those paid
at all; *worst* is the most that honest seats paid in any one history. Seeds are in brackets.

| game | seats | seeds | matches | disputed | failed | honest transactions | refused | gas per dispute | worst ratio | worst |
|---|---|---|---|---|---|---|---|---|---|---|
`, p.total.Histories, p.total.Disputed, p.total.Failed)
	b.WriteString(strings.Join(p.rows, "\n"))
	b.WriteString(`

## By strategy

A history counts for every strategy that was at work in it, one to three for each seat that cheats. Who falls silent pays nothing until
it fetches its money, so that ratios are high where the attack is to do nothing: then the honest side pays for one dispute.

| strategy | what it does | histories | disputed | honest gas | hostile gas | ratio of the sums | worst ratio | in |
|---|---|---|---|---|---|---|---|---|
`)
	about := map[string]string{"nobody cheats": "crashes, absences, a bad network and reorganisations only"}
	for _, s := range sim.All() {
		about[s.Name] = s.About
	}
	for _, st := range slices.Sorted(maps.Keys(p.by)) {
		r := p.by[st]
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | ", st, about[st], r.Histories, r.Disputed, r.Honest.Gas, r.Hostile.Gas)
		if r.Hostile.Gas == 0 {
			b.WriteString("- | - | - |\n")
			continue
		}
		fmt.Fprintf(&b, "%.2f | %.2f | %s, seed %d |\n", float64(r.Honest.Gas)/float64(r.Hostile.Gas), r.Ratio, p.names[st], r.RatioSeed)
	}
	return b.String()
}
