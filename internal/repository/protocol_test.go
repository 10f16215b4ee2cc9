package repository_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	typeString = regexp.MustCompile(`(?s)Keccak256Hash\(\[\]byte\(\s*("[A-Z]\w*\(.*?)\)\)`)
	joined     = regexp.MustCompile(`"\s*\+\s*"`)
)

// TestProtocolPage: docs/protocol.md has the type string of every struct that is signed.
func TestProtocolPage(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = filepath.WalkDir("protocol", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range typeString.FindAllStringSubmatch(string(source), -1) {
			found++
			if text := strings.Trim(joined.ReplaceAllString(m[1], ""), `"`); !strings.Contains(string(page), text) {
				t.Errorf("%s: docs/protocol.md lacks %s", path, text)
			}
		}
		return err
	})
	if err != nil || found < 15 {
		t.Errorf("%d structs are signed, %v", found, err)
	}
}
