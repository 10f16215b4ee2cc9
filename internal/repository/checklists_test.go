package repository_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestChecklistsNameTests: every test that docs/checklists.md names exists, and every row names one.
func TestChecklistsNameTests(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/checklists.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`([a-z0-9/]+)\\.(Test[A-Za-z0-9_]+)`")
	rows := 0
	for line := range strings.Lines(string(page)) {
		if !regexp.MustCompile(`^\| [0-9]`).MatchString(line) {
			continue
		}
		rows++
		named := name.FindAllStringSubmatch(line, -1)
		if len(named) == 0 {
			t.Errorf("no test is named in %q", strings.TrimSpace(line))
		}
		for _, n := range named {
			if !hasTest(t, n[1], n[2]) {
				t.Errorf("there is no %s in %s", n[2], n[1])
			}
		}
	}
	if rows < 18 {
		t.Errorf("%d rows were found", rows)
	}
}

func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
