package repository_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// columns is where comments are wrapped. A tab is four of them.
const columns = 100

// preformatted begins the lines of tables and drawings, which stay as they are.
var preformatted = regexp.MustCompile(`^//(\t|   |nolint)`)

// TestComments_Wrapped finds comment lines that are too long, generated files excepted.
func TestComments_Wrapped(t *testing.T) {
	atRoot(t)
	seen := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "node_modules" || len(name) > 1 && name[0] == '.') {
			return filepath.SkipDir
		}
		switch filepath.Ext(path) {
		case ".go", ".sol", ".proto":
		default:
			return nil
		}
		text := read(t, path)
		if strings.HasPrefix(text, "// Code generated") {
			return nil
		}
		for i, line := range strings.Split(text, "\n") {
			if comment := strings.TrimSpace(line); !strings.HasPrefix(comment, "//") || preformatted.MatchString(comment) {
				continue
			}
			seen++
			if wide := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); wide > columns {
				t.Errorf("%s:%d: a comment of %d columns", path, i+1, wide)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 1000 {
		t.Errorf("%d comment lines were looked at, too few", seen)
	}
}
