package main

import (
	"fmt"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	path     string // from the root
	kind     string // the operator that made it
	from, to int    // what it replaces, in bytes
	with     string
}

// apply returns the file with the change.
func (m mutant) apply(src string) string { return src[:m.from] + m.with + src[m.to:] }

// diff shows the changed lines.
func (m mutant) diff(src string) string {
	start := strings.LastIndexByte(src[:m.from], '\n') + 1
	end := m.to
	if i := strings.IndexByte(src[m.to:], '\n'); i >= 0 {
		end += i
	}
	var out strings.Builder
	for _, side := range []struct{ sign, text string }{{"-", src[start:end]}, {"+", src[start:m.from] + m.with + src[m.to:end]}} {
		for line := range strings.Lines(side.text) {
			fmt.Fprintf(&out, "    %s %s\n", side.sign, strings.TrimRight(line, "\n"))
		}
	}
	return out.String()
}
