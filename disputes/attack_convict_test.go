package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// forkedEnd is a match of three whose last move all have signed, as seat 0 knows, and another move
// in its place.
func forkedEnd(t *testing.T) (c *scene, m, fork *match) {
	t.Helper()
	c = newScene(t, 3, 0)
	m = c.lock(toy.Params(0))
	c.play(m, toy.Pass(1))
	fork = m.fork(1).play(toy.Pass(0, 9))
	c.play(m, toy.Win(1))
	c.honest[0].hold(m, m.support(1, 2, m.all(1), m.all(2)))
	return c, m, fork
}

// TestAttack_Equivocation_Last: one of three seats makes the last move, which all sign, and posts
// another one. It is convicted before the end is posted, which is final at once.
func TestAttack_Equivocation_Last(t *testing.T) {
	c, m, fork := forkedEnd(t)
	c.block(func() { c.cheat(c.advance(fork, fork.support(1, 2, m.all(1)), fork.demand(2, 1))) })
	c.gone()
	c.ends(6*window, deposit+stake/2, deposit-stake, deposit+stake/2)
	if c.convicted() != 1<<1 {
		t.Errorf("convicted %b, want seat 1", c.convicted())
	}
}

// TestAttack_Equivocation_Both: two of three seats signed two positions each, and neither posts the
// end of the match, which all signed. Both are convicted, though nothing is recorded that would
// tell the first conviction from the second, and then the end is posted.
func TestAttack_Equivocation_Both(t *testing.T) {
	c, m, fork := forkedEnd(t)
	h := c.honest[0]
	held := h.evidence.Matches[m.id]
	for _, seat := range []uint8{1, 2} {
		held.Proofs = append(held.Proofs, protocol.Equivocation{
			MatchID: m.id, Turn: m.line[2].turn, Seat: seat,
			States:     [2]common.Hash{protocol.StateHash(m.line[2].state), protocol.StateHash(fork.line[2].state)},
			Signatures: [2]protocol.Signature{m.signature(2, seat), fork.signature(2, seat)},
		})
	}
	h.evidence.Matches[m.id] = held
	c.gone()
	c.ends(6*window, deposit+2*stake, deposit-stake, deposit-stake)
	if c.convicted() != 1<<1|1<<2 {
		t.Errorf("convicted %b, want seats 1 and 2", c.convicted())
	}
}

// TestAttack_Equivocation_Expired: two of four seats work together. One signs two positions and
// posts the one from which the other's silence gives it the pot. A seat that was away until that
// clock ran out convicts it before the expiry, which is final at once.
func TestAttack_Equivocation_Expired(t *testing.T) {
	c := newScene(t, 4, 0)
	m := c.lock(toy.Params(0))
	c.play(m, toy.Pass(3))
	fork := m.fork(1).play(toy.Pass(2, 9))
	c.play(m, toy.Pass(2))
	c.cheat(c.advance(fork, fork.support(1, 2, m.all(1)), fork.demand(2, 3)))
	c.chain.Mine(3 * window)
	c.gone()
	c.ends(6*window, deposit+stake/3+2, deposit+stake/3, deposit+stake/3, deposit-stake)
}
