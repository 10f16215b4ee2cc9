package skeleton

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "take the skeleton from examples/tictactoe")

const (
	root    = "../../../../"
	example = root + "examples/tictactoe/"
)

// tree reads a directory, but for what each module has of its own.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "go.mod" || d.Name() == "go.sum" {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(rel)] = string(b)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// The skeleton is the example.
func TestNew_IsTheExample(t *testing.T) {
	if *update {
		for path, text := range tree(t, example) {
			if err := write(filepath.Join("files", path+suffix), text); err != nil {
				t.Fatal(err)
			}
		}
		t.Skip("taken; run again without -update")
	}
	dir := filepath.Join(t.TempDir(), "game")
	if err := New(dir, "tictactoe", ""); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, example), tree(t, dir)); diff != "" {
		t.Errorf("game new doesn't write examples/tictactoe (-example +skeleton); take it with -update:\n%s", diff)
	}
}

func TestNew_Refuses(t *testing.T) {
	for _, game := range []string{"", "a", "Chess", "tic-tac-toe", "../x", "1st", strings.Repeat("x", 40)} {
		if err := New(filepath.Join(t.TempDir(), "game"), game, ""); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", game, err)
		}
	}
	if err := New(t.TempDir(), "nim", ""); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a directory that is there: %v", err)
	}
}

// The example is a module of its own, and its tests pass; under another name it compiles as well.
func TestExample_BuildsAndPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two modules")
	}
	run(t, example, "", "go", "vet", "./...")
	run(t, example, "", "go", "test", "./...")
	out := run(t, example, "\"0\"\n\"take 3\"\n\"1\"\n\"0x04\"\n{\"text\":\"take 2\"}\n", "go", "run", "./channeld", "rules", "play", "tictactoe", "--stakes", "1,1")
	if !strings.Contains(out, `"mover":"nobody"`) || !strings.Contains(out, `"payouts":["2","0"]`) {
		t.Errorf("the example's channeld plays:\n%s", out)
	}
	ante, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "nim")
	if err := New(dir, "nim", ante); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"go.mod", "go.sum"} { // what go mod tidy would find
		b, err := os.ReadFile(example + file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(rename(string(b), "nim"), "=> ../..", "=> "+ante)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "", "go", "test", "-short", "./...")
}

func run(t *testing.T, dir, input string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // fixed commands
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
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
	for _, dir := range []string{"tictactoe", "connectfour"} {
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
	for _, file := range []string{"tictactoe.go", "TicTacToe.sol", "tictactoe_test.go", "channeld/main.go"} {
		want, err := os.ReadFile(example + file)
		if err != nil {
			t.Fatal(err)
		}
		if file == "tictactoe.go" || file == "TicTacToe.sol" {
			for _, part := range shown[file] {
				if !strings.Contains(string(want), part+"\n") {
					t.Errorf("docs/write-a-game.md shows what is not in %s:\n%s", file, part)
				}
			}
			if len(shown[file]) == 0 {
				t.Errorf("docs/write-a-game.md shows nothing of %s", file)
			}
			continue
		}
		if diff := cmp.Diff(string(want), strings.Join(shown[file], "\n\n")+"\n"); diff != "" {
			t.Errorf("docs/write-a-game.md shows another %s (-example +docs):\n%s", file, diff)
		}
	}
}
