package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// guardsOf makes mutants of a Go file: of every condition on which a function returns, or a loop
// goes on, without doing more, and of every case of a switch that only returns. It numbers them
// from `first` on, and returns the file with all of them in it: the functions of `choosing` put the
// one there that the environment names.
func guardsOf(path, src string, first int) (list []mutant, all string, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		return nil, "", err
	}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	text := func(e ast.Expr) string { return src[offset(e.Pos()):offset(e.End())] }
	add := func(kind string, from, to int, with string) int {
		list = append(list, mutant{path, kind, from, to, with})
		return first + len(list) - 1
	}
	last := 0 // what of src is in all
	condition := func(e ast.Expr) {
		from, to := offset(e.Pos()), offset(e.End())
		dropped := add("guard dropped", from, to, "false && ("+text(e)+")")
		negated := add("guard negated", from, to, "!("+text(e)+")")
		var reasons []string
		operands := operands(e)
		for _, r := range operands {
			with := text(r)
			if b, ok := r.(*ast.BinaryExpr); ok && comparisons[b.Op] != 0 {
				at, other := offset(b.OpPos), comparisons[b.Op].String()
				shifted := add("comparison shifted", at, at+len(b.Op.String()), other)
				with = fmt.Sprintf("mutantShift(%d, %s, %s %s %s)", shifted, with, text(b.X), other, text(b.Y))
			}
			if len(operands) > 1 {
				with = fmt.Sprintf("mutantReason(%d, %s)", add("reason dropped", offset(r.Pos()), offset(r.End()), "false && ("+text(r)+")"), with)
			}
			reasons = append(reasons, with)
		}
		all += src[last:from] + fmt.Sprintf("mutantGuard(%d, %d, %s)", dropped, negated, strings.Join(reasons, " || "))
		last = to
	}
	cases := map[*ast.CaseClause]bool{} // of switches without a tag
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			for _, s := range n.Body.List {
				cases[s.(*ast.CaseClause)] = n.Tag == nil
			}
		case *ast.IfStmt:
			if leaves(n.Body.List) && n.Else == nil {
				condition(n.Cond)
			}
		case *ast.CaseClause:
			if len(n.List) == 1 && leaves(n.Body) && cases[n] {
				condition(n.List[0])
			}
		}
		return true
	})
	return list, all + src[last:], nil
}

// operands returns what a condition consists of: any of these is reason enough to leave.
func operands(e ast.Expr) []ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		return append(operands(b.X), operands(b.Y)...)
	}
	return []ast.Expr{e}
}

// comparisons moves the boundary of each by one.
var comparisons = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

// leaves says whether statements do nothing but leave.
func leaves(list []ast.Stmt) bool {
	if len(list) != 1 {
		return false
	}
	switch s := list[0].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE
	}
	return false
}
