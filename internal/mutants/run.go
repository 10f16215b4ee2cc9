package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
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
	// places: killed and survived, by package
	count, places := map[outcome]int{}, map[string]*[survived + 1]int{}
	for t := range ahead(ctx, width, func(yield func(func(context.Context) tried) bool) {
		for m := range draw(all, rand.New(rand.NewPCG(seed, 0))) {
			if !yield(func(ctx context.Context) tried {
				src := sources[m.path]
				if reasons[m.key(src)] != "" {
					return tried{m, equal, "", nil}
				}
				result, why, err := b.try(ctx, m, src)
				return tried{m, result, why, err}
			}) {
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

// ahead does each piece of work, width of them at once, and yields what came of them in the order
// in which they were begun. It has ended all of them when it returns.
func ahead[T any](ctx context.Context, width int, work iter.Seq[func(context.Context) T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		ctx, stop := context.WithCancel(ctx)
		var group sync.WaitGroup
		defer group.Wait()
		defer stop()
		var pending []chan T
		for do := range work {
			done := make(chan T, 1)
			group.Go(func() { done <- do(ctx) })
			if pending = append(pending, done); len(pending) < width {
				continue
			}
			if !yield(<-pending[0]) {
				return
			}
			pending = pending[1:]
		}
		for _, done := range pending {
			if !yield(<-done) {
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
