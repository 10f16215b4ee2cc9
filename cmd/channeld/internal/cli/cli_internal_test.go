package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// TestTwoOfOneName: a program whose catalog has a name twice does nothing.
func TestTwoOfOneName(t *testing.T) {
	var said bytes.Buffer
	exit := Main(t.Context(), []string{"version"}, Terminal{Out: &said, Err: &said, Games: games.Catalog{{Name: "nim"}, {Name: "bids"}, {Name: "nim"}}})
	if exit != exitFailed || said.String() != "channeld: two games are named \"nim\"\n" {
		t.Errorf("exit code %d, %s", exit, &said)
	}
}

// TestDefaultDir: the daemon lives in its user's home, by what the system calls that.
func TestDefaultDir(t *testing.T) {
	for _, c := range []struct {
		system  string
		environ []string
		want    string
	}{
		{"linux", []string{"HOME=/home/a", "USERPROFILE=/b"}, "/home/a/.channeld"},
		{"windows", []string{"HOME=/home/a", "USERPROFILE=/b"}, "/b/.channeld"},
		{"windows", []string{"CHANNELD_DIR=/c", "USERPROFILE=/b"}, "/c"},
		{"linux", nil, ".channeld"},
	} {
		a := app{Terminal: Terminal{Environ: c.environ}}
		if got := a.defaultDir(c.system); got != filepath.FromSlash(c.want) {
			t.Errorf("%s with %v: %s, want %s", c.system, c.environ, got, c.want)
		}
	}
}

// TestTyped: what a hint tells to type is one argument.
func TestTyped(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a/.channeld": "/home/a/.channeld", `C:\Users\Jane Doe\.channeld`: `"C:\Users\Jane Doe\.channeld"`, `C:\a&b (c)`: `"C:\a&b (c)"`,
	} {
		if got := typed(path); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestReaders: nothing is promised of files whose readers the system doesn't tell.
func TestReaders(t *testing.T) {
	if got := readers("windows"); !strings.Contains(got, "folder") || readers("linux") == got {
		t.Errorf("on Windows files %s", got)
	}
}

// TestBadAmounts: amounts that are typed as they are printed, or negative, are explained.
func TestBadAmounts(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"deposit 10 eth", "an amount is one word: write 10eth; usage:"},
		{"deposit 0.5 GWEI", "write 0.5GWEI;"},
		{"devnet fund 0x9B22 11 eth", "write 11eth;"},
		{"deposit 10 20", "accepts 1 argument, received 2"},
		{"deposit -1eth", "-1eth is read as a flag: an amount can't be negative; usage:"},
		{"deposit -x", "unknown shorthand flag: 'x' in -x"},
		{"deposit --x1", "unknown flag: --x1"},
	} {
		var said bytes.Buffer
		exit := Main(t.Context(), strings.Fields(c.typed), Terminal{Out: &said, Err: &said})
		if exit != exitUsage || !strings.Contains(said.String(), c.want) {
			t.Errorf("%s: exit code %d, %s", c.typed, exit, &said)
		}
	}
}
