package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// scope is packages in Go whose code is broken, and the packages whose tests should notice, the
// quickest first; of those, a pattern says which tests where not all are about it.
type scope []struct {
	files string
	tests []suite
}

var core = scope{
	{"protocol/*.go", []suite{{"./protocol", ""}, {"./protocol/message", ""}, {"./protocol/matchmaking", ""}, {"./channel", ""}, {"./disputes", ""}}},
	{"protocol/message/*.go", []suite{{"./protocol/message", ""}, {"./channel", ""}, {"./disputes", ""}}},
	{"protocol/encoding/*.go", []suite{{"./protocol/message", ""}, {"./channel", ""}, {"./disputes", ""}}},
	{"protocol/matchmaking/*.go", []suite{{"./protocol/message", ""}, {"./protocol/matchmaking", ""}, {"./channel", ""}, {"./disputes", ""}}},
	{"channel/*.go", []suite{{"./channel", ""}, {"./disputes", ""}}},
}

// outside is all but the core.
var outside = scope{
	{"disputes/*.go", []suite{{"./disputes", ""}}},
	{"chain/*.go", []suite{{"./chain", ""}}},
	{"chain/codec/*.go", []suite{{"./chain/codec", ""}, {"./chain", ""}}},
	{"driver/*.go", []suite{{"./tower", ""}, {"./node", ""}}},
	{"node/*.go", []suite{{"./node", ""}}},
	{"node/house/*.go", []suite{{"./node/house", ""}}},
	{"node/lobby/*.go", []suite{{"./node/lobby", ""}}},
	{"tower/*.go", []suite{{"./tower", ""}, {"./node", "Tower"}}},
	{"transport/*.go", []suite{{"./transport", ""}}},
	{"transport/budget/*.go", []suite{{"", ""}, {".", "Network"}}},
	{"transport/memory/*.go", []suite{{"", ""}}},
	{"transport/p2p/*.go", []suite{{"", ""}, {".", "Network"}}},
	{"transport/wire/*.go", []suite{{"", ""}}},
	{"money/*.go", []suite{{"", ""}}},
	{"store/*.go", []suite{{"./store", ""}}},
	{"games/*/player.go", []suite{{"", ""}}},
	{"games/*/bot.go", []suite{{"", ""}}},
	{"games/*/chained.go", []suite{{"", ""}}},
	{"games/*/notes.go", []suite{{"", ""}}},
}

// suite is tests of a package; of the package that is broken, if it names none.
type suite struct{ pkg, match string }

// suites returns whose tests should notice a change of a file.
func (k scope) suites(file string) []suite {
	for _, p := range k {
		if ok, err := filepath.Match(p.files, file); err != nil || !ok {
			continue
		}
		list := append([]suite(nil), p.tests...)
		for i := range list {
			list[i].pkg = cmp.Or(list[i].pkg, "./"+path.Dir(file))
		}
		return list
	}
	return nil
}

// files lists what is broken, without what is generated.
func (k scope) files(root string) ([]string, error) {
	var patterns []string
	for _, p := range k {
		patterns = append(patterns, p.files)
	}
	list, err := glob(patterns...)(root)
	var own []string
	for _, path := range list {
		if !strings.HasSuffix(path, ".pb.go") {
			own = append(own, path)
		}
	}
	return own, err
}

// chosen puts a mutant there for the tests that meet it. One that can't be compiled together with
// the others is compiled by itself.
func chosen(ctx context.Context, b *bench, _ string, m mutant, src string) (c change, err error) {
	b.checking.Lock()
	defer b.checking.Unlock()
	dir := path.Dir(m.path)
	w := b.woven[dir]
	if w == nil {
		if w, err = b.weave(ctx, dir); err != nil {
			return c, err
		}
		b.woven[dir] = w
	}
	if number := w.numbers[m]; number == 0 {
		c.sources = map[string]string{m.path: m.apply(src)}
	} else {
		c.env = []string{told + "=" + strconv.Itoa(number)}
	}
	c.tests = map[string]picked{}
	for _, s := range b.suites(m.path) {
		reached, err := b.reach(ctx, s, w)
		if err != nil {
			return c, err
		}
		c.packages = append(c.packages, s.pkg)
		c.tests[s.pkg] = reached.pick(w.near(m)...)
	}
	return c, nil
}

// near returns the numbers of the mutants by which the tests of one are picked: of itself; if it
// isn't woven in, of the one nearest to it, or, if it is in no function, of all: what is declared
// there may be used anywhere in the package.
func (w *woven) near(m mutant) []int {
	switch number := w.numbers[m]; {
	case number != 0:
		return []int{number}
	case w.declared[m]:
		return slices.Sorted(maps.Values(w.numbers))
	default:
		return []int{w.nearest(m)}
	}
}

// nearest returns the number of the mutant that is nearest to one that isn't woven in.
func (w *woven) nearest(m mutant) (number int) {
	least := math.MaxInt
	for other, n := range w.numbers {
		if away := max(other.from-m.from, m.from-other.from); other.path == m.path && (away < least || away == least && n < number) {
			least, number = away, n
		}
	}
	return number
}

// unmet prints the mutants that no test meets, and reports whether there are any.
func (b *bench) unmet(ctx context.Context, out io.Writer, match string) (any bool, err error) {
	all, sources, err := b.mutants(match)
	if err != nil {
		return false, err
	}
	reasons, err := explained(b.root)
	if err != nil {
		return false, err
	}
	for _, m := range all {
		src := sources[m.path]
		if reasons[m.key(src)] != "" {
			continue
		}
		c, err := chosen(ctx, b, "", m, src)
		if err != nil {
			return any, err
		}
		if c.sources != nil || slices.ContainsFunc(slices.Collect(maps.Values(c.tests)), func(p picked) bool { return len(p.names) > 0 }) {
			continue
		}
		any = true
		fmt.Fprintf(out, "%s:%d, %s\n%s", m.path, 1+strings.Count(src[:m.from], "\n"), m.kind, m.diff(src))
	}
	return any, nil
}
