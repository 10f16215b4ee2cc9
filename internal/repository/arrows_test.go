package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ante-games/ante/"

// layer is a line of the drawing in ARCHITECTURE.md: a folder, and the folders that its packages
// import.
type layer struct {
	folder string
	uses   []string
}

// drawing reads the lines of ARCHITECTURE.md's drawing of the packages, from the top.
func drawing(t *testing.T) (list []layer) {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "## The packages")
	_, after, drawn := strings.Cut(after, "```\n")
	block, _, closed := strings.Cut(after, "```")
	if !found || !drawn || !closed {
		t.Fatal("ARCHITECTURE.md has no drawing of the packages")
	}
	for line := range strings.Lines(block) {
		if words := strings.Fields(line); !strings.HasPrefix(line, " ") {
			list = append(list, layer{words[0], words[1:]})
		}
	}
	return list
}

// pure lists the folders that must stay free of I/O, clocks, goroutines' tools and randomness, and
// what they may therefore not import.
var (
	pure      = []string{"protocol", "protocol/message", "protocol/encoding", "protocol/matchmaking", "protocol/onchain", "channel", "money", "games/mastermind", "games/battleships", "games/coin", "games/commit", "games/eip712", "games/box9"}
	forbidden = []string{"os", "net", "net/http", "time", "math/rand", "math/rand/v2", "crypto/rand", "sync", "context", "io/fs", "log", "log/slog"}
)

// TestDrawing: every import between folders is in the drawing, every line of it is true, and arrows
// point down only, so that there is no circle.
func TestDrawing(t *testing.T) {
	atRoot(t)
	layers := drawing(t)
	uses := map[string]map[string]bool{}
	for i, l := range layers {
		uses[l.folder] = map[string]bool{}
		for _, to := range l.uses {
			uses[l.folder][to] = false
			if !slices.ContainsFunc(layers[i+1:], func(below layer) bool { return below.folder == to }) {
				t.Errorf("%s uses %s, which is not drawn below it", l.folder, to)
			}
		}
	}
	for pkg, list := range importsByPackage(t) {
		from := strings.TrimPrefix(pkg, module)
		if slices.Contains(undrawn, folder(from, uses)) {
			continue
		}
		for _, imp := range list {
			to, own := strings.CutPrefix(imp, module)
			if !own || folder(to, uses) == folder(from, uses) {
				continue
			}
			if _, drawn := uses[folder(from, uses)][folder(to, uses)]; !drawn {
				t.Errorf("%s imports %s, which is not drawn", from, to)
				continue
			}
			uses[folder(from, uses)][folder(to, uses)] = true
		}
	}
	for from, list := range uses {
		for to, used := range list {
			if !used {
				t.Errorf("%s is drawn to use %s, and does not", from, to)
			}
		}
	}
}

// undrawn are folders of tools, of what tests share, and of what others would write.
var undrawn = []string{"internal", "examples"}

func TestCoreIsPure(t *testing.T) {
	atRoot(t)
	imports := importsByPackage(t)
	for _, p := range pure {
		list, ok := imports[module+p]
		if !ok {
			t.Errorf("pure package %s does not exist", p)
		}
		for _, imp := range list {
			if slices.Contains(forbidden, imp) {
				t.Errorf("%s must be pure but imports %s", p, imp)
			}
		}
	}
}

// TestProgramsHoldNoTestTools: what makes a store, a disk or a node fail for a test is in no
// program that people run.
func TestProgramsHoldNoTestTools(t *testing.T) {
	atRoot(t)
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		list := strings.Fields(line)
		p := list[0]
		packages[p] = true
		if strings.HasPrefix(p, module) && strings.HasSuffix(p, "test") {
			t.Errorf("a program holds %s", p)
		}
		// kad-dht has options for its own tests, and does nothing else with it
		if slices.Contains(list[1:], "testing") && p != "github.com/libp2p/go-libp2p-kad-dht" {
			t.Errorf("a program holds testing, by %s", p)
		}
	}
	if !packages[module+"store"] {
		t.Fatalf("go list found %d packages, and not the store", len(packages))
	}
}

func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if f[0] != strings.TrimSuffix(module, "/") {
			imports[f[0]] = f[1:]
		}
	}
	return imports
}

// folder returns the folder that a package is drawn in: the longest of those that are, else its
// first.
func folder(path string, drawn map[string]map[string]bool) string {
	for at := path; at != "."; at = filepath.Dir(at) {
		if _, is := drawn[at]; is {
			return at
		}
	}
	first, _, _ := strings.Cut(path, "/")
	return first
}
