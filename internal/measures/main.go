// Command measures prints how large the rooms of this repository are, beside those of projects that
// are easy to read, so that growth is seen: go run ./internal/measures. Tests, generated code and
// commands' main packages count where the heading says so.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// models are figures of other projects, measured in the same way in their sources of 2025.
const models = `
etcd raft         101   343       395            43              74            3.5k          53
age               152   451       217            20              29            2.1k          47
op-challenger      81   249       374            40              49            1.2k           -
caddy             168   823       774            35             117            6.5k          60
go-perun           84   264       214            63             147            4.3k          45
`

func main() {
	log.SetFlags(0)
	files, err := tracked("*.go")
	if err != nil {
		log.Fatal(err)
	}
	var m measures
	for _, path := range files {
		if err := m.add(path); err != nil {
			log.Fatal(err)
		}
	}
	words, err := words()
	if err != nil {
		log.Fatal(err)
	}
	subject, err := subject()
	if err != nil {
		log.Fatal(err)
	}
	slices.Sort(m.lines)
	fmt.Println("                lines of a file  longest    most methods    most exported     words of   letters of")
	fmt.Print("                 median  p90    function      of a type    names a package   Markdown    a subject")
	fmt.Print(models)
	fmt.Printf("Ante              %3d   %3d       %3d           %3d             %3d          %4.1fk          %d\n\n", at(m.lines, 50), at(m.lines, 90),
		m.longest.size, m.methods().size, m.exported().size, float64(words)/1000, subject)
	fmt.Printf("lines of product code: %d in %d files\n", m.total, len(m.lines))
	fmt.Printf("longest function: %s; most methods: %s; most exported names: %s\n", m.longest.name, m.methods().name, m.exported().name)
	for _, p := range slices.Backward(sorted(m.packages)[len(m.packages)-8:]) {
		fmt.Printf("  %-28s %3d files, %3d exported names\n", p.name, p.size, m.names[p.name])
	}
}

// sized is a thing and its size.
type sized struct {
	name string
	size int
}

// measures are of product code: no tests, nothing generated.
type measures struct {
	lines    []int
	total    int
	longest  sized
	packages map[string]int // files
	names    map[string]int // exported, by package: functions, types, variables, constants
	of       map[string]int // methods, by type
}

func (m *measures) add(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, "_test.go") || bytes.Contains(source, []byte("// Code generated ")) && bytes.Contains(source, []byte("DO NOT EDIT")) {
		return nil
	}
	if m.names == nil {
		m.packages, m.names, m.of = map[string]int{}, map[string]int{}, map[string]int{}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, 0)
	if err != nil {
		return err
	}
	pkg := filepath.Dir(path)
	count := bytes.Count(source, []byte("\n"))
	m.lines, m.total = append(m.lines, count), m.total+count
	m.packages[pkg]++
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			length := fset.Position(d.End()).Line - fset.Position(d.Pos()).Line + 1
			if length > m.longest.size {
				m.longest = sized{pkg + "." + d.Name.Name, length}
			}
			if d.Recv != nil {
				m.of[pkg+"."+receiver(d.Recv.List[0].Type)]++
			} else {
				m.name(pkg, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					m.name(pkg, s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						m.name(pkg, id)
					}
				}
			}
		}
	}
	return nil
}

func (m *measures) name(pkg string, id *ast.Ident) {
	if id.IsExported() {
		m.names[pkg]++
	}
}

func (m *measures) methods() sized  { return last(m.of) }
func (m *measures) exported() sized { return last(m.names) }

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// sorted returns what a map counts, the smallest first.
func sorted(counts map[string]int) (list []sized) {
	for name, size := range counts {
		list = append(list, sized{name, size})
	}
	slices.SortFunc(list, func(a, b sized) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.name, b.name)) })
	return list
}

func last(counts map[string]int) sized {
	list := sorted(counts)
	return list[len(list)-1]
}

// at returns a percentile of a sorted list.
func at(list []int, percent int) int { return list[(len(list)-1)*percent/100] }

// tracked returns the files that git keeps.
func tracked(pattern string) ([]string, error) {
	out, err := exec.Command("git", "ls-files", pattern).Output()
	return strings.Fields(string(out)), err
}

// words counts those of all Markdown.
func words() (count int, err error) {
	files, err := tracked("*.md")
	if err != nil {
		return 0, err
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		count += len(strings.Fields(string(text)))
	}
	return count, nil
}

// subject returns the median length of the newest hundred commits' subjects.
func subject() (int, error) {
	out, err := exec.Command("git", "log", "-100", "--format=%s").Output()
	if err != nil {
		return 0, err
	}
	var list []int
	for line := range strings.Lines(string(out)) {
		list = append(list, len(strings.TrimSpace(line)))
	}
	slices.Sort(list)
	return at(list, 50), nil
}
