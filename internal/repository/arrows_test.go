package repository_test

import (
	"os"
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
	for _, pkg := range got(t, everything) {
		from := strings.TrimPrefix(pkg.path, module)
		if slices.Contains(undrawn, folder(from, uses)) {
			continue
		}
		for _, imp := range pkg.imports {
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
	imports := map[string][]string{}
	for _, p := range got(t, everything) {
		imports[p.path] = p.imports
	}
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
	store := false
	for _, p := range got(t, programs) {
		store = store || p.path == module+"store"
		if strings.HasPrefix(p.path, module) && strings.HasSuffix(p.path, "test") {
			t.Errorf("a program holds %s", p.path)
		}
		// kad-dht has options for its own tests, and does nothing else with it
		if slices.Contains(p.imports, "testing") && p.path != "github.com/libp2p/go-libp2p-kad-dht" {
			t.Errorf("a program holds testing, by %s", p.path)
		}
	}
	if !store {
		t.Fatal("go list did not find the store")
	}
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
