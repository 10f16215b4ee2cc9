package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// attacksFile lists what stops each attack of docs/attacks.md: first the row and the tests that
// must fail without it; then, for each file, what of it is taken away and what stands there
// instead, each line after its sign.
const attacksFile = "internal/mutants/attacks.txt"

// attack is a row, and what stops it.
type attack struct {
	row    string
	tests  []string // folder.Test
	guards []mutant
}

// attacksOf reads the list. What is taken away must be in its file, once.
func attacksOf(root string) (list []attack, err error) {
	text, err := os.ReadFile(filepath.Join(root, attacksFile))
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(entry, "\n")
		head := strings.Fields(lines[0])
		if len(lines) < 3 || len(head) < 2 {
			return nil, fmt.Errorf("%s: %q says no test or no guard", attacksFile, entry)
		}
		a := attack{row: head[0], tests: head[1:]}
		for lines = lines[1:]; len(lines) > 0; {
			path := lines[0]
			var from, to []string
		removal:
			for lines = lines[1:]; len(lines) > 0; lines = lines[1:] {
				switch sign, rest, _ := strings.Cut(lines[0], " "); sign {
				case "-":
					from = append(from, rest)
				case "+":
					to = append(to, rest)
				default:
					break removal
				}
			}
			src, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				return nil, err
			}
			guard := strings.Join(from, "\n")
			if guard == "" || strings.Count(string(src), guard) != 1 {
				return nil, fmt.Errorf("%s: %s does not have this once: %s", a.row, path, guard)
			}
			at := strings.Index(string(src), guard)
			a.guards = append(a.guards, mutant{path, "attack", at, at + len(guard), strings.Join(to, "\n")})
		}
		list = append(list, a)
	}
	return list, nil
}

// open builds, in dir, what is without an attack's guards.
func (a attack) open(ctx context.Context, b *bench, dir string) (all change, err error) {
	all.sources = map[string]string{}
	for _, m := range a.guards {
		src, err := os.ReadFile(filepath.Join(b.root, m.path))
		if err != nil {
			return all, err
		}
		if !strings.HasSuffix(m.path, ".sol") {
			open, known := all.sources[m.path]
			if !known {
				open = string(src)
			}
			// each stands there once
			all.sources[m.path] = strings.Replace(open, string(src[m.from:m.to]), m.with, 1)
			continue
		}
		c, err := bytecode(ctx, b, dir, m, string(src))
		if err != nil {
			return all, err
		}
		if len(c.packages) == 0 {
			return all, fmt.Errorf("%s compiles to the same code", m.path)
		}
		all.env = append(all.env, c.env...)
	}
	if len(all.env) == 0 || len(all.sources) == 0 {
		return all, nil
	}
	other, err := b.replaceable()
	maps.Copy(all.sources, other)
	return all, err
}

// attempt is one test of an attack, without what stops the attack.
type attempt struct {
	attack
	test  string
	fails bool
	err   error
}

// attacks takes away what stops each attack, width of them at once, and reports whether a test of
// the attack passes all the same.
func (b *bench) attacks(ctx context.Context, out io.Writer, width int, match string, before bool) (bool, error) {
	list, err := attacksOf(b.root)
	if err != nil {
		return before, err
	}
	failed, passed := 0, 0
	for t := range ahead(ctx, width, func(yield func(func(context.Context) attempt) bool) {
		for _, a := range list {
			for _, test := range a.tests {
				if a.row != match && !strings.Contains(a.guards[0].path, match) && !strings.HasSuffix(test, "."+match) {
					continue
				}
				if !yield(func(ctx context.Context) attempt {
					fails, err := b.notices(ctx, a, test)
					return attempt{a, test, fails, err}
				}) {
					return
				}
			}
		}
	}) {
		switch {
		case ctx.Err() != nil:
			return before, ctx.Err()
		case t.fails:
			failed++
			fmt.Fprintf(out, "fails   %s %s\n", t.row, t.test)
		default:
			passed++
			fmt.Fprintf(out, "PASSES  %s %s without what stops it in %s", t.row, t.test, t.guards[0].path)
			if t.err != nil {
				fmt.Fprintf(out, ": %v", t.err)
			}
			fmt.Fprintln(out)
		}
	}
	fmt.Fprintf(out, "attacks: %d tests fail when what stops the attack is taken away, %d pass\n", failed, passed)
	return before || passed > 0, nil
}

// notices says whether a test fails without what stops its attack.
func (b *bench) notices(ctx context.Context, a attack, test string) (bool, error) {
	folder, name, ok := strings.Cut(test, ".")
	if !ok {
		return false, errors.New(test + " is no test")
	}
	dir, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	c, err := a.open(ctx, b, dir)
	if err != nil {
		return false, err
	}
	compiled, err := b.compiled(ctx, dir, "./"+folder, c)
	if err != nil {
		return false, err
	}
	fails, _, err := b.fails(ctx, compiled, "./"+folder, c, "-test.run", "^"+name+"$")
	return fails, err
}
