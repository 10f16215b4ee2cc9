package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// outside lists the packages outside of the contracts and the core whose code is broken, and the packages whose tests should
// notice; of those, a pattern says which tests where not all are about it.
var outside = []struct {
	files string
	tests []suite
}{
	{"disputes/*.go", []suite{{"./disputes", ""}}},
	{"chain/*.go", []suite{{"./chain", ""}}},
	{"chain/codec/*.go", []suite{{"./chain/codec", ""}, {"./chain", ""}}},
	{"node/*.go", []suite{{"./node", ""}}},
	{"node/house/*.go", []suite{{"./node/house", ""}}},
	{"node/lobby/*.go", []suite{{"./node/lobby", ""}}},
	{"tower/*.go", []suite{{"./tower", ""}, {"./node", "Tower"}}},
	{"transport/*.go", []suite{{"./transport", ""}}},
	{"transport/budget/*.go", []suite{{"", ""}, {".", "Network"}}},
	{"transport/memory/*.go", []suite{{"", ""}}},
	{"transport/p2p/*.go", []suite{{"", ""}}},
	{"transport/wire/*.go", []suite{{"", ""}}},
	{"money/*.go", []suite{{"", ""}}},
	{"store/*.go", []suite{{"./store", ""}}},
	{"games/*/player.go", []suite{{"", ""}}},
	{"games/*/bot.go", []suite{{"", ""}}},
	{"games/*/chained.go", []suite{{"", ""}}},
	{"games/*/notes.go", []suite{{"", ""}}},
}

// suite is tests of a package; of the package that is broken, if it names none.
type suite struct{ pkg, match string }

// suitesOf returns whose tests should notice a change of a file.
func suitesOf(path string) []suite {
	for _, p := range outside {
		if ok, err := filepath.Match(p.files, path); err != nil || !ok {
			continue
		}
		list := append([]suite(nil), p.tests...)
		for i := range list {
			if list[i].pkg == "" {
				list[i].pkg = "./" + filepath.ToSlash(filepath.Dir(path))
			}
		}
		return list
	}
	return nil
}

func outsideFiles(root string) ([]string, error) {
	var patterns []string
	for _, p := range outside {
		patterns = append(patterns, p.files)
	}
	list, err := glob(patterns...)(root)
	var own []string
	for _, path := range list {
		if !strings.HasSuffix(path, ".pb.go") {
			own = append(own, path)
		}
	}
	return own, err
}

// edited changes a file, for the tests that reach the changed line.
func edited(ctx context.Context, b *bench, _ string, m mutant, src string) (c change, err error) {
	c.sources = map[string]string{m.path: m.apply(src)}
	line, err := reachedAt(m.path, src, m.from)
	if err != nil {
		return c, err
	}
	c.tests = map[string]picked{}
	for _, s := range suitesOf(m.path) {
		reached, err := b.reach(ctx, s, m.path)
		if err != nil {
			return c, err
		}
		c.packages = append(c.packages, s.pkg)
		c.tests[s.pkg] = reached.pick(m.path, line)
	}
	return c, nil
}

// reachedAt returns the line that runs whenever what stands at an offset is evaluated: for the condition of a case that is the
// line of its switch, because coverage knows the case only by its body.
func reachedAt(path, src string, offset int) (line int, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		return 0, err
	}
	at := files.File(f.Pos()).Pos(offset)
	line = files.Position(at).Line
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SwitchStmt); ok {
			for _, c := range s.Body.List {
				if c := c.(*ast.CaseClause); c.Pos() <= at && at < c.Colon {
					line = files.Position(s.Pos()).Line
				}
			}
		}
		return true
	})
	return line, nil
}
