package keys

import (
	"io/fs"
	"testing"
)

// TestExposed: a mode tells who may read a file, except on Windows, where Go reports the same one
// for every file that may be written to.
func TestExposed(t *testing.T) {
	for _, c := range []struct {
		system string
		mode   fs.FileMode
		want   bool
	}{
		{"linux", 0o600, false}, {"linux", 0o640, true}, {"darwin", 0o604, true},
		{"windows", 0o666, false}, {"windows", fs.ModeDir | 0o777, false},
	} {
		if got := exposed(c.system, c.mode); got != c.want {
			t.Errorf("%s, %v: %v", c.system, c.mode, got)
		}
	}
}
