package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnits: systemd takes the units, and finds that little is left open to what they start.
func TestUnits(t *testing.T) {
	atRoot(t)
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze")
	}
	units, err := filepath.Glob("packaging/*.service")
	if err != nil || len(units) != 2 {
		t.Fatalf("the units are %v, %v", units, err)
	}
	for _, unit := range units {
		// Verify wants the program to be there.
		text := strings.Replace(read(t, unit), "ExecStart=/usr/local/bin/channeld ", "ExecStart=/bin/true ", 1)
		copied := filepath.Join(t.TempDir(), filepath.Base(unit))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"verify", copied}, {"security", "--offline=yes", "--threshold=20", "--no-pager", copied}} {
			if said, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || args[0] == "verify" && len(said) > 0 {
				t.Errorf("systemd-analyze %s %s: %v\n%s", args[0], unit, err, said)
			}
		}
	}
}
