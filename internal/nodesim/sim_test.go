package nodesim_test

import (
	"flag"
	"fmt"
	"iter"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/internal/nodesim"
	"github.com/ante-games/ante/money"
	"github.com/holiman/uint256"
)

var (
	seedFlag   = flag.Uint64("nodesim.seed", 0, "replay this history alone, and tell it")
	gamesFlag  = flag.Int("nodesim.games", 30, "play so many histories")
	firstFlag  = flag.Uint64("nodesim.first", 1, "the first seed")
	timeFlag   = flag.Duration("nodesim.time", 0, "begin no history after this time; 0: play all")
	commitFlag = flag.String("nodesim.commit", "of an unknown state", "what the report says it was played with")
	reportFlag = flag.String("nodesim.report", "", "write a report about them to this file")
)

func simulation(t *testing.T) *nodesim.Simulation {
	t.Helper()
	s, err := nodesim.New(games.Catalog{toy.Game(), mastermind.Game(), sumscows.Game()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func play(t *testing.T, s *nodesim.Simulation, c nodesim.Case) (v *nodesim.Verdict) {
	synctest.Test(t, func(*testing.T) { v = s.Play(c) })
	return v
}

// playAll plays cases on all processors, each in a bubble of its own, and calls done with each
// verdict, one at a time. A chain is not to be copied by two at once, so each processor has its
// own.
func playAll(t *testing.T, cases iter.Seq[nodesim.Case], done func(*nodesim.Verdict)) {
	next, stop := iter.Pull(cases)
	defer stop()
	var mu sync.Mutex
	take := func() (nodesim.Case, bool) {
		mu.Lock()
		defer mu.Unlock()
		return next()
	}
	t.Run("all", func(t *testing.T) {
		for i := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				s := simulation(t)
				for c, more := take(); more; c, more = take() {
					v := play(t, s, c)
					mu.Lock()
					done(v)
					mu.Unlock()
				}
			})
		}
	})
}

// drawn are the cases of the seeds that the flags name.
func drawn(yield func(nodesim.Case) bool) {
	first, last := *firstFlag, *firstFlag+uint64(*gamesFlag)
	if *seedFlag != 0 {
		first, last = *seedFlag, *seedFlag+1
	}
	for seed, began := first, time.Now(); seed < last && (*timeFlag == 0 || time.Since(began) < *timeFlag); seed++ {
		if !yield(nodesim.Draw(seed)) {
			return
		}
	}
}

// TestNodes plays histories: make sim-nodes, make sim-nodes-long.
func TestNodes(t *testing.T) {
	p, houses := page{first: *firstFlag, by: map[string]*row{}}, account{}
	playAll(t, drawn, func(v *nodesim.Verdict) {
		p.add(v)
		if houses.add(v.House); houses.broken() {
			t.Errorf("houses staked %s in %d matches and got %s back: more is lost than their policy says", houses.paid.Dec(), houses.matches, houses.got.Dec())
		}
		if len(v.Lost) > 0 {
			t.Errorf("-nodesim.seed=%d %v: %s", v.Case.Seed, v.Case, strings.Join(v.Lost, "; "))
		}
		if *seedFlag != 0 {
			t.Log(v.Story())
		}
	})
	if *reportFlag != "" {
		if err := os.WriteFile(*reportFlag, []byte(p.text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	summary = p.row.String()
}

// summary is what came of TestNodes: the last line of the program.
var summary string

func TestMain(m *testing.M) {
	flag.Parse()
	// what lives is some dozen megabytes, and collecting it took a sixth of the time
	debug.SetGCPercent(400)
	code := m.Run()
	if summary != "" {
		fmt.Println(summary)
	}
	os.Exit(code)
}

// account is what the houses of all histories lost, and what they may have lost by their policy.
type account struct {
	risk      money.Risk
	paid, got uint256.Int
	matches   int
}

func (a *account) add(list []nodesim.HouseMatch) {
	for i := range list {
		m := &list[i]
		a.matches++
		a.risk.Add(&m.Average, &m.Pot)
		a.paid.Add(&a.paid, &m.Stake)
		a.got.Add(&a.got, &m.Got)
	}
}

// broken reports whether the houses lost more than their policy and bad luck account for.
func (a *account) broken() bool {
	var most uint256.Int
	bound := a.risk.Bound()
	most.Add(&a.got, &bound)
	return a.paid.Gt(&most)
}

// TestReplay: a case gives the same history again, to every message and every question to an
// endpoint, also on a machine that is busy.
func TestReplay(t *testing.T) {
	s := simulation(t)
	same, all := 0, 0
	for c := range drawn {
		if all == max(1, *gamesFlag/6) {
			break
		}
		all++
		first := play(t, s, c)
		again := burdened(func() *nodesim.Verdict { return play(t, s, c) })
		if one, other, differ := nodesim.Apart(first, again); differ {
			t.Logf("%v doesn't:\n%v\n%v", c, one, other)
		} else {
			same++
		}
	}
	t.Logf("%d of %d cases gave the same history again", same, all)
	if same < all*9/10 {
		t.Error("too few: is there a source of chance that the case doesn't fix?")
	}
}

// burdened plays while other goroutines take all the time that they can get.
func burdened(play func() *nodesim.Verdict) *nodesim.Verdict {
	var stop atomic.Bool
	var done sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			for !stop.Load() {
			}
		})
	}
	defer done.Wait()
	defer stop.Store(true)
	return play()
}

// row is what came of some histories.
type row struct {
	histories, disputed, dire, lost int
	gas                             uint64
}

func (r *row) String() string {
	return fmt.Sprintf("%d histories, %d disputed, %d lost", r.histories, r.disputed, r.lost)
}

func (r *row) add(v *nodesim.Verdict) {
	r.histories++
	r.gas += v.Gas
	for count, is := range map[*int]bool{&r.disputed: v.Disputed, &r.dire: v.Dire, &r.lost: len(v.Lost) > 0} {
		if is {
			*count++
		}
	}
}

// page is the report of a run.
type page struct {
	row
	first uint64
	by    map[string]*row
}

func (p *page) add(v *nodesim.Verdict) {
	p.row.add(v)
	for _, name := range v.Names {
		if p.by[name] == nil {
			p.by[name] = &row{}
		}
		p.by[name].add(v)
	}
}

func (p *page) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Histories of real nodes

Played from seed %d on %s, at commit %s. To replay one: %s.
Package internal/nodesim states what is checked.

**%v.** Seeds %d to %d. In %d histories something befell an honest seat that may cost it money whatever its node does,
for longer than the Arena waits for an answer; there the check is that an alarm stood.

## By scene, by what befell an honest seat, and by how another cheated

A history counts in each row that was at work in it.

| what | histories | disputed | lost | gas in all |
|---|---|---|---|---|
`, p.first, time.Now().UTC().Format(time.DateOnly), *commitFlag, "`go test ./internal/nodesim -v -run TestNodes -nodesim.seed=SEED`",
		&p.row, p.first, p.first+uint64(p.histories)-1, p.dire)
	for _, name := range slices.Sorted(maps.Keys(p.by)) {
		r := p.by[name]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", name, r.histories, r.disputed, r.lost, r.gas)
	}
	return b.String()
}
