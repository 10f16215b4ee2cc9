package repository_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAttacksHaveTests: docs/attacks.md has one row for each attack that tests are named after,
// with the packages of those tests.
func TestAttacksHaveTests(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/attacks.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^([A-Z][A-Za-z]+): [^|]+ \\| [^|]+ \\| `([a-z0-9/,]+)`$")
	tests, rows := attackTests(t), map[string]bool{}
	for _, found := range row.FindAllStringSubmatch(string(page), -1) {
		name, packages := found[1], strings.Split(found[2], ",")
		if rows[name] {
			t.Errorf("%s has two rows", name)
		}
		rows[name] = true
		if !slices.Equal(packages, tests[name]) {
			t.Errorf("row %s names %v, TestAttack_%s is in %v", name, packages, name, tests[name])
		}
	}
	for name := range tests {
		if !rows[name] {
			t.Errorf("docs/attacks.md has no row %s", name)
		}
	}
	if lines := strings.Count(string(page), " | ") / 2; lines != len(rows)+strings.Count(string(page), "attack | stopped by") {
		t.Errorf("%d rows of %d lines are read", len(rows), lines)
	}
}

// attackTests lists, for each attack, the packages with tests of its name, sorted.
func attackTests(t *testing.T) map[string][]string {
	t.Helper()
	attacks := map[string][]string{}
	declared := regexp.MustCompile(`(?m)^func TestAttack_([A-Za-z0-9]+)[A-Za-z0-9_]*\(`)
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		folder := filepath.ToSlash(filepath.Dir(path))
		for _, test := range declared.FindAllSubmatch(source, -1) {
			if name := string(test[1]); !slices.Contains(attacks[name], folder) {
				attacks[name] = append(attacks[name], folder)
				slices.Sort(attacks[name])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return attacks
}
