package repository_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNotice: NOTICE names the licence of every module that the programs are built from, and of no
// other.
func TestNotice(t *testing.T) {
	atRoot(t)
	built := map[string]bool{}
	for _, p := range got(t, programs) {
		if p.module != "" && p.module+"/" != module {
			built[p.module] = true
		}
	}
	_, licences, _ := strings.Cut(read(t, "NOTICE"), "version.\n\n")
	licences, _, _ = strings.Cut(licences, "\n\n")
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

// TestReasons: go.mod says what each module is for that this one requires by itself.
func TestReasons(t *testing.T) {
	atRoot(t)
	for line := range strings.Lines(read(t, "go.mod")) {
		if required, why, _ := strings.Cut(line, "//"); strings.HasPrefix(line, "\t") && strings.TrimSpace(why) == "" {
			t.Errorf("go.mod doesn't say what %s is for", strings.TrimSpace(required))
		}
	}
}

// TestNoticeOfPage: NOTICE names each npm package that the page is bundled from, and no other, with
// the licence in package-lock.json. The build writes the list.
func TestNoticeOfPage(t *testing.T) {
	atRoot(t)
	var bundled []struct{ Name, Version string }
	var lock struct {
		Packages map[string]struct{ Version, License string }
	}
	for path, into := range map[string]any{"web/dist/licenses.json": &bundled, "package-lock.json": &lock} {
		if err := json.Unmarshal([]byte(read(t, path)), into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	var want strings.Builder
	for _, p := range bundled {
		locked := lock.Packages["node_modules/"+p.Name]
		if locked.Version != p.Version {
			t.Errorf("the page has %s %s, package-lock.json %s: run make web", p.Name, p.Version, locked.Version)
		}
		fmt.Fprintf(&want, "%s  %s\n", p.Name, strings.Trim(locked.License, "()"))
	}
	_, page, _ := strings.Cut(read(t, "NOTICE"), "web/dist")
	_, page, _ = strings.Cut(page, "version.\n\n")
	if lines := slices.Sorted(strings.Lines(want.String())); len(lines) == 0 || strings.Join(lines, "") != page {
		t.Errorf("NOTICE has these packages of the page:\n%swanted:\n%s", page, strings.Join(lines, ""))
	}
}
