package main

import (
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const contract = `// A comment with if (x) revert Y(); and 7.
pragma solidity 0.8.37;

contract C {
    uint256 internal constant MOST = 0x10;

    function f(uint256 a) external nonReentrant {
        if (a > MOST || _odd(a)) revert Bad(a);
        assembly ("memory-safe") {
            mstore(0, sub(a, add(1, a)))
        }
        slot.word = a;
        emit Done(a);
    }
}
`

// Every kind of change is made where it belongs, and nowhere in comments.
func TestMutantsOfSolidity(t *testing.T) {
	list := solidityOf("C.sol", contract)
	for kind, want := range map[string][]string{
		"guard dropped":        {"if (false && (a > MOST || _odd(a))) revert"},
		"guard negated":        {"if (!(a > MOST || _odd(a))) revert"},
		"lock dropped":         {"external  {"},
		"comparison shifted":   {"a >= MOST"},
		"comparison flipped":   {"a <= MOST"},
		"logic exchanged":      {"MOST && _odd"},
		"arithmetic exchanged": {"add(a, add(1, a))", "sub(a, sub(1, a))"},
		"operands swapped":     {"sub(add(1, a), a)"},
		"one more":             {"MOST = 17;", "mstore(1,", "add(2, a)"},
		"one less":             {"MOST = 15;", "add(0, a)"},
		"statement dropped":    {"{\n            \n        }", "}\n        \n        emit", "slot.word = a;\n        \n"},
	} {
		check(t, kind, contract, list, want)
	}
}

const guarded = `package p

func f(a, b int) error {
	if a < 0 || b > a {
		return nil
	}
	if a == 1 {
		b++
		return nil
	}
	switch {
	case b == 2:
		return nil
	case b >= 3:
		a++
	}
	return nil
}
`

// TestAttacksList: the code that stops each attack is where the list says, the tests that it names
// exist, and docs/attacks.md names the attacks that the list leaves out, and no other.
func TestAttacksList(t *testing.T) {
	list, err := attacksOf("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/attacks.md")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^([A-Z]\w+): `).FindAllStringSubmatch(string(page), -1) {
		missing[row[1]] = true
	}
	for _, a := range list {
		if !strings.Contains(string(page), "\n"+a.row+": ") {
			t.Errorf("docs/attacks.md has no row %s", a.row)
		}
		delete(missing, a.row)
		for _, test := range a.tests {
			folder, name, _ := strings.Cut(test, ".")
			if !declares(t, filepath.Join("../..", folder), name) {
				t.Errorf("%s: there is no %s", a.row, test)
			}
		}
	}
	if says := "Not covered there: " + strings.Join(slices.Sorted(maps.Keys(missing)), ", ") + "."; !strings.Contains(strings.Join(strings.Fields(string(page)), " "), says) {
		t.Errorf("docs/attacks.md doesn't say %q", says)
	}
}

func declares(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(source), "\nfunc "+test+"(")
	})
}

// What is explained is a mutant of the sources as they are.
func TestExplained(t *testing.T) {
	list, err := explained("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core", "contracts", "outside"} {
		b, err := newBench(name, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer b.close()
		all, sources, err := b.mutants("")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			delete(list, m.key(sources[m.path]))
		}
	}
	for key := range list {
		t.Errorf("there is no such mutant any more:\n%s", key)
	}
}

// Only what leaves at once is a guard.
func TestMutantsOfGuards(t *testing.T) {
	list, all := wovenInto(t, guarded, (*editor).guard)
	if want := "if mutantNever(1, (mutantOn(2) && (!(a < 0 || b > a)) || !mutantOn(2) && " +
		"(mutantNever(3, mutantOther(4, a < 0, a <= 0)) || mutantNever(5, mutantOther(6, b > a, b >= a))))) {"; !strings.Contains(all, want) {
		t.Errorf("all of them:\n%s\nwant %s", all, want)
	}
	for kind, want := range map[string][]string{
		"guard dropped":      {"if false && (a < 0 || b > a) {", "case false && (b == 2):"},
		"guard negated":      {"if !(a < 0 || b > a) {", "case !(b == 2):"},
		"reason dropped":     {"if false && (a < 0) || b > a {", "if a < 0 || false && (b > a) {"},
		"comparison shifted": {"if a <= 0 || b > a {", "if a < 0 || b >= a {"},
	} {
		check(t, kind, guarded, list, want)
	}
}

// check fails unless the mutants of a kind are those that contain, one each, what is wanted.
func check(t *testing.T, kind, src string, list []mutant, want []string) {
	t.Helper()
	var found []string
	for _, m := range list {
		if m.kind == kind {
			found = append(found, m.apply(src))
		}
	}
	if len(found) != len(want) {
		t.Errorf("%s: %d mutants, want %d", kind, len(found), len(want))
	}
	for _, w := range want {
		if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, w) }) {
			t.Errorf("%s: none has %q; there are:\n%s", kind, w, strings.Join(found, "\n---\n"))
		}
	}
}

// One seed makes one order, which has every mutant once.
func TestDraw(t *testing.T) {
	all := solidityOf("C.sol", contract)
	order := func(seed uint64, list []mutant) []mutant {
		return slices.Collect(draw(list, rand.New(rand.NewPCG(seed, 0))))
	}
	one := order(1, all)
	reversed := slices.Clone(all)
	slices.Reverse(reversed)
	if !slices.Equal(one, order(1, reversed)) {
		t.Error("the order depends on more than the seed")
	}
	if slices.Equal(one, order(2, all)) {
		t.Error("two seeds make one order")
	}
	if len(one) != len(all) {
		t.Errorf("%d of %d mutants", len(one), len(all))
	}
}

// What is shown is the changed lines and nothing else.
func TestDiff(t *testing.T) {
	m := mutant{from: strings.Index(guarded, "a < 0"), to: strings.Index(guarded, "a < 0") + 1, with: "b"}
	if got, want := m.diff(guarded), "    - \tif a < 0 || b > a {\n    + \tif b < 0 || b > a {\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

const statements = `package p

func f(a, b int, s *state) error {
	if err := g(); err != nil {
		return err
	}
	if a < 0 && b != 1 {
		s.log.Info("no")
		return nil
	}
	s.field = a
	s.other = nil
	changes["k"] = b
	changes["l"] = nil
	s.notify(a)
	return nil
}
`

// Checks, clauses, bounds, writes and calls are broken, and what only passes an error on or logs is
// not.
func TestMutantsOfStatements(t *testing.T) {
	list, err := mutantsOf("p.go", statements, (*editor).statement)
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{
		"check dropped":       {"if false && (a < 0 && b != 1) {"},
		"clause dropped":      {"if (true || (a < 0)) && b != 1 {", "if a < 0 && (true || (b != 1)) {"},
		"bound shifted":       {"if a <= 0 &&"},
		"one more":            {"if a < 1 &&", "b != 2 {"},
		"field not written":   {"\t_ = a\n", "= a\n\t\n\tchanges"},
		"entry not persisted": {"\t_, _ = \"k\", b\n", "\t_ = \"l\"\n"},
		"call dropped":        {"= nil\n\t\n\treturn"},
	} {
		check(t, kind, statements, list, want)
		for _, m := range list {
			if _, err := parser.ParseFile(token.NewFileSet(), "p.go", m.apply(statements), 0); err != nil {
				t.Errorf("%s: %v", m.kind, err)
			}
		}
	}
}

// Of the tests that meet a mutant, those that meet the least besides it come first, and their limit
// is well above what they take.
func TestPick(t *testing.T) {
	r := &reached{Tests: map[string]*met{
		"TestNarrow": {Took: 3 * time.Second, Mutants: []int{4}}, "TestWide": {Took: time.Second, Mutants: []int{4, 7}},
		"TestSlow": {Took: mostTime, Mutants: []int{4, 7, 9}}, "TestBroken": {Fails: true, Mutants: []int{4, 5}},
	}}
	if got := r.pick(4); !slices.Equal(got.names, []string{"TestNarrow", "TestWide"}) || got.limit != 46*time.Second {
		t.Errorf("%+v", got)
	}
	if got := r.pick(5); len(got.names) != 0 {
		t.Errorf("a mutant that nothing meets: %+v", got)
	}
	if got := r.pick(9); !slices.Equal(got.names, []string{"TestSlow"}) {
		t.Errorf("a mutant that only a slow test meets: %+v", got)
	}
}

// What can't be woven in is met by the tests of what is nearest; but in a constant of the package
// by those of any of its mutants.
func TestNear(t *testing.T) {
	const src = `package p

const most = least + 1

func f(a int) bool {
	const own = least + 7
	return a > most+own
}
`
	f, list, err := seamsOf("p.go", src, (*editor).statement)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := mutant{path: "q.go"}
	w := &woven{numbers: map[mutant]int{elsewhere: 2}, declared: map[mutant]bool{}}
	for _, s := range list {
		if w.declared[s.mutant] = inNoFunction(f, s.mutant); s.kind == "bound shifted" {
			w.numbers[s.mutant] = 3
		}
	}
	near := map[string][]int{}
	for _, s := range list {
		near[s.kind+" to "+s.with] = w.near(s.mutant)
	}
	want := map[string][]int{"one more to 2": {2, 3}, "one more to 8": {3}, "bound shifted to >=": {3}}
	if !maps.EqualFunc(near, want, slices.Equal) || !slices.Equal(w.near(elsewhere), []int{2}) {
		t.Errorf("%v, want %v", near, want)
	}
}

// All mutants of a file are woven into it, one around the other, but for those in whose place no
// other statement can stand.
func TestWeave(t *testing.T) {
	const src = `package p

func f(a, b int, s *state) error {
	if a < 0 && b+1 > g() {
		return nil
	}
	for s.at = a; s.next(); s.at = b + 1 {
		s.field = b + 1
	}
	return nil
}
`
	_, all := wovenInto(t, src, (*editor).statement)
	for _, want := range []string{
		"if mutantNever(1, mutantAlways(2, mutantOther(4, mutantOther(5, a < 0, a < 1), a <= 0)) && mutantAlways(3, " +
			"(mutantOn(6) && (b+1 >= g()) || !mutantOn(6) && (mutantValue(7, b+1, b+2) > g())))) {",
		"for s.at = a; s.next(); s.at = mutantValue(8, b + 1, b + 2) {",
		"if !mutantOn(9) { s.field = mutantValue(10, b + 1, b + 2) } else { _ = b + 1 }",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("all of them:\n%s\nwant %s", all, want)
		}
	}
}

// wovenInto returns the mutants of a file, and the file with all of them in it.
func wovenInto(t *testing.T, src string, visit visitor) (all []mutant, with string) {
	t.Helper()
	_, list, err := seamsOf("p.go", src, visit)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		all = append(all, s.mutant)
	}
	list = slices.DeleteFunc(list, func(s seam) bool { return s.form == apart })
	for i := range list {
		list[i].number = 1 + i
	}
	slices.SortStableFunc(list, outermost)
	with = weave(src, list, 0, len(src))
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", with, 0); err != nil {
		t.Error(err)
	}
	return all, with
}

// Every package outside of the core has files to break, and tests that should notice.
func TestOutside(t *testing.T) {
	list, err := outside.files("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, path := range list {
		if len(outside.suites(path)) == 0 {
			t.Errorf("no tests for %s", path)
		}
		found[strings.Join(strings.Split(path, "/")[:strings.Count(path, "/")], "/")] = true
	}
	for _, dir := range []string{"disputes", "chain", "node", "node/house", "node/lobby", "tower", "transport/p2p", "store", "games/box9", "games/sumscows"} {
		if !found[dir] {
			t.Errorf("nothing of %s is broken", dir)
		}
	}
}
