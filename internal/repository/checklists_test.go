package repository_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestChecklistsNameTests: every row of checklists.txt names a test, and every test that it names
// exists.
func TestChecklistsNameTests(t *testing.T) {
	atRoot(t)
	list := read(t, "internal/repository/checklists.txt")
	rows := regexp.MustCompile(`(?m)^\d+\. .*\n((?:   .*\n?)*)`).FindAllStringSubmatch(list, -1)
	for _, row := range rows {
		named := regexp.MustCompile(`([a-z0-9/]+)\.(Test\w+)`).FindAllStringSubmatch(row[1], -1)
		if len(named) == 0 {
			t.Errorf("no test is named in %q", row[0])
		}
		for _, n := range named {
			if !hasTest(t, n[1], n[2]) {
				t.Errorf("there is no %s in %s", n[2], n[1])
			}
		}
	}
	if len(rows) < 90 {
		t.Errorf("%d rows were found", len(rows))
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
