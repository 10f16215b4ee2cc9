package main

import (
	"os"
	"path/filepath"
	"slices"
)

// unguarded returns the core's sources with every mutant in them, and what says which one is there.
func (b *bench) unguarded() (map[string]string, error) {
	sources := map[string]string{"channel/mutant.go": `package channel

import (
	"os"
	"strconv"
)

var mutant, _ = strconv.Atoi(os.Getenv("` + told + `"))
`}
	err := b.numbered(func(path, all string, _ []mutant, _ int) { sources[path] = all })
	return sources, err
}

// numberOf returns the number of a mutant, from 1.
func (b *bench) numberOf(m mutant) (number int, err error) {
	err = b.numbered(func(_, _ string, list []mutant, first int) {
		if i := slices.Index(list, m); i >= 0 {
			number = first + i
		}
	})
	return number, err
}

// numbered makes the mutants of every file of the core, and calls back with the file that has them all and their numbers.
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
