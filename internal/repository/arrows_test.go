package repository_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ante-games/ante/"

// layers lists, for each folder, the folders of this module that its packages may import: arrows point down only.
var layers = map[string][]string{
	"proto":     {},
	"contracts": {},
	"games":     {"proto", "contracts"},
	"protocol":  {"games", "proto"},
	"channel":   {"protocol", "games", "proto"},
	"store":     {},
	"money":     {},
	"transport": {"protocol", "games", "proto"},
	"disputes":  {"money", "channel", "protocol", "games", "proto", "contracts"},
	// The simulator is a kit for tests: it puts the parts together as node does.
	"disputes/sim": {"internal/audit", "disputes", "money", "transport", "chain", "channel", "protocol", "games", "contracts", "proto"},
	"chain":        {"money", "protocol", "games", "proto", "contracts"},
	"driver":       {"disputes", "chain", "money", "store", "protocol", "games"},
	"tower":        {"driver", "transport", "disputes", "chain", "money", "store", "protocol", "games", "proto", "contracts"},
	"node":         {"driver", "internal/audit", "transport", "disputes", "chain", "money", "store", "channel", "protocol", "games", "proto", "contracts"},
	// So is this one, with whole nodes and towers.
	"internal/nodesim": {"internal/audit", "node", "tower", "transport", "disputes", "chain", "money", "store", "channel", "protocol", "games", "proto", "contracts"},
	"web":              {},
	"cmd":              {"web", "node", "tower", "transport", "disputes", "chain", "money", "store", "channel", "protocol", "games", "proto", "contracts"},
	"examples":         {"node", "games", "chain"},
	"internal":         {"games"},
	"internal/audit":   {"protocol"}, // what tests and dev worlds check the Arena's money with
}

// pure lists the folders that must stay free of I/O, clocks, goroutines' tools and randomness, and what they may therefore
// not import.
var (
	pure      = []string{"protocol", "protocol/message", "protocol/encoding", "protocol/matchmaking", "protocol/onchain", "channel", "money", "games/mastermind", "games/battleships", "games/coin", "games/commit", "games/eip712", "games/box9"}
	forbidden = []string{"os", "net", "net/http", "time", "math/rand", "math/rand/v2", "crypto/rand", "sync", "context", "io/fs", "log", "log/slog"}
)

func TestArrowsPointDown(t *testing.T) {
	atRoot(t)
	imports := importsByPackage(t)
	if len(imports) < 8 {
		t.Fatalf("go list found %d packages of the module", len(imports))
	}
	for pkg, list := range imports {
		from := strings.TrimPrefix(pkg, module)
		allowed, known := layers[folder(from)]
		if !known {
			t.Errorf("%s: folder %q is in no layer; add it to layers", pkg, folder(from))
		}
		for _, imp := range list {
			to, own := strings.CutPrefix(imp, module)
			if own && folder(to) != folder(from) && !slices.Contains(allowed, folder(to)) {
				t.Errorf("%s imports %s, which is not below it", from, to)
			}
		}
	}
}

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

// TestProgramsHoldNoTestTools: what makes a store, a disk or a node fail for a test is in no program that people run.
func TestProgramsHoldNoTestTools(t *testing.T) {
	atRoot(t)
	out, err := exec.Command("go", "list", "-deps", "./cmd/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, module+"store") {
		t.Fatalf("go list found %d packages, and not the store", len(packages))
	}
	for _, p := range packages {
		if p == "testing" || strings.HasPrefix(p, module) && strings.HasSuffix(p, "test") {
			t.Errorf("a program holds %s", p)
		}
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

func folder(path string) string {
	if _, special := layers[path]; special {
		return path
	}
	first, _, _ := strings.Cut(path, "/")
	return first
}

// TestNodesKnowNoGame: what a node, a tower or the machine knows of a game comes from its games.Game, so that one from outside
// can do all that ours can.
func TestNodesKnowNoGame(t *testing.T) {
	atRoot(t)
	general := []string{"evm", "foreign", "eip712", "commit"}
	for pkg, list := range importsByPackage(t) {
		from := strings.TrimPrefix(pkg, module)
		if !slices.Contains([]string{"node", "node/api", "node/house", "node/lobby", "tower", "driver", "channel", "protocol", "disputes", "chain"}, from) {
			continue
		}
		for _, imp := range list {
			if game, is := strings.CutPrefix(imp, module+"games/"); is && !slices.Contains(general, game) {
				t.Errorf("%s knows %s", from, game)
			}
		}
	}
}
