package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	bindings = "contracts/bindings/bindings.go"
	// names the file of the codes that stand in for others, or is the number of a mutant in Go
	told = "ANTE_MUTANT"
	// names the file into which tests write the numbers of the mutants that they meet
	noted = "ANTE_MUTANT_MET"
)

// bytecode compiles a mutant of a contract, and tells the tests the new code, in a file of dir.
func bytecode(ctx context.Context, b *bench, dir string, m mutant, src string) (c change, err error) {
	codes, err := b.compilers.compile(ctx, b.root, strings.TrimPrefix(m.path, "contracts/"), m.apply(src))
	if err != nil {
		return c, err
	}
	if len(codes) == 0 {
		return c, errBroken
	}
	text, err := os.ReadFile(filepath.Join(b.root, bindings))
	if err != nil {
		return c, err
	}
	other, games := map[string]string{}, []string(nil)
	for name, code := range codes {
		if code.Before == code.After {
			continue
		}
		if strings.Count(string(text), code.Before) != 1 {
			return c, fmt.Errorf("the bindings of %s are not current: run make contracts", name)
		}
		other["0x"+code.Before] = "0x" + code.After
		if game, ok := tests[name]; ok {
			games = append(games, game)
		}
	}
	if len(other) == 0 {
		return c, nil
	}
	slices.Sort(games)
	content, err := json.Marshal(other)
	if err != nil {
		return c, err
	}
	file := filepath.Join(dir, "codes.json")
	c.env = []string{told + "=" + file}
	c.packages = slices.Concat(games, []string{"./contracts", "./disputes"})
	return c, os.WriteFile(file, content, 0o600)
}

// tests says where the Go twin of a game's contract is tested against it.
var tests = map[string]string{
	"Battleships":  "./games/battleships",
	"Box9":         "./games/box9",
	"Mastermind":   "./games/mastermind",
	"SplitOrSteal": "./games/splitsteal",
	"SumsAndCows":  "./games/sumscows",
}

// replaceable returns the bindings so changed that the tests put what they are told in place of a
// contract's code.
func (b *bench) replaceable() (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(b.root, bindings))
	if err != nil {
		return nil, err
	}
	return map[string]string{
		bindings: code.ReplaceAllString(string(text), "${1}mutant($2)"),
		filepath.Dir(bindings) + "/mutant.go": `package bindings

import (
	"encoding/json"
	"os"
)

func mutant(code string) string {
	if other, ok := mutants[code]; ok {
		return other
	}
	return code
}

var mutants = func() (codes map[string]string) {
	name := os.Getenv("` + told + `")
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, &codes)
	}
	if err != nil {
		panic(err)
	}
	return codes
}()
`,
	}, nil
}

// code finds the code in the bindings.
var code = regexp.MustCompile(`(\tBin: +)("0x[0-9a-f]*")`)
