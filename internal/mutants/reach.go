package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reached is which lines of a package's files each test of a suite runs.
type reached struct {
	Tests map[string]*lines `json:"tests"` // that pass by themselves, by name
}

type lines struct {
	Took  time.Duration    `json:"took"`
	Lines map[string][]int `json:"lines"` // by file, from the root
	All   int              `json:"all"`
}

// mostTime is how long the picked tests may take without a mutant.
const mostTime = 2 * time.Minute

// pick returns the tests that run a line, those that run the least besides it first, as many as may be. What takes four times
// as long as without a mutant, and half a minute, has noticed.
func (r *reached) pick(path string, line int) (p picked) {
	for name, l := range r.Tests {
		if slices.Contains(l.Lines[path], line) {
			p.names = append(p.names, name)
		}
	}
	slices.SortFunc(p.names, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Tests[a].All, r.Tests[b].All), strings.Compare(a, b))
	})
	took := time.Duration(0)
	for i, name := range p.names {
		if took += r.Tests[name].Took; took > mostTime && i > 0 {
			took -= r.Tests[name].Took
			p.names = p.names[:i]
			break
		}
	}
	p.limit = 4*took + 30*time.Second
	return p
}

// reach runs each test of a suite by itself and notes which lines of the file's package it runs. What it finds is kept in the
// temporary directory until one of the two packages changes.
func (b *bench) reach(ctx context.Context, s suite, path string) (*reached, error) {
	broken := "./" + filepath.ToSlash(filepath.Dir(path))
	b.checking.Lock()
	defer b.checking.Unlock()
	key := s.pkg + " " + s.match + " " + broken
	if r := b.reached[key]; r != nil {
		return r, nil
	}
	hash, err := b.hash(s, broken)
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
		if r, err = b.measure(ctx, s, broken); err != nil {
			return nil, err
		}
		if text, err = json.Marshal(r); err != nil {
			return nil, err
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)); err != nil {
			return nil, err
		}
	}
	b.reached[key] = r
	return r, nil
}

// hash names what a measurement depends on.
func (b *bench) hash(s suite, broken string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, s.pkg, s.match, broken)
	for _, dir := range []string{s.pkg, broken} {
		list, err := filepath.Glob(filepath.Join(b.root, dir, "*.go"))
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
	}
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

func (b *bench) measure(ctx context.Context, s suite, broken string) (*reached, error) {
	dir, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	test := filepath.Join(dir, "reach.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-cover", "-coverpkg", broken, "-o", test, s.pkg)
	build.Dir = b.root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the tests of %s: %w\n%s", s.pkg, err, out)
	}
	list := exec.CommandContext(ctx, test, "-test.list", cmp.Or(s.match, "."))
	list.Dir = filepath.Join(b.root, s.pkg)
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", s.pkg, err)
	}
	r := &reached{Tests: map[string]*lines{}}
	for name := range strings.FieldsSeq(string(names)) {
		if !strings.HasPrefix(name, "Test") || strings.Contains(name, "Gas") {
			continue
		}
		profile := filepath.Join(dir, "profile")
		began := time.Now()
		fails, _, err := b.fails(ctx, test, s.pkg, change{}, append([]string{"-test.run", "^" + name + "$", "-test.coverprofile", profile}, quick...)...)
		if err != nil {
			return nil, err
		}
		if fails {
			continue // it tells nothing
		}
		text, err := os.ReadFile(profile)
		if err != nil {
			return nil, err
		}
		r.Tests[name] = linesOf(string(text), broken, time.Since(began))
	}
	return r, nil
}

var block = regexp.MustCompile(`/([^/:]+\.go):(\d+)\.\d+,(\d+)\.\d+ \d+ [1-9]`)

// linesOf reads the lines that ran from a profile.
func linesOf(profile, broken string, took time.Duration) *lines {
	l := &lines{Took: took, Lines: map[string][]int{}}
	for _, found := range block.FindAllStringSubmatch(profile, -1) {
		path := strings.TrimPrefix(broken, "./") + "/" + found[1]
		first, _ := strconv.Atoi(found[2]) // digits
		last, _ := strconv.Atoi(found[3])
		for line := first; line <= last; line++ {
			l.Lines[path] = append(l.Lines[path], line)
			l.All++
		}
	}
	return l
}
