// Command mutants breaks the contracts, and the guards of the protocol core, in many small ways,
// one at a time, and runs the tests that should notice. What it prints as survived is either a
// check that no test holds, or a change that makes no difference and belongs in explained.txt, with
// the reason. It changes no file: mutants live in a build overlay.
//
//	go run ./internal/mutants -seed 1 -n 40
//	go run ./internal/mutants -of outside -seed 1 -n 40
//	go run ./internal/mutants -of attacks
//
// The second breaks everything else in Go, and runs the tests that run the broken line. The third
// takes away what stops each attack of docs/attacks.md, as attacks.txt lists it, and runs the
// attack's tests. The same seed makes the same mutants of the same sources. Needs npm's packages
// (npm ci), for the Solidity compiler.
//
// # What is changed
//
// Contracts: guards and re-entrancy locks dropped, guards negated, comparisons shifted or flipped,
// logic and arithmetic exchanged, operands swapped, numbers one more or less, assignments, writes,
// calls and events dropped, in Yul too. Core: every condition on which a function or loop leaves at
// once: dropped, negated, shifted, each of its reasons dropped. Outside: the same checks and
// clauses dropped, comparisons shifted, numbers one more, fields and entries not written, calls
// dropped, but not "if err != nil", logs and locks. Every kind comes as often as any other. Mutants
// that don't compile, or compile to the same code, are passed over. Tests of gas are left out: gas
// is held to the unit, so they would kill every mutant.
//
// # What is run
//
// A contract's mutant meets the tests of contracts, of its game and of disputes. Those of a package
// in Go are compiled into it at once, and each meets the tests in which it makes a difference:
// which these are is measured once and kept in the temporary directory until the package or the
// test's file changes. A mutant counts as killed by time after four times what its tests take
// without it, and half a minute. Load makes tests with deadlines fail: run it on an idle machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	var (
		seed  = flag.Uint64("seed", 1, "chooses the mutants")
		n     = flag.Int("n", 40, "how many of the contracts, and how many of the core")
		what  = flag.String("of", "contracts,core", "what to break: contracts, core, outside (all other packages), or attacks: what stops them")
		match = flag.String("file", "", "break only files whose path contains this or fits this pattern, or the attack, or its test, of this name")
		kind  = flag.String("kind", "", "make only mutants of this kind")
		limit = flag.Duration("limit", 5*time.Minute, "a mutant whose tests take longer counts as killed")
		unmet = flag.Bool("unmet", false, "list the mutants outside that no test meets, and no others")
		width = flag.Int("parallel", 1, "how many to test at once")
	)
	flag.Parse()
	survived, err := run(strings.Split(*what, ","), *seed, *n, *width, *match, *kind, *limit, *unmet)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case survived:
		os.Exit(1)
	}
}

// run breaks each of what is named, until it is interrupted, and reports whether anything survived.
func run(names []string, seed uint64, n, width int, match, kind string, limit time.Duration, unmet bool) (survived bool, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, name := range names {
		b, err := newBench(name, limit)
		if err != nil {
			return survived, err
		}
		b.kind = kind
		switch {
		case unmet:
			survived, err = b.unmet(ctx, os.Stdout, match)
		case name == "attacks":
			survived, err = b.attacks(ctx, os.Stdout, width, match, survived)
		default:
			survived, err = b.run(ctx, os.Stdout, seed, n, width, match, survived)
		}
		if err = errors.Join(err, b.close()); err != nil {
			return survived, err
		}
	}
	return survived, nil
}

// root is where the module lies, seen from where the command runs.
func root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod here or above: run it in the project's folder")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
