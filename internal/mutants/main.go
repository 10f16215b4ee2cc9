// Command mutants breaks the contracts, and the guards of the protocol core, in many small ways, one at a time, and runs
// the tests that should notice. What it prints as survived is either a check that no test holds, or a change that makes
// no difference; docs/mutants.md explains the latter. It changes no file: mutants live in a build overlay.
//
//	go run ./internal/mutants -seed 1 -n 40
//	go run ./internal/mutants -of attacks
//
// The second takes away what stops each attack of docs/attacks.md, as attacks.txt lists it, and runs the attack's tests.
// The same seed makes the same mutants of the same sources. Needs npm's packages (npm ci), for the Solidity compiler.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	var (
		seed  = flag.Uint64("seed", 1, "chooses the mutants")
		n     = flag.Int("n", 40, "how many of the contracts, and how many of the core")
		what  = flag.String("of", "contracts,core", "what to break: contracts, core, or what stops the attacks")
		match = flag.String("file", "", "break only files whose path contains this, or the attack of this name")
		limit = flag.Duration("limit", 5*time.Minute, "a mutant whose tests take longer counts as killed")
		width = flag.Int("parallel", 1, "how many to test at once")
	)
	flag.Parse()
	survived, err := run(strings.Split(*what, ","), *seed, *n, *width, *match, *limit)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case survived:
		os.Exit(1)
	}
}

// run breaks each of what is named, until it is interrupted, and reports whether anything survived.
func run(names []string, seed uint64, n, width int, match string, limit time.Duration) (survived bool, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, name := range names {
		b, err := newBench(name, limit)
		if err != nil {
			return survived, err
		}
		if name == "attacks" {
			survived, err = b.attacks(ctx, os.Stdout, match, survived)
		} else {
			survived, err = b.run(ctx, os.Stdout, seed, n, width, match, survived)
		}
		if err = errors.Join(err, b.close()); err != nil {
			return survived, err
		}
	}
	return survived, nil
}

// mutant is one change of one file.
type mutant struct {
	path     string // from the root
	kind     string // the operator that made it
	from, to int    // what it replaces, in bytes
	with     string
}

// apply returns the file with the change.
func (m mutant) apply(src string) string { return src[:m.from] + m.with + src[m.to:] }

// diff shows the changed lines.
func (m mutant) diff(src string) string {
	start := strings.LastIndexByte(src[:m.from], '\n') + 1
	end := m.to
	if i := strings.IndexByte(src[m.to:], '\n'); i >= 0 {
		end += i
	}
	var out strings.Builder
	for _, side := range []struct{ sign, text string }{{"-", src[start:end]}, {"+", src[start:m.from] + m.with + src[m.to:end]}} {
		for line := range strings.Lines(side.text) {
			fmt.Fprintf(&out, "    %s %s\n", side.sign, strings.TrimRight(line, "\n"))
		}
	}
	return out.String()
}

// outcome is what became of a mutant.
type outcome int

const (
	killed   outcome = iota
	survived         // every test passed
	same             // compiles to the same code
	broken           // does not compile: another is made in its place
	equal            // listed as making no difference
)

// run tests n mutants of the files, width of them at once, and reports whether one survived.
func (b *bench) run(ctx context.Context, out io.Writer, seed uint64, n, width int, match string, before bool) (bool, error) {
	all, sources, err := b.mutants(match)
	if err != nil {
		return before, err
	}
	reasons, err := explained(b.root)
	if err != nil {
		return before, err
	}
	ctx, stop := context.WithCancel(ctx)
	count := map[outcome]int{}
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	for t := range ahead(width, func(yield func(func() tried) bool) {
		for m := range draw(all, rand.New(rand.NewPCG(seed, 0))) {
			if src := sources[m.path]; reasons[m.key(src)] != "" {
				if !yield(func() tried { return tried{m, equal, "", nil} }) {
					return
				}
				continue
			}
			done := make(chan tried, 1)
			group.Go(func() {
				result, why, err := b.try(ctx, m, sources[m.path])
				done <- tried{m, result, why, err}
			})
			if !yield(func() tried { return <-done }) {
				return
			}
		}
	}) {
		if t.err != nil {
			return before, t.err
		}
		count[t.outcome]++
		if t.outcome == killed || t.outcome == survived {
			src := sources[t.path]
			line := 1 + strings.Count(src[:t.from], "\n")
			fmt.Fprintf(out, "%s %s:%d, %s%s\n", map[outcome]string{killed: "killed  ", survived: "SURVIVED"}[t.outcome], t.path, line, t.kind, t.why)
			if t.outcome == survived {
				fmt.Fprint(out, t.diff(src))
			}
		}
		if count[killed]+count[survived] == n {
			break
		}
	}
	total := count[killed] + count[survived]
	fmt.Fprintf(out, "%s: seed %d, %d of %d mutants killed; passed over: %d that don't compile, %d that compile to the same code, %d that %s explains\n",
		b.name, seed, count[killed], total, count[broken], count[same], count[equal], explainedFile)
	return before || count[survived] > 0, nil
}

// tried is a mutant, and what became of it.
type tried struct {
	mutant
	outcome
	why string // what killed it
	err error
}

// ahead yields results in the order in which they were begun, with width of them under way.
func ahead(width int, begin func(yield func(func() tried) bool)) func(yield func(tried) bool) {
	return func(yield func(tried) bool) {
		var pending []func() tried
		for wait := range begin {
			if pending = append(pending, wait); len(pending) < width {
				continue
			}
			if !yield(pending[0]()) {
				return
			}
			pending = pending[1:]
		}
		for _, wait := range pending {
			if !yield(wait()) {
				return
			}
		}
	}
}

// draw yields the mutants in a random order in which every kind has its turn as often as any other, however many there
// are of it.
func draw(all []mutant, rnd *rand.Rand) func(yield func(mutant) bool) {
	byKind := map[string][]mutant{}
	for _, m := range all {
		byKind[m.kind] = append(byKind[m.kind], m)
	}
	var kinds []string
	for kind, list := range byKind {
		kinds = append(kinds, kind)
		slices.SortFunc(list, func(a, b mutant) int {
			return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.from, b.from), strings.Compare(a.with, b.with))
		})
	}
	slices.Sort(kinds)
	return func(yield func(mutant) bool) {
		for len(kinds) > 0 {
			k := rnd.IntN(len(kinds))
			list := byKind[kinds[k]]
			i := rnd.IntN(len(list))
			m := list[i]
			if byKind[kinds[k]] = slices.Delete(list, i, i+1); len(list) == 1 {
				kinds = slices.Delete(kinds, k, k+1)
			}
			if !yield(m) {
				return
			}
		}
	}
}

// root is where the module lies, seen from where the command runs.
func root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod here or above: run it in the project's folder")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
