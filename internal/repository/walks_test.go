package repository_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// hop is a line of a walk in ARCHITECTURE.md: a file, and functions in it.
var hop = regexp.MustCompile("(?m)^[0-9]+\\. `([a-z0-9_/]+\\.go)` ((?:`[A-Za-z]+`(?:, )?)+)")

// TestWalks: the functions that ARCHITECTURE.md walks through are where it says.
func TestWalks(t *testing.T) {
	atRoot(t)
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	hops := hop.FindAllStringSubmatch(string(text), -1)
	if len(hops) < 20 {
		t.Fatalf("%d hops in three walks", len(hops))
	}
	for _, h := range hops {
		source, err := os.ReadFile(h[1])
		if err != nil {
			t.Error(err)
			continue
		}
		for name := range strings.SplitSeq(strings.ReplaceAll(h[2], "`", ""), ", ") {
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).Match(source) {
				t.Errorf("%s has no %s", h[1], name)
			}
		}
	}
}
