package repository_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNotice: NOTICE names the licence of every module that the programs are built from, and of no
// other.
func TestNotice(t *testing.T) {
	atRoot(t)
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/...")
	// the same list on every machine
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	built := map[string]bool{}
	for _, path := range strings.Fields(string(out)) {
		if path+"/" != module {
			built[path] = true
		}
	}
	_, licences, _ := strings.Cut(read(t, "NOTICE"), "version.\n\n")
	for line := range strings.Lines(licences) {
		path, licence, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if !built[path] || licence == "" {
			t.Errorf("NOTICE: %q is of no module of the programs, or has no licence", line)
		}
		delete(built, path)
	}
	for path := range built {
		t.Errorf("NOTICE lacks %s", path)
	}
}
