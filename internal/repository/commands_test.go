package repository_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestCommandsExist: every target of make that a page names is in the Makefile, and every test that
// a page runs in its package.
func TestCommandsExist(t *testing.T) {
	atRoot(t)
	makefile, targets, tests := read(t, "Makefile"), 0, 0
	for page, text := range pages(t) {
		for _, found := range regexp.MustCompile("(?m)(?:`|^    |^)make ([a-z-]+)").FindAllStringSubmatch(text, -1) {
			targets++
			if !strings.Contains(makefile, "\n"+found[1]+":") {
				t.Errorf("%s: the Makefile has no %s", page, found[1])
			}
		}
		for _, found := range regexp.MustCompile(`go test \./([a-z0-9/]+) (?:-v )?-run '?(Test\w+)[^_\w]`).FindAllStringSubmatch(text, -1) {
			tests++
			if !hasTest(t, found[1], found[2]) {
				t.Errorf("%s: there is no %s in %s", page, found[2], found[1])
			}
		}
	}
	if targets < 10 || tests < 5 {
		t.Errorf("%d targets and %d tests were found", targets, tests)
	}
}
