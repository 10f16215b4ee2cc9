package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// statementsOf makes mutants of a Go file: of conditions on which a function or a loop leaves, of the clauses of conditions,
// of bounds, of assignments to what outlives the function, and of calls. What only passes an error on is left as it is.
func statementsOf(path, src string) (list []mutant, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		return nil, err
	}
	e := &editor{path: path, src: src, offset: func(p token.Pos) int { return files.Position(p).Offset }}
	ast.Inspect(f, e.visit)
	return e.list, nil
}

type editor struct {
	path, src string
	offset    func(token.Pos) int
	list      []mutant
}

func (e *editor) text(n ast.Node) string { return e.src[e.offset(n.Pos()):e.offset(n.End())] }

func (e *editor) replace(kind string, n ast.Node, with string) {
	e.list = append(e.list, mutant{e.path, kind, e.offset(n.Pos()), e.offset(n.End()), with})
}

func (e *editor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Else == nil && ends(n.Body.List) && !passing.MatchString(e.text(n.Cond)) {
			e.replace("check dropped", n.Cond, "false && ("+e.text(n.Cond)+")")
		}
	case *ast.BinaryExpr:
		e.binary(n)
	case *ast.AssignStmt:
		e.assignment(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !quiet.MatchString(e.text(call.Fun)) {
			e.replace("call dropped", n, "")
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
			with := "(true || (" + e.text(clause) + "))"
			if n.Op == token.LOR {
				with = "(false && (" + e.text(clause) + "))"
			}
			e.replace("clause dropped", clause, with)
		}
	}
	if other := comparisons[n.Op]; other != 0 {
		at := e.offset(n.OpPos)
		e.list = append(e.list, mutant{e.path, "bound shifted", at, at + len(n.Op.String()), other.String()})
	}
	if n.Op == token.ADD || n.Op == token.SUB || n.Op.Precedence() == token.EQL.Precedence() {
		for _, side := range []ast.Expr{n.X, n.Y} {
			if lit, ok := side.(*ast.BasicLit); ok && lit.Kind == token.INT {
				if v, err := strconv.ParseUint(lit.Value, 0, 63); err == nil {
					e.replace("one more", lit, strconv.FormatUint(v+1, 10))
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
		e.replace("field not written", n, "_ = "+e.text(n.Rhs[0]))
	case *ast.IndexExpr:
		kind := "entry not written"
		if strings.Contains(strings.ToLower(e.text(to.X)), "changes") {
			kind = "entry not persisted"
		}
		e.replace(kind, n, "_, _ = "+e.text(to.Index)+", "+e.text(n.Rhs[0]))
	}
}
