package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// bench is where mutants of one kind of source are made and tested.
type bench struct {
	name  string
	root  string
	kind  string // of the mutants that are made; "": all
	limit time.Duration
	files func(root string) ([]string, error)
	make  func(path, src string) ([]mutant, error)
	visit visitor // makes those in Go
	// whose tests should notice a change of a file in Go
	suites func(path string) []suite
	// build says how the tests are made to meet a mutant.
	build func(ctx context.Context, b *bench, dir string, m mutant, src string) (change, error)
	// the sources, by path, of tests that are told the mutant
	told  func() (map[string]string, error)
	dir   string            // of test binaries that every mutant uses
	tests map[string]string // these, by package
	sound map[string]bool   // those that pass without a mutant

	woven   map[string]*woven   // packages with all their mutants in them
	reached map[string]*reached // the mutants that tests meet, by suite and package

	compilers compilers

	checking  sync.Mutex // guards sound, woven and reached while many are tried
	compiling sync.Mutex // guards tests; taken last
}

// change is what a mutant changes.
type change struct {
	sources map[string]string // new contents, by path; compiled for every mutant
	env     []string          // or what the tests are told, which are compiled once
	// whose tests should notice, the quickest first; none if nothing changes
	packages []string
	tests    map[string]picked // of these packages; nil: all
	limit    time.Duration     // of the tests, where it is not the bench's
}

// picked is the tests of a package that may notice a change.
type picked struct {
	names []string
	test  string        // compiled, with all mutants in it
	limit time.Duration // for all of them: those that take longer have noticed
}

// errBroken says that a mutant does not compile.
var errBroken = errors.New("does not compile")

func newBench(name string, limit time.Duration) (*bench, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	b := &bench{name: name, root: dir, limit: limit, tests: map[string]string{}, sound: map[string]bool{}, woven: map[string]*woven{}, reached: map[string]*reached{}}
	switch name {
	case "core":
		b.inGo(core, (*editor).guard)
	case "contracts":
		b.files = glob("contracts/src/*.sol", "contracts/src/games/*.sol")
		b.make = func(path, src string) ([]mutant, error) { return solidityOf(path, src), nil }
		b.build, b.told = bytecode, b.replaceable
	case "outside":
		b.inGo(outside, (*editor).statement)
	case "attacks":
		b.told = b.replaceable
	default:
		return nil, fmt.Errorf("%q is none of contracts, core, outside and attacks", name)
	}
	if b.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return nil, err
	}
	return b, nil
}

// inGo has the bench break packages in Go.
func (b *bench) inGo(k scope, visit visitor) {
	b.files, b.suites, b.visit, b.build = k.files, k.suites, visit, chosen
	b.make = func(path, src string) ([]mutant, error) { return mutantsOf(path, src, visit) }
}

// close ends the compilers and removes what the bench has made.
func (b *bench) close() error {
	b.compilers.close()
	return os.RemoveAll(b.dir)
}

func glob(patterns ...string) func(string) ([]string, error) {
	return func(root string) (list []string, err error) {
		for _, p := range patterns {
			found, err := filepath.Glob(filepath.Join(root, p))
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				if rel, err := filepath.Rel(root, f); err == nil && !strings.HasSuffix(f, "_test.go") {
					list = append(list, filepath.ToSlash(rel))
				}
			}
		}
		return list, nil
	}
}

// mutants returns all that could be made, and the sources.
func (b *bench) mutants(match string) (all []mutant, sources map[string]string, err error) {
	files, err := b.files(b.root)
	if err != nil {
		return nil, nil, err
	}
	sources = map[string]string{}
	for _, path := range files {
		if fits, err := filepath.Match(match, path); err != nil || !fits && !strings.Contains(path, match) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(b.root, path))
		if err != nil {
			return nil, nil, err
		}
		list, err := b.make(path, string(src))
		if err != nil {
			return nil, nil, err
		}
		sources[path] = string(src)
		for _, m := range list {
			if b.kind == "" || m.kind == b.kind {
				all = append(all, m)
			}
		}
	}
	return all, sources, nil
}

// Gas is held to the unit: any change would be noticed by that alone.
var quick = []string{"-test.short", "-test.failfast", "-test.skip", "Gas"}

// check compiles the tests that every mutant uses, unless this one has its own, and sees them pass
// without a mutant, once.
func (b *bench) check(ctx context.Context, pkg string, c change) error {
	if len(c.sources) > 0 || c.tests != nil {
		return nil
	}
	b.checking.Lock()
	defer b.checking.Unlock()
	if b.sound[pkg] {
		return nil
	}
	test, err := b.compiled(ctx, b.dir, pkg, change{})
	if err != nil {
		return err
	}
	if fails, why, err := b.fails(ctx, test, pkg, change{}, quick...); err != nil || fails {
		return errors.Join(fmt.Errorf("without a mutant the tests of %s fail:%s", pkg, why), err)
	}
	b.sound[pkg] = true
	return nil
}

// try tests one mutant. It says which package's tests killed it.
func (b *bench) try(ctx context.Context, m mutant, src string) (outcome, string, error) {
	dir, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return 0, "", err
	}
	defer os.RemoveAll(dir)
	c, err := b.build(ctx, b, dir, m, src)
	switch {
	case errors.Is(err, errBroken):
		return broken, "", nil
	case err != nil:
		return 0, "", err
	case len(c.packages) == 0:
		return same, "", nil
	}
	for _, pkg := range c.packages {
		unmet := c.tests != nil && len(c.tests[pkg].names) == 0 // no test runs the line
		if unmet && len(c.sources) == 0 {
			continue
		}
		if err := b.check(ctx, pkg, c); err != nil {
			return 0, "", err
		}
		test, err := b.compiled(ctx, dir, pkg, c)
		if errors.Is(err, errBroken) {
			return broken, "", nil
		}
		if err != nil {
			return 0, "", err
		}
		if unmet {
			continue
		}
		fails, why, err := b.noticed(ctx, test, pkg, c)
		if err != nil {
			return 0, "", err
		}
		if fails {
			return killed, " by " + strings.TrimPrefix(pkg, "./") + why, nil
		}
	}
	return survived, "", nil
}

// firstTests is how many of the picked tests run before the others: those that run the least
// besides the changed line.
const firstTests = 5

// noticed runs the tests that may notice a change, the most likely ones first.
func (b *bench) noticed(ctx context.Context, test, pkg string, c change) (bool, string, error) {
	if c.tests == nil {
		return b.fails(ctx, test, pkg, c, quick...)
	}
	picked := c.tests[pkg]
	c.limit = picked.limit
	for _, names := range [][]string{picked.names[:min(firstTests, len(picked.names))], picked.names[min(firstTests, len(picked.names)):]} {
		if len(names) == 0 {
			continue
		}
		fails, why, err := b.fails(ctx, test, pkg, c, append([]string{"-test.run", "^(" + strings.Join(names, "|") + ")$"}, quick...)...)
		if fails || err != nil {
			return fails, why, err
		}
	}
	return false, "", nil
}

// fails runs a package's tests, and says whether any failed, and which.
func (b *bench) fails(ctx context.Context, test, pkg string, c change, args ...string) (fails bool, why string, err error) {
	cmd := exec.CommandContext(ctx, test, append(args, "-test.timeout", cmp.Or(c.limit, b.limit).String())...)
	cmd.Dir, cmd.Env = filepath.Join(b.root, pkg), append(os.Environ(), c.env...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return false, "", ctx.Err()
	}
	return err != nil, firstFailure(out), nil
}

// compiled returns a package's tests, built with what a mutant changes; in dir, or kept for all if
// it changes no source.
func (b *bench) compiled(ctx context.Context, dir, pkg string, c change) (string, error) {
	sources := c.sources
	if picked, ok := c.tests[pkg]; ok && len(sources) == 0 {
		return picked.test, nil
	}
	if len(sources) == 0 {
		b.compiling.Lock()
		defer b.compiling.Unlock()
		if test, ok := b.tests[pkg]; ok {
			return test, nil
		}
		var err error
		if sources, err = b.told(); err != nil {
			return "", err
		}
		dir = b.dir
	}
	test, err := b.link(ctx, dir, pkg, sources)
	if err != nil && len(c.sources) > 0 && ctx.Err() == nil {
		return "", errBroken
	}
	if err != nil {
		return "", err
	}
	if len(c.sources) == 0 {
		b.tests[pkg] = test
	}
	return test, nil
}

// link compiles a package's tests into dir, with other sources.
func (b *bench) link(ctx context.Context, dir, pkg string, sources map[string]string) (string, error) {
	overlay, err := b.overlay(dir, sources)
	if err != nil {
		return "", err
	}
	test := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-")+".test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-ldflags=-s -w", "-overlay", overlay, "-o", test, pkg)
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile the tests of %s: %w\n%s", pkg, err, out)
	}
	return test, nil
}

// overlay writes sources into dir, and what tells the compiler to take them.
func (b *bench) overlay(dir string, sources map[string]string) (string, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	write := func(name, content string) (string, error) {
		at := filepath.Join(dir, name)
		return at, os.WriteFile(at, []byte(content), 0o600)
	}
	for path, content := range sources {
		at, err := write(fmt.Sprintf("%d-%s", len(overlay.Replace), filepath.Base(path)), content)
		if err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(b.root, path)] = at
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	return write("overlay.json", string(text))
}

var failure = regexp.MustCompile(`--- FAIL: (\S+)|panic: (test timed out)`)

// firstFailure names the test that failed.
func firstFailure(out []byte) string {
	if m := failure.FindSubmatch(out); m != nil {
		return " " + string(m[1]) + string(m[2])
	}
	return ""
}
