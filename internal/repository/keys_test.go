package repository_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// keysOf returns where the constants for the keys of a store are declared, by their values: those
// of the packages in these directories and below.
func keysOf(t *testing.T, directories ...string) map[string]string {
	t.Helper()
	named := regexp.MustCompile(`(^p|P)refix$|(^k|K)ey$`)
	keys := map[string]string{}
	for _, directory := range directories {
		err := filepath.WalkDir(filepath.Join("../..", directory), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				c, ok := n.(*ast.ValueSpec)
				if !ok || len(c.Values) != 1 || !named.MatchString(c.Names[0].Name) {
					return true
				}
				if text, ok := c.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
					value, err := strconv.Unquote(text.Value)
					if where := keys[value]; err != nil || where != "" {
						t.Errorf("%s: %s, which %s declares (%v)", files.Position(c.Pos()), text.Value, where, err)
					}
					keys[value] = files.Position(c.Pos()).String()
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// TestStoreKeys_Apart: no key of a store begins as another's do, so that none is scanned, moved or
// deleted with what is not its own.
func TestStoreKeys_Apart(t *testing.T) {
	for name, directories := range map[string][]string{
		"a node's":    {"node", "chain", "driver", "cmd/channeld/internal/daemon"},
		"a channel's": {"channel"},
		"a tower's":   {"tower", "chain", "driver"},
	} {
		keys := keysOf(t, directories...)
		if len(keys) < 4 {
			t.Errorf("%s store has %d keys: are they still constants named …Prefix and …Key?", name, len(keys))
		}
		for a, where := range keys {
			for b, other := range keys {
				if a != b && strings.HasPrefix(b, a) {
					t.Errorf("%s: keys of %s store begin with %q, as do those with %q at %s", where, name, a, b, other)
				}
			}
		}
	}
}
