package repository_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fence = regexp.MustCompile("(?ms)^```.*?^```$") // code may look like links
)

// TestLinks follows every link of the documents to another file.
func TestLinks(t *testing.T) {
	atRoot(t)
	followed := 0
	for path, text := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			target, _, _ := strings.Cut(found[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			followed++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, target)
			}
		}
	}
	if followed == 0 {
		t.Error("no document links to any file")
	}
}

// pages reads every document, by its path.
func pages(t *testing.T) map[string]string { return texts(t, ".md") }

// texts reads every file with one of the extensions, by its path.
func texts(t *testing.T, extensions ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && (name == "node_modules" || name == "dist" || path == "bin" || len(name) > 1 && name[0] == '.' && name != ".ci") {
			return filepath.SkipDir
		}
		if !entry.IsDir() && slices.Contains(extensions, filepath.Ext(path)) {
			all[path] = read(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
