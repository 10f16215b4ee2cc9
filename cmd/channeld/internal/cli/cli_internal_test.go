package cli

import (
	"path/filepath"
	"testing"
)

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
