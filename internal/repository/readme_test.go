package repository_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the generated parts of pages")

// stale reports a generated text that is not what it is made from, and how to write it anew: that
// command must run the test.
func stale(t *testing.T, path string) {
	t.Helper()
	const named = "Current"
	t.Errorf("%s is not current: run go test ./internal/repository -run %s -update", path, named)
	if !strings.Contains(t.Name(), named) {
		t.Errorf("which does not run %s", t.Name())
	}
}

// TestReadmeIsCurrent holds the parts of README.md that stand between markers to what they are made
// from.
func TestReadmeIsCurrent(t *testing.T) {
	atRoot(t)
	current(t, "README.md", map[string]string{"example": example(t), "gas": gasTable(t)})
}

// current holds the parts of a page that stand between markers to what they are made from.
func current(t *testing.T, page string, parts map[string]string) {
	had, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(had)
	for name, with := range parts {
		text = fill(t, page, text, name, with)
	}
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != string(had) {
		stale(t, page)
	}
}

// whole holds a whole file to what it is made from.
func whole(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, path) != text {
		stale(t, path)
	}
}

// fill replaces what stands between <!-- name --> and <!-- /name -->.
func fill(t *testing.T, page, text, name, with string) string {
	open, shut := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(text, open)
	_, after, ok2 := strings.Cut(rest, shut)
	if !ok || !ok2 {
		t.Fatalf("%s has no %s … %s", page, open, shut)
	}
	return before + open + with + shut + after
}

// example returns the body of the node package's example, as a program's main would have it.
func example(t *testing.T) string {
	file, err := os.ReadFile("node/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	body := regexp.MustCompile(`(?s)\nfunc Example\(\) \{\n(.*?)\n\t// Output:`).FindSubmatch(file)
	if body == nil {
		t.Fatal("node/example_test.go has no Example with an output")
	}
	lines := strings.Split(string(body[1]), "\n")
	if len(lines) > 40 {
		t.Errorf("the README's example has %d lines, promised are at most 40", len(lines))
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "\t")
	}
	return "```go\n" + strings.Join(lines, "\n") + "\n```\n"
}

// The figures of others are from their own recorded files, tests and reports: go-nitro's
// gasResults.json, go-perun's tests, EtherMind's report.
var compared = []struct{ what, ours, nitro, perun, etherMind string }{
	{"both players, from and to wallets (deposit, open, close)", "happy_cold", "187,418", "405,846", "3,492,864 (4 rounds of 6 guesses)"},
	{"a further match in an open channel", "0", "-", "-", "3,492,864"},
	{"the same from and to the bank", "happy_warm", "-", "-", "-"},
	{"one-sided exit", "exit_onesided", "195,172", "351,532", "140,820 (AFK)"},
	{"start a dispute", "advance_start", "113,146", "131,123", "98,411"},
	{"refute with a newer state", "advance_refute", "73,936", "78,745", "-"},
	{"forced move on-chain", "advance_forced", "96,482", "90,160", "-"},
	{"a whole dispute, batched (advance, contest, expire, settle)", "dispute_full", "-", "-", "-"},
	{"deploy", "deploy_arena", "3,443,915", "3,917,306", "3,005,962"},
}

func gasTable(t *testing.T) string {
	file, err := os.ReadFile("contracts/gas.json")
	if err != nil {
		t.Fatal(err)
	}
	var gas map[string]uint64
	if err := json.Unmarshal(file, &gas); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| gas | Ante | go-nitro | go-perun | EtherMind |\n|---|---|---|---|---|\n")
	for _, row := range compared {
		ours := row.ours
		if v, ok := gas[row.ours]; ok {
			ours = thousands(v)
		} else if ours != "0" {
			t.Errorf("contracts/gas.json has no %q", row.ours)
		}
		fmt.Fprintf(&b, "| %s | **%s** | %s | %s | %s |\n", row.what, ours, row.nitro, row.perun, row.etherMind)
	}
	return b.String()
}

func thousands(v uint64) string {
	s := fmt.Sprint(v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
