package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

var (
	everyCrash = flag.Bool("crash.every", false, "kill the daemon at every point there is")
	oneCrash   = flag.String("crash.at", "", "kill the daemon at this point, as the test names it: persist/15/torn, say")
)

// fate is how a daemon dies the first time; torn has a part of what it wrote and nobody was told of
// be lost.
type fate struct {
	point
	torn bool
}

func (f fate) String() string {
	when := "before"
	switch {
	case f.torn:
		when = "torn"
	case f.after:
		when = "after"
	}
	return fmt.Sprintf("%s/%d/%s", f.seam, f.n, when)
}

// parseFate is the reverse of String.
func parseFate(text string) (f fate, err error) {
	var when string
	_, err = fmt.Sscan(strings.ReplaceAll(text, "/", " "), &f.seam, &f.n, &when)
	f.torn = when == "torn"
	f.after = when != "before"
	return f, err
}

// TestAttack_Crash kills the real daemon with SIGKILL before and after what it stores, sends to its
// peer and submits to the chain, and again in the first thing that it does then, with the end of
// its log torn off; from its deposit to its withdrawal, over a match with a dispute. Every time it
// goes on by itself and is paid what the match says, its peer sees one signature at each place, and
// in the end the Arena is empty.
func TestAttack_Crash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var accounts, deaths atomic.Int32
	die := func(t *testing.T, f fate) bool {
		v := newVictim(t, w, int(accounts.Add(2)))
		n := v.live(f)
		deaths.Add(int32(n)) //nolint:gosec // a few
		return n > 0
	}
	t.Run("daemon", func(t *testing.T) {
		switch {
		case *everyCrash:
			for _, f := range []fate{
				{point: point{seam: persist}}, {point: point{seam: persist, after: true}}, {point: point{seam: persist, after: true}, torn: true},
				{point: point{seam: send}}, {point: point{seam: send, after: true}},
				{point: point{seam: submit}}, {point: point{seam: submit, after: true}},
			} {
				t.Run(f.String(), func(t *testing.T) {
					t.Parallel()
					for f, reached := f, true; reached; {
						f.n++
						reached = false
						t.Run(f.String(), func(t *testing.T) { reached = die(t, f) })
					}
				})
			}
			return
		case *oneCrash != "":
			f, err := parseFate(*oneCrash)
			if err != nil {
				t.Fatal(err)
			}
			die(t, f)
			return
		}
		for _, f := range []fate{
			{point: point{seam: submit, n: 3, after: true}},
			{point: point{seam: persist, n: 30, after: true}, torn: true},
			{point: point{seam: send, n: 8}},
			{point: point{seam: persist, n: 18}},
			{point: point{seam: submit, n: 2}},
			{point: point{seam: send, n: 5, after: true}},
		} {
			t.Run(f.String(), func(t *testing.T) {
				t.Parallel()
				if !die(t, f) {
					t.Errorf("it never came to that")
				}
			})
		}
	})
	t.Logf("%d deaths", deaths.Load())
	held, err := w.Chain.Client().BalanceAt(context.Background(), w.Arena, nil)
	if err != nil || held.Sign() != 0 {
		t.Errorf("the Arena holds %v in the end: %v", held, err)
	}
}

// live has the daemon live until its player has withdrawn everything, and returns how often it died
// on the way.
func (v *victim) live(f fate) (deaths int) {
	for fates := []fate{f, {point: point{seam: anywhere, n: 1, after: f.n%2 == 0}}, {point: point{seam: anywhere}}}; ; fates = fates[1:] {
		v.start(fates[0].point)
		if v.until(v.next) {
			break
		}
		deaths++
		if fates[0].torn {
			v.tear(f.n)
		}
	}
	for _, what := range v.told.Accusations() {
		v.Error(what)
	}
	if v.told.Places() == 0 {
		v.Error("no signature was seen")
	}
	return deaths
}

// tear cuts off a part of what the dead daemon wrote after the last commit that it acknowledged.
func (v *victim) tear(n int) {
	v.Helper()
	file, err := os.Open(v.journal())
	v.must(err)
	defer file.Close()
	var name string
	var sure, size int64
	counts := map[seam]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, is := strings.CutPrefix(lines.Text(), acknowledged); is {
			_, err := fmt.Sscan(rest, &name, &sure)
			v.must(err)
		} else {
			counts[seam(lines.Text())]++
		}
	}
	newest, size, err := newestLog(v.dir + "/store/data")
	v.must(err)
	if newest != name {
		sure = 0
	}
	cut := sure + (size-sure)*int64(n%4)/4
	v.must(os.Truncate(newest, cut))
	v.Logf("%d of %d unacknowledged bytes are lost", size-cut, size-sure)
}
