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
	"slices"
	"strconv"
	"strings"
	"time"
)

// reached is which mutants of a package each test of a suite meets: those that make a difference where they are.
type reached struct {
	Tests map[string]*met `json:"tests"` // that pass by themselves, by name
	test  string          // compiled, with the mutants in it
}

type met struct {
	Took    time.Duration `json:"took"`
	Mutants []int         `json:"mutants"`
}

// mostTime is how long the picked tests may take without a mutant.
const mostTime = 2 * time.Minute

// pick returns the tests that meet a mutant, those that meet the least besides it first, as many as may be. What takes four times
// as long as without a mutant, and half a minute, has noticed.
func (r *reached) pick(number int) (p picked) {
	for name, m := range r.Tests {
		if slices.Contains(m.Mutants, number) {
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

// reach runs each test of a suite by itself and notes which mutants of a package it meets. What it finds is kept in the
// temporary directory until one of the two packages changes.
func (b *bench) reach(ctx context.Context, s suite, w *woven) (*reached, error) {
	key := s.pkg + " " + s.match + " " + w.dir
	if r := b.reached[key]; r != nil {
		return r, nil
	}
	hash, err := b.hash(s, w)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return nil, err
	}
	test, err := b.link(ctx, dir, s.pkg, w.sources)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(os.TempDir(), "ante-mutants-reach", hash+".json")
	r := new(reached)
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		if r, err = b.measure(ctx, s, test); err != nil {
			return nil, err
		}
		if text, err = json.Marshal(r); err != nil {
			return nil, err
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)); err != nil {
			return nil, err
		}
	}
	r.test = test
	b.reached[key] = r
	return r, nil
}

// hash names what a measurement depends on.
func (b *bench) hash(s suite, w *woven) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, s.pkg, s.match, w.dir)
	for _, file := range slices.Sorted(maps.Keys(w.sources)) {
		fmt.Fprintf(h, "%s %x\n", file, sha256.Sum256([]byte(w.sources[file])))
	}
	list, err := filepath.Glob(filepath.Join(b.root, s.pkg, "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", filepath.Base(file), sha256.Sum256(text))
	}
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

func (b *bench) measure(ctx context.Context, s suite, test string) (*reached, error) {
	list := exec.CommandContext(ctx, test, "-test.list", cmp.Or(s.match, "."))
	list.Dir = filepath.Join(b.root, s.pkg)
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", s.pkg, err)
	}
	r := &reached{Tests: map[string]*met{}}
	for name := range strings.FieldsSeq(string(names)) {
		if !strings.HasPrefix(name, "Test") || strings.Contains(name, "Gas") {
			continue
		}
		notes := test + ".notes"
		began := time.Now()
		fails, why, err := b.fails(ctx, test, s.pkg, change{env: []string{noted + "=" + notes}}, append([]string{"-test.run", "^" + name + "$"}, quick...)...)
		if err != nil {
			return nil, err
		}
		took := time.Since(began)
		text, err := os.ReadFile(notes)
		if errors.Is(err, os.ErrNotExist) {
			continue // it meets none
		}
		if err := errors.Join(err, os.Remove(notes)); err != nil {
			return nil, err
		}
		if fails {
			fmt.Fprintf(os.Stderr, "left out, for it fails by itself: %s of %s%s\n", name, s.pkg, why)
			continue
		}
		m := &met{Took: took}
		for number := range strings.FieldsSeq(string(text)) {
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("%s noted: %w", name, err)
			}
			m.Mutants = append(m.Mutants, n)
		}
		r.Tests[name] = m
	}
	return r, nil
}
