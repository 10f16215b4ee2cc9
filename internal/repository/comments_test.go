package repository_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// columns is where comments and prose are wrapped. A tab is four of them.
const columns = 100

// remark begins a line of a comment, in a file of each kind; a script is a file without one.
var remark = map[string]string{
	".go": "//", ".sol": "//", ".proto": "//", ".ts": "//", ".mjs": "//", ".svelte": "//", ".txtar": "#", ".service": "#", ".yml": "#", "": "#",
}

// preformatted begins the lines of tables, drawings and commands, which stay as they are.
var preformatted = regexp.MustCompile(`^(//|#|\*)(\t|   |nolint)`)

// TestComments_Wrapped finds comment lines that are too long, generated files excepted.
func TestComments_Wrapped(t *testing.T) {
	atRoot(t)
	seen := 0
	for path, text := range texts(t, slices.Collect(maps.Keys(remark))...) {
		if strings.HasPrefix(text, "// Code generated") || strings.HasPrefix(text, "// @generated") {
			continue
		}
		begin := remark[filepath.Ext(path)]
		for i, line := range strings.Split(text, "\n") {
			comment := strings.TrimSpace(line)
			is := strings.HasPrefix(comment, begin) || begin == "//" && strings.HasPrefix(comment, "* ")
			if !is || preformatted.MatchString(comment) {
				continue
			}
			seen++
			if wide := width(line); wide > columns {
				t.Errorf("%s:%d: a comment of %d columns", path, i+1, wide)
			}
		}
	}
	if seen < 1000 {
		t.Errorf("%d comment lines were looked at, too few", seen)
	}
}

// TestProse_Wrapped finds lines of documents that are too long, but for tables, snippets, drawings
// and single words.
func TestProse_Wrapped(t *testing.T) {
	atRoot(t)
	for path, text := range texts(t, ".md") {
		snippet := false
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				snippet = !snippet
			}
			if snippet || strings.Contains(line, "|") || strings.HasPrefix(line, "    ") || !strings.Contains(line, " ") {
				continue
			}
			if wide := width(line); wide > columns {
				t.Errorf("%s:%d: a line of %d columns", path, i+1, wide)
			}
		}
	}
}

func width(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
}
