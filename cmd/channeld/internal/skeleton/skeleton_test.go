package skeleton

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../../../"

func TestNew_Refuses(t *testing.T) {
	for _, game := range []string{"", "a", "Chess", "tic-tac-toe", "../x", "1st", strings.Repeat("x", 32), "func", "main", "player", "channel", "context", "illegal", "documentation", "con", "com1"} {
		if err := New(filepath.Join(t.TempDir(), "game"), game, Open, Source{}); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", game, err)
		}
	}
	if err := New(t.TempDir(), "nim", Open, Source{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a directory that is there: %v", err)
	}
}

// TestNew_BuildsAndPasses: an example under another name, in a module that finds Ante in a checkout
// or as a release, compiles and passes.
func TestNew_BuildsAndPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two modules")
	}
	checkout, err := Checkout(root)
	if err != nil {
		t.Fatal(err)
	}
	for e, from := range map[Example]Source{Open: {Version: "v0.1.0"}, Secret: checkout} {
		dir := filepath.Join(t.TempDir(), "nim")
		if err := New(dir, "nim", e, from); err != nil {
			t.Fatal(err)
		}
		if from.Dir == "" { // what would be fetched
			run(t, dir, "", "go", "mod", "edit", "-replace", module+"@"+from.Version+"="+checkout.Dir)
		}
		run(t, dir, "", "go", "test", "-vet=off", "-short", "-run", "Conformance", ".") // go vet is next
		run(t, dir, "", "go", "vet", "./...")
		if e == Secret {
			continue
		}
		out := run(t, dir, "\"0\"\n\"take 3\"\n\"1\"\n\"0x04\"\n{\"text\":\"take 2\"}\n", "go", "run", "./nimd", "rules", "play", "nim", "--stakes", "1,1")
		if !strings.Contains(out, `"mover":"nobody"`) || !strings.Contains(out, `"payouts":["2","0"]`) {
			t.Errorf("the game's channeld plays:\n%s", out)
		}
	}
}

// The go command reads the path of a checkout as it is, whatever it takes for a sign of its own.
func TestNew_Path(t *testing.T) {
	for _, there := range []string{"/home/ann/ante", "/home/ann/my games/ante", "/a,b/[c]/{d}/(e)/ante", "/a//b/ante", `/"a"/ante`, "/ä\u00a0/ante"} {
		dir := filepath.Join(t.TempDir(), "nim")
		if err := New(dir, "nim", Open, Source{Dir: there}); err != nil {
			t.Fatal(err)
		}
		var read struct {
			Replace []struct{ New struct{ Path string } }
		}
		if err := json.Unmarshal([]byte(run(t, dir, "", "go", "mod", "edit", "-json")), &read); err != nil {
			t.Fatal(err)
		}
		if len(read.Replace) != 1 || read.Replace[0].New.Path != there {
			t.Errorf("%s: %+v", there, read)
		}
	}
}

// run runs a command that fetches nothing: what it needs was fetched for this repository.
func run(t *testing.T, dir, input string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // fixed commands
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GONOSUMDB=*", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}

// A program finds the release that it is of, else the checkout that it is in, else the commit.
func TestFind(t *testing.T) {
	built := func(path, version string, deps ...*debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: path, Version: version}, Deps: deps}
	}
	there, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	const fetched = "v0.0.0-20261124101112-0123456789ab"
	for name, test := range map[string]struct {
		built  *debug.BuildInfo
		places []string
		want   Source
	}{
		"release":                  {built(module, "v1.2.3"), []string{there}, Source{Version: "v1.2.3"}},
		"candidate":                {built(module, "v1.2.3-rc.1"), nil, Source{Version: "v1.2.3-rc.1"}},
		"own program of a release": {built("example.com/nim", "(devel)", &debug.Module{Path: module, Version: "v1.2.3"}), nil, Source{Version: "v1.2.3"}},
		"own program of a checkout": {
			built("example.com/nim", "(devel)", &debug.Module{Path: module, Version: "v1.2.3", Replace: &debug.Module{Path: "../ante"}}), nil, Source{},
		},
		"checkout":           {built(module, "(devel)"), []string{filepath.Join(there, "cmd", "channeld")}, Source{Dir: there}},
		"commit in checkout": {built(module, fetched), []string{t.TempDir(), there}, Source{Dir: there}},
		"changed checkout":   {built(module, fetched+"+dirty"), nil, Source{}},
		"commit":             {built(module, fetched), []string{t.TempDir()}, Source{Version: fetched}},
		"later commit":       {built(module, "v1.2.4-0.20261124101112-0123456789ab"), nil, Source{Version: "v1.2.4-0.20261124101112-0123456789ab"}},
		"nothing":            {new(debug.BuildInfo), []string{t.TempDir()}, Source{}},
	} {
		got, err := Find(test.built, test.places...)
		if got != test.want || errors.Is(err, ErrSource) != (test.want == Source{}) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, test.want)
		}
	}
}

// What the examples copy is what it is copied from.
func TestExamples_Copies(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(root + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if diff := cmp.Diff(read("contracts/src/games/Commitment.sol"), read("examples/roshambo/Commitment.sol")); diff != "" {
		t.Errorf("roshambo has another Commitment.sol (-contracts +example):\n%s", diff)
	}
	for _, dir := range []string{"tictactoe", "roshambo", "connectfour", "words"} {
		if diff := cmp.Diff(read("contracts/src/IRules.sol"), read("examples/"+dir+"/IRules.sol")); diff != "" {
			t.Errorf("%s has another IRules.sol (-contracts +example):\n%s", dir, diff)
		}
		if diff := cmp.Diff(read("examples/tictactoe/compile.mjs"), read("examples/"+dir+"/compile.mjs")); diff != "" {
			t.Errorf("%s compiles in another way:\n%s", dir, diff)
		}
	}
	for _, file := range []string{"tictactoe.go", "TicTacToe.sol"} {
		if n := strings.Count(read("examples/tictactoe/"+file), "\n"); n >= 150 {
			t.Errorf("%s has %d lines; the tutorial promises less than 150", file, n)
		}
	}
}

// The tutorial shows the example's files as they are, in one block or several; of the rules parts.
func TestTutorial_ShowsTheExample(t *testing.T) {
	b, err := os.ReadFile(root + "docs/write-a-game.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := make(map[string][]string)
	for rest := string(b); ; {
		_, after, found := strings.Cut(rest, "<!-- file ")
		if !found {
			break
		}
		file, after, _ := strings.Cut(after, " -->\n```")
		_, after, _ = strings.Cut(after, "\n")
		block, after, closed := strings.Cut(after, "\n```\n")
		if !closed || strings.ContainsAny(file, "\n") {
			t.Fatalf("a block of %q is not closed", file)
		}
		shown[file], rest = append(shown[file], block), after
	}
	for _, file := range []string{"tictactoe/tictactoe.go", "tictactoe/TicTacToe.sol", "tictactoe/tictactoe_test.go", "tictactoe/tictactoed/main.go", "roshambo/player.go"} {
		if len(shown[file]) == 0 {
			t.Errorf("docs/write-a-game.md shows nothing of %s", file)
		}
	}
	for file, parts := range shown {
		want, err := os.ReadFile(root + "examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "main.go") {
			if diff := cmp.Diff(string(want), strings.Join(parts, "\n\n")+"\n"); diff != "" {
				t.Errorf("docs/write-a-game.md shows another %s (-example +docs):\n%s", file, diff)
			}
			continue
		}
		for _, part := range parts {
			if !strings.Contains(string(want), part+"\n") {
				t.Errorf("docs/write-a-game.md shows what is not in %s:\n%s", file, part)
			}
		}
	}
}
