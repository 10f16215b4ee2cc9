package main

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// guardsOf makes mutants of a Go file: of every condition on which a function returns, or a loop goes on, without doing
// more, and of every case of a switch that only returns.
func guardsOf(path, src string) (list []mutant, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		return nil, err
	}
	condition := func(e ast.Expr) {
		from, to := files.Position(e.Pos()).Offset, files.Position(e.End()).Offset
		text := src[from:to]
		list = append(list,
			mutant{path, "guard dropped", from, to, "false && (" + text + ")"},
			mutant{path, "guard negated", from, to, "!(" + text + ")"})
		reasons := operands(e)
		for _, r := range reasons {
			from, to := files.Position(r.Pos()).Offset, files.Position(r.End()).Offset
			if len(reasons) > 1 {
				list = append(list, mutant{path, "reason dropped", from, to, "false && (" + src[from:to] + ")"})
			}
			if b, ok := r.(*ast.BinaryExpr); ok && comparisons[b.Op] != 0 {
				at := files.Position(b.OpPos).Offset
				list = append(list, mutant{path, "comparison shifted", at, at + len(b.Op.String()), comparisons[b.Op].String()})
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if leaves(n.Body.List) && n.Else == nil {
				condition(n.Cond)
			}
		case *ast.SwitchStmt:
			for _, s := range n.Body.List {
				if c := s.(*ast.CaseClause); n.Tag == nil && len(c.List) == 1 && leaves(c.Body) {
					condition(c.List[0])
				}
			}
		}
		return true
	})
	return list, nil
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
