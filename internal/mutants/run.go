package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
)

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
	// places: killed and survived, by package
	count, places := map[outcome]int{}, map[string]*[survived + 1]int{}
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
			if dir := path.Dir(t.path); places[dir] == nil {
				places[dir] = new([survived + 1]int)
			}
			places[path.Dir(t.path)][t.outcome]++
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
	for _, dir := range slices.Sorted(maps.Keys(places)) {
		fmt.Fprintf(out, "%s: %d killed, %d survived\n", dir, places[dir][killed], places[dir][survived])
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

// draw yields the mutants in a random order in which every kind has its turn as often as any other,
// however many there are of it.
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
