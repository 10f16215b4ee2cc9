package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reached is which mutants of a package each test of a suite meets: those that make a difference
// where they are.
type reached struct {
	Tests map[string]*met `json:"tests"` // by name
	test  string          // compiled, with the mutants in it
}

type met struct {
	Source  string        `json:"source"` // names the file of the test, as it was
	Fails   bool          `json:"fails"`  // by itself: it tells nothing
	Took    time.Duration `json:"took"`
	Mutants []int         `json:"mutants"`
}

// mostTime is how long the picked tests may take without a mutant.
const mostTime = 2 * time.Minute

// pick returns the tests that meet any of these mutants, those that meet the least besides first,
// as many as may be. What takes four times as long as without a mutant, and half a minute, has
// noticed.
func (r *reached) pick(numbers ...int) (p picked) {
	for name, m := range r.Tests {
		if !m.Fails && slices.ContainsFunc(m.Mutants, func(n int) bool { return slices.Contains(numbers, n) }) {
			p.names = append(p.names, name)
		}
	}
	slices.SortFunc(p.names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(r.Tests[a].Mutants), len(r.Tests[b].Mutants)), strings.Compare(a, b))
	})
	took := time.Duration(0)
	for i, name := range p.names {
		if took += r.Tests[name].Took; took > mostTime && i > 0 {
			took -= r.Tests[name].Took
			p.names = p.names[:i]
			break
		}
	}
	p.test, p.limit = r.test, 4*took+30*time.Second
	return p
}

// reach runs each test of a suite by itself and notes which mutants of a package it meets. What it
// finds is kept in the temporary directory until the package changes, or the file of the test.
func (b *bench) reach(ctx context.Context, s suite, w *woven) (*reached, error) {
	key := s.pkg + " " + s.match + " " + w.dir
	if r := b.reached[key]; r != nil {
		return r, nil
	}
	dir, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return nil, err
	}
	test, err := b.link(ctx, dir, s.pkg, w.sources)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(os.TempDir(), "ante-mutants-reach", s.hash(w)+".json")
	before := new(reached)
	if text, err := os.ReadFile(file); err == nil {
		err = json.Unmarshal(text, before)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
	r, err := b.measure(ctx, s, test, before)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)); err != nil {
		return nil, err
	}
	r.test = test
	b.reached[key] = r
	return r, nil
}

// hash names a suite and a package with its mutants.
func (s suite) hash(w *woven) string {
	h := sha256.New()
	fmt.Fprintln(h, s.pkg, s.match, w.dir)
	for _, file := range slices.Sorted(maps.Keys(w.sources)) {
		fmt.Fprintf(h, "%s %x\n", file, sha256.Sum256([]byte(w.sources[file])))
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
}

var declared = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// declaring names, for each test of a package, the file in which it is, with its contents.
func (b *bench) declaring(pkg string) (map[string]string, error) {
	list, err := filepath.Glob(filepath.Join(b.root, pkg, "*_test.go"))
	if err != nil {
		return nil, err
	}
	where := map[string]string{}
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			where[found[1]] = fmt.Sprintf("%s %x", filepath.Base(file), sha256.Sum256(text))
		}
	}
	return where, nil
}

// measure runs the tests of which it isn't known what they meet.
func (b *bench) measure(ctx context.Context, s suite, test string, before *reached) (*reached, error) {
	list := exec.CommandContext(ctx, test, "-test.list", cmp.Or(s.match, "."))
	list.Dir = filepath.Join(b.root, s.pkg)
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", s.pkg, err)
	}
	sources, err := b.declaring(s.pkg)
	if err != nil {
		return nil, err
	}
	r := &reached{Tests: map[string]*met{}}
	for name := range strings.FieldsSeq(string(names)) {
		if !strings.HasPrefix(name, "Test") || strings.Contains(name, "Gas") {
			continue
		}
		m := before.Tests[name]
		if m == nil || m.Fails || m.Source != sources[name] {
			if m, err = b.meets(ctx, s.pkg, test, name); err != nil {
				return nil, err
			}
			m.Source = sources[name]
		}
		r.Tests[name] = m
	}
	return r, nil
}

func (b *bench) meets(ctx context.Context, pkg, test, name string) (*met, error) {
	notes, began := test+".notes", time.Now()
	fails, why, err := b.fails(ctx, test, pkg, change{env: []string{noted + "=" + notes}}, append([]string{"-test.run", "^" + name + "$"}, quick...)...)
	if err != nil {
		return nil, err
	}
	m := &met{Fails: fails, Took: time.Since(began)}
	if fails {
		fmt.Fprintf(os.Stderr, "left out, for it fails by itself: %s of %s%s\n", name, pkg, why)
	}
	text, err := os.ReadFile(notes)
	if errors.Is(err, os.ErrNotExist) {
		return m, nil // it meets none
	}
	if err := errors.Join(err, os.Remove(notes)); err != nil {
		return nil, err
	}
	for number := range strings.FieldsSeq(string(text)) {
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("%s noted: %w", name, err)
		}
		m.Mutants = append(m.Mutants, n)
	}
	return m, nil
}
