package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestExitCodesInOperate: docs/operate.md lists every exit code.
func TestExitCodesInOperate(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/operate.md")
	if err != nil {
		t.Fatal(err)
	}
	_, listed, _ := strings.Cut(string(page), "<!-- exits -->")
	listed, _, _ = strings.Cut(listed, "<!-- /exits -->")
	source, err := os.ReadFile("exit.go")
	if err != nil {
		t.Fatal(err)
	}
	want := "0"
	for _, c := range regexp.MustCompile(`\texit[A-Z][a-z]+ += (\d+)\n`).FindAllStringSubmatch(string(source), -1) {
		want += " " + c[1]
	}
	got := ""
	for _, c := range regexp.MustCompile(`(?m)^(\d+) \| \S`).FindAllStringSubmatch(listed, -1) {
		got += " " + c[1]
	}
	if got != " "+want {
		t.Errorf("the page lists%s, the program has %s", got, want)
	}
}
