package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// weaving is compiled into a package: it puts the mutant there whose number the environment tells,
// or writes down, in the file that it names, the number of every mutant that would have made a
// difference there.
const weaving = `package %s

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantTold, _ = strconv.Atoi(os.Getenv("` + told + `"))
	mutantNotes   = os.Getenv("` + noted + `")
	mutantsMet    [%d]atomic.Bool
)

func mutantDiffers(n int) {
	if mutantNotes == "" || mutantsMet[n].Load() || mutantsMet[n].Swap(true) {
		return
	}
	f, err := os.OpenFile(mutantNotes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, n)
		f.Close()
	}
	if err != nil {
		panic(err)
	}
}

func mutantOn(n int) bool {
	mutantDiffers(n)
	return mutantTold == n
}

func mutantNever(n int, v bool) bool {
	if v {
		mutantDiffers(n)
	}
	return v && mutantTold != n
}

func mutantAlways(n int, v bool) bool {
	if !v {
		mutantDiffers(n)
	}
	return v || mutantTold == n
}

func mutantOther(n int, v, other bool) bool {
	if v != other {
		mutantDiffers(n)
	}
	if mutantTold == n {
		return other
	}
	return v
}

func mutantValue[T any](n int, v, other T) T {
	if mutantOn(n) {
		return other
	}
	return v
}
`

// form is how a mutant is woven into the text around which it stands.
type form int

const (
	perhaps form = iota // one of two is run
	never               // a condition that no longer holds
	always              // a condition that holds in any case
	other               // one of two conditions, both of which can be evaluated
	either              // one of two conditions
	value               // one of two values, both of which can be evaluated
	apart               // not at all
)

// seam is where a mutant is woven in.
type seam struct {
	mutant
	number   int
	form     form
	from, to int // the text around which it stands
}

// around puts a mutant around the text in its place, which has other mutants in it already.
func (s seam) around(text, src string) string {
	changed := src[s.from:s.mutant.from] + s.with + src[s.mutant.to:s.to]
	switch s.form {
	case never:
		return fmt.Sprintf("mutantNever(%d, %s)", s.number, text)
	case always:
		return fmt.Sprintf("mutantAlways(%d, %s)", s.number, text)
	case other:
		return fmt.Sprintf("mutantOther(%d, %s, %s)", s.number, text, changed)
	case either:
		return fmt.Sprintf("(mutantOn(%d) && (%s) || !mutantOn(%d) && (%s))", s.number, changed, s.number, text)
	case value:
		return fmt.Sprintf("mutantValue(%d, %s, %s)", s.number, text, changed)
	default:
		return fmt.Sprintf("if !mutantOn(%d) { %s } else { %s }", s.number, text, changed)
	}
}

// outermost orders mutants as they are woven in: of two, one of which stands in the other, the
// outer one comes first.
func outermost(x, y seam) int {
	return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(y.to, x.to))
}

// weave returns a part of a file with mutants in it, in that order.
func weave(src string, list []seam, from, to int) string {
	var out strings.Builder
	for len(list) > 0 {
		s, inner := list[0], 1
		for inner < len(list) && list[inner].from < s.to {
			inner++
		}
		out.WriteString(src[from:s.from] + s.around(weave(src, list[1:inner], s.from, s.to), src))
		from, list = s.to, list[inner:]
	}
	return out.String() + src[from:to]
}

// woven is a package with all its mutants in it that can be compiled together.
type woven struct {
	dir      string // from the root
	sources  map[string]string
	numbers  map[mutant]int  // of those that are in it
	declared map[mutant]bool // those in no function: in constants and variables of the package
}

// errorLine is where the compiler found something wrong.
var errorLine = regexp.MustCompile(`(?m)^\S*/\d+-([\w.]+\.go):(\d+):\d+: `)

var itsNumber = regexp.MustCompile(`mutant[A-Z]\w+\((\d+)`)

// weave makes a package with all its mutants in it, but for those that don't compile in it.
func (b *bench) weave(ctx context.Context, dir string) (*woven, error) {
	files, err := b.files(b.root)
	if err != nil {
		return nil, err
	}
	left := map[int]bool{}
	for {
		w := &woven{dir, map[string]string{}, map[mutant]int{}, map[mutant]bool{}}
		last, name := 0, ""
		for _, file := range files {
			if path.Dir(file) != dir {
				continue
			}
			src, err := os.ReadFile(filepath.Join(b.root, file))
			if err != nil {
				return nil, err
			}
			f, list, err := seamsOf(file, string(src), b.visit)
			if err != nil {
				return nil, err
			}
			name = f.Name.Name
			var in []seam
			for i := range list {
				last++
				w.declared[list[i].mutant] = inNoFunction(f, list[i].mutant)
				if list[i].number = last; !left[last] && list[i].form != apart {
					in = append(in, list[i])
					w.numbers[list[i].mutant] = last
				}
			}
			slices.SortStableFunc(in, outermost)
			w.sources[file] = weave(string(src), in, 0, len(src))
		}
		w.sources[path.Join(dir, "mutant.go")] = fmt.Sprintf(weaving, name, last+1)
		wrong, err := b.wrong(ctx, dir, w.sources)
		if err != nil || len(wrong) == 0 {
			return w, err
		}
		for _, n := range wrong {
			left[n] = true
		}
	}
}

func inNoFunction(f *ast.File, m mutant) bool {
	return !slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		_, function := d.(*ast.FuncDecl)
		return function && int(d.Pos()-f.FileStart) <= m.from && m.from < int(d.End()-f.FileStart)
	})
}

// wrong compiles a package with mutants in it, and returns the numbers of those that are no Go
// there.
func (b *bench) wrong(ctx context.Context, dir string, sources map[string]string) (list []int, err error) {
	temporary, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	overlay, err := b.overlay(temporary, sources)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-gcflags=-e", "-overlay", overlay, "./"+dir)
	cmd.Dir = b.root
	out, failed := cmd.CombinedOutput()
	if failed == nil {
		return nil, nil
	}
	for _, found := range errorLine.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(found[2]) // digits
		lines := strings.Split(sources[path.Join(dir, found[1])], "\n")
		for line = min(line, len(lines)); line > 0; line-- {
			if numbers := itsNumber.FindAllStringSubmatch(lines[line-1], -1); numbers != nil {
				for _, n := range numbers {
					number, _ := strconv.Atoi(n[1]) // digits
					list = append(list, number)
				}
				break
			}
		}
	}
	if len(list) == 0 {
		return nil, errors.Join(fmt.Errorf("the mutants of %s don't compile: %s", dir, out), failed, ctx.Err())
	}
	return list, nil
}
