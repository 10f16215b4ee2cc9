package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// visitor makes mutants of a node of a Go file.
type visitor func(e *editor, n ast.Node) bool

// mutantsOf makes the mutants of a Go file.
func mutantsOf(path, src string, visit visitor) (list []mutant, err error) {
	_, seams, err := seamsOf(path, src, visit)
	for _, s := range seams {
		list = append(list, s.mutant)
	}
	return list, err
}

// seamsOf makes the same mutants, with where they are woven in.
func seamsOf(path, src string, visit visitor) (*ast.File, []seam, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		return nil, nil, err
	}
	e := &editor{path: path, src: src, offset: func(p token.Pos) int { return files.Position(p).Offset }, heads: map[ast.Stmt]bool{}}
	ast.Inspect(f, func(n ast.Node) bool { return visit(e, n) })
	return f, e.list, nil
}

type editor struct {
	path, src string
	offset    func(token.Pos) int
	heads     map[ast.Stmt]bool // statements in whose place no other can stand
	list      []seam
}

func (e *editor) text(n ast.Node) string { return e.src[e.offset(n.Pos()):e.offset(n.End())] }

// replace makes a mutant that has something else in place of a node, woven around that or what it
// is a part of.
func (e *editor) replace(kind string, f form, whole, n ast.Node, with string) {
	e.change(kind, f, whole, e.offset(n.Pos()), e.offset(n.End()), with)
}

func (e *editor) change(kind string, f form, whole ast.Node, from, to int, with string) {
	if s, ok := whole.(ast.Stmt); ok && e.heads[s] {
		f = apart
	}
	e.list = append(e.list, seam{mutant{e.path, kind, from, to, with}, 0, f, e.offset(whole.Pos()), e.offset(whole.End())})
}

// shift makes a mutant that moves the boundary of a comparison.
func (e *editor) shift(kind string, f form, n *ast.BinaryExpr) {
	at := e.offset(n.OpPos)
	e.change(kind, f, n, at, at+len(n.Op.String()), comparisons[n.Op].String())
}

// statement makes mutants of conditions on which a function or a loop leaves, of the clauses of
// conditions, of bounds, of assignments to what outlives the function, and of calls. What only
// passes an error on is left as it is.
func (e *editor) statement(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt:
		e.heads[n.Init], e.heads[n.Post] = true, true
	case *ast.SwitchStmt:
		e.heads[n.Init] = true
	case *ast.CommClause:
		e.heads[n.Comm] = true
	case *ast.IfStmt:
		e.heads[n.Init] = true
		if n.Else == nil && ends(n.Body.List) && !passing.MatchString(e.text(n.Cond)) {
			e.replace("check dropped", never, n.Cond, n.Cond, "false && ("+e.text(n.Cond)+")")
		}
	case *ast.BinaryExpr:
		e.binary(n)
	case *ast.AssignStmt:
		e.assignment(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !quiet.MatchString(e.text(call.Fun)) {
			e.replace("call dropped", perhaps, n, n, "")
		}
	}
	return true
}

var (
	passing = regexp.MustCompile(`^\w*[eE]rr != nil$`)
	// Logs, locks and what ends a program.
	quiet = regexp.MustCompile(`\b(Debug|Info|Warn|Error|Log)$|\b(R?Lock|R?Unlock|panic|close|clear|delete|must)$`)
)

// ends says whether statements leave the function, or go on with the loop.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	return leaves(list[len(list)-1:])
}

// binary drops the clauses of a condition, and shifts bounds.
func (e *editor) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND, token.LOR:
		for _, clause := range []ast.Expr{n.X, n.Y} {
			if inner, ok := clause.(*ast.BinaryExpr); ok && inner.Op == n.Op {
				continue // its own clauses are dropped
			}
			f, with := always, "(true || ("+e.text(clause)+"))"
			if n.Op == token.LOR {
				f, with = never, "(false && ("+e.text(clause)+"))"
			}
			e.replace("clause dropped", f, clause, clause, with)
		}
	}
	again := evaluatedAgain(n)
	compared := either
	if again {
		compared = other
	}
	if comparisons[n.Op] != 0 {
		e.shift("bound shifted", compared, n)
	}
	if n.Op == token.ADD || n.Op == token.SUB || n.Op.Precedence() == token.EQL.Precedence() {
		for _, side := range []ast.Expr{n.X, n.Y} {
			if lit, ok := side.(*ast.BasicLit); ok && lit.Kind == token.INT {
				if v, err := strconv.ParseUint(lit.Value, 0, 63); err == nil {
					f, whole := compared, ast.Node(n)
					if sum := n.Op == token.ADD || n.Op == token.SUB; sum {
						if f = value; !again {
							whole = lit
						}
					}
					e.replace("one more", f, whole, lit, strconv.FormatUint(v+1, 10))
				}
			}
		}
	}
}

// assignment drops what is written to a field or into a map.
func (e *editor) assignment(n *ast.AssignStmt) {
	if n.Tok != token.ASSIGN || len(n.Lhs) != 1 {
		return
	}
	switch to := n.Lhs[0].(type) {
	case *ast.SelectorExpr:
		with := ""
		if value := e.text(n.Rhs[0]); value != "nil" { // which has no type of its own
			with = "_ = " + value
		}
		e.replace("field not written", perhaps, n, n, with)
	case *ast.IndexExpr:
		kind := "entry not written"
		if strings.Contains(strings.ToLower(e.text(to.X)), "changes") {
			kind = "entry not persisted"
		}
		with := "_ = " + e.text(to.Index)
		if value := e.text(n.Rhs[0]); value != "nil" {
			with = "_, _ = " + e.text(to.Index) + ", " + value
		}
		e.replace(kind, perhaps, n, n, with)
	}
}

// evaluatedAgain says whether an expression can be evaluated twice with no more effect than once.
func evaluatedAgain(n ast.Expr) bool {
	again := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name, ok := n.Fun.(*ast.Ident)
			again = again && ok && harmless[name.Name]
		case *ast.UnaryExpr:
			again = again && n.Op != token.ARROW
		}
		return again
	})
	return again
}

var harmless = map[string]bool{
	"len": true, "cap": true, "min": true, "max": true, "int": true, "int64": true, "uint": true, "uint8": true, "uint16": true,
	"uint32": true, "uint64": true, "byte": true, "float64": true,
}
