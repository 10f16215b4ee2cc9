package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// choosing is compiled into each package of the core, behind its package clause: it puts the mutant
// there whose number the environment tells, or writes down, in the file that it names, the number
// of every mutant that would have made a difference to what its condition says.
const choosing = `

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

var (
	mutant, _ = strconv.Atoi(os.Getenv("` + told + `"))
	mutants   = os.Getenv("` + noted + `")
	mutantMet sync.Map
)

func mutantDiffers(n int) {
	if _, known := mutantMet.LoadOrStore(n, true); known {
		return
	}
	f, err := os.OpenFile(mutants, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, n)
		f.Close()
	}
	if err != nil {
		panic(err)
	}
}

func mutantGuard(dropped, negated int, v bool) bool {
	if mutants != "" {
		if mutantDiffers(negated); v {
			mutantDiffers(dropped)
		}
	}
	return mutant != dropped && (mutant == negated) != v
}

func mutantReason(dropped int, v bool) bool {
	if mutants != "" && v {
		mutantDiffers(dropped)
	}
	return mutant != dropped && v
}

func mutantShift(shifted int, v, other bool) bool {
	if mutants != "" && v != other {
		mutantDiffers(shifted)
	}
	if mutant == shifted {
		return other
	}
	return v
}
`

// unguarded returns the core's sources with every mutant in them, and what says which one is there.
func (b *bench) unguarded() (map[string]string, error) {
	sources := map[string]string{}
	err := b.numbered(func(path, all string, _ []mutant, _ int) {
		sources[path] = all
		dir := filepath.Dir(path)
		sources[filepath.Join(dir, "mutant.go")] = "package " + filepath.Base(dir) + choosing
	})
	return sources, err
}

// meet runs each test of a package by itself, and notes for which mutants it has a condition say
// something else: no other can fail it.
func (b *bench) meet(ctx context.Context, pkg, test string) error {
	out, err := exec.CommandContext(ctx, test, "-test.list", ".").Output()
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		file := filepath.Join(b.dir, "met")
		args := append([]string{"-test.run", "^" + name + "$"}, quick...)
		if fails, why, err := b.fails(ctx, test, pkg, change{env: []string{noted + "=" + file}}, args...); err != nil || fails {
			return errors.Join(fmt.Errorf("%s of %s fails by itself:%s", name, pkg, why), err)
		}
		met, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := errors.Join(err, os.Remove(file)); err != nil {
			return err
		}
		for number := range strings.FieldsSeq(string(met)) {
			b.met[pkg+" "+number] = append(b.met[pkg+" "+number], name)
		}
	}
	return nil
}

// whichMet returns the tests of a package that meet a mutant.
func (b *bench) whichMet(pkg, mutant string) []string {
	b.checking.Lock()
	defer b.checking.Unlock()
	return b.met[pkg+" "+mutant]
}

// numbersOf returns the number of every mutant, from 1, as the sources are now.
func (b *bench) numbersOf() (map[mutant]int, error) {
	numbers := map[mutant]int{}
	err := b.numbered(func(_, _ string, list []mutant, first int) {
		for i, m := range list {
			numbers[m] = first + i
		}
	})
	return numbers, err
}

// numbered makes the mutants of every file of the core, and calls back with the file that has them
// all and their numbers.
func (b *bench) numbered(f func(path, all string, list []mutant, first int)) error {
	files, err := b.files(b.root)
	if err != nil {
		return err
	}
	first := 1
	for _, path := range files {
		src, err := os.ReadFile(filepath.Join(b.root, path))
		if err != nil {
			return err
		}
		list, all, err := guardsOf(path, string(src), first)
		if err != nil {
			return err
		}
		f(path, all, list, first)
		first += len(list)
	}
	return nil
}
