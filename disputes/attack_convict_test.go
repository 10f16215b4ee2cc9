package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/games/gametest/toy"
)

// TestAttack_Equivocation_Last: one of three seats makes the last move, which all sign, and posts
// another one. It is convicted before the end is posted, which is final at once.
func TestAttack_Equivocation_Last(t *testing.T) {
	c := newScene(t, 3, 0)
	m := c.lock(toy.Params(0))
	c.play(m, toy.Pass(1))
	fork := m.fork(1).play(toy.Pass(0, 9))
	c.play(m, toy.Win(1))
	c.honest[0].hold(m, m.support(1, 2, m.all(1), m.all(2)))
	c.block(func() { c.cheat(c.advance(fork, fork.support(1, 2, m.all(1)), fork.demand(2, 1))) })
	c.gone()
	c.ends(6*window, deposit+stake/2, deposit-stake, deposit+stake/2)
	if c.convicted() != 1<<1 {
		t.Errorf("convicted %b, want seat 1", c.convicted())
	}
}
