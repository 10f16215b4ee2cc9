package main

import (
	"go/ast"
	"go/token"
)

// guard makes mutants of a node that is a guard: of every condition on which a function returns, or
// a loop goes on, without doing more, and of every case of a switch that only returns.
func (e *editor) guard(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		for _, s := range n.Body.List {
			if c := s.(*ast.CaseClause); n.Tag == nil && len(c.List) == 1 && leaves(c.Body) {
				e.condition(c.List[0])
			}
		}
	case *ast.IfStmt:
		if leaves(n.Body.List) && n.Else == nil {
			e.condition(n.Cond)
		}
	}
	return true
}

func (e *editor) condition(c ast.Expr) {
	e.replace("guard dropped", never, c, c, "false && ("+e.text(c)+")")
	e.replace("guard negated", either, c, c, "!("+e.text(c)+")")
	operands := operands(c)
	for _, r := range operands {
		if len(operands) > 1 {
			e.replace("reason dropped", never, r, r, "false && ("+e.text(r)+")")
		}
		if b, ok := r.(*ast.BinaryExpr); ok && comparisons[b.Op] != 0 {
			e.shift("comparison shifted", other, b)
		}
	}
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
