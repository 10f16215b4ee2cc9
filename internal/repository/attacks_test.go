package repository_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAttacksHaveTests: docs/attacks.md has one row for each attack that tests are named after, and
// no other.
func TestAttacksHaveTests(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/attacks.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^([A-Z][A-Za-z]+): [^|\n]+ \| [^|\n]+$`)
	tests, rows := attackTests(t), map[string]bool{}
	for _, found := range row.FindAllStringSubmatch(string(page), -1) {
		name := found[1]
		if rows[name] {
			t.Errorf("%s has two rows", name)
		}
		if rows[name] = true; !tests[name] {
			t.Errorf("there is no TestAttack_%s", name)
		}
	}
	for name := range tests {
		if !rows[name] {
			t.Errorf("docs/attacks.md has no row %s", name)
		}
	}
	if lines := strings.Count(string(page), " | "); lines != len(rows)+strings.Count(string(page), "attack | stopped by") {
		t.Errorf("%d rows of %d lines are read", len(rows), lines)
	}
}

// attackTests is the attacks that tests are named after.
func attackTests(t *testing.T) map[string]bool {
	t.Helper()
	attacks := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func TestAttack_([A-Za-z0-9]+)[A-Za-z0-9_]*\(`)
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, test := range declared.FindAllSubmatch(source, -1) {
			attacks[string(test[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return attacks
}
