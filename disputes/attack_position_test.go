package disputes_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

func TestAttack_StalePosition(t *testing.T) {
	for old := range 3 {
		t.Run(fmt.Sprintf("turn %d of 3", old), func(t *testing.T) {
			c := newScene(t, 2, 0)
			m := c.lock(toy.Params(uint8(old % 2))) // the old position has the honest seat to move
			for i := range 3 {
				c.play(m, toy.Pass(uint8((old+i+1)%2)))
			}
			c.block(func() { c.cheat(c.advance(m, m.support(old, old, m.all(old)), m.demand(old, 1))) })
			for range window + 5 {
				c.block()
			}
			if r := c.record(m); r.Turn.Turn() < m.last().turn || r.Status != protocol.MatchLive {
				t.Fatalf("the record stands at turn %s, status %d", r.Turn.Turn(), r.Status)
			}
			c.gone()
			c.ends(6*window, deposit+stake, deposit-stake)
		})
	}
}

// A seat moved twice in a row, and its opponent signs the position between the two and records
// that, with the seat's clock. What both signed is more than the seat's own support shows, which
// the opponent never signed so far: the seat's evidence wins nevertheless, as what goes on from the
// record. It answers with that alone, as a tower does, which makes no move.
func TestAttack_StalePosition_Signed(t *testing.T) {
	for name, moves := range map[string][][]byte{
		"since what both signed":    {toy.Pass(0), toy.Pass(0), toy.Win(0)},
		"since the opponent's move": {toy.Pass(1), toy.Pass(0), toy.Pass(0), toy.Win(0)},
	} {
		t.Run(name, func(t *testing.T) {
			c := newScene(t, 2, 0)
			h := c.honest[0]
			h.reply = nil
			m, last := c.lock(toy.Params(1)).play(moves...), len(moves)
			h.hold(m, m.support(1, last, m.all(1)))
			c.block(func() { c.cheat(c.advance(m, m.support(last-1, last-1, m.all(last-1)), m.demand(last-1, 1))) })
			c.run(window/4, func() bool { return c.record(m).Turn.Turn() == protocol.Turn(last) })
			c.gone()
			c.ends(3*window, deposit+stake, deposit-stake)
		})
	}
}

func TestAttack_Equivocation(t *testing.T) {
	t.Run("off-chain", func(t *testing.T) {
		c := newScene(t, 2, 0)
		m := c.lock(toy.Params(1))
		fork := m.fork(0).play(toy.Pass(0, 1))
		c.play(m, toy.Pass(0))
		e := c.honest[0].evidence.Matches[m.id]
		e.Proofs = []protocol.Equivocation{{MatchID: m.id, Turn: 1, Seat: 1,
			States:     [2]common.Hash{protocol.StateHash(m.line[1].state), protocol.StateHash(fork.line[1].state)},
			Signatures: [2]protocol.Signature{m.signature(1, 1), fork.signature(1, 1)}}}
		c.honest[0].evidence.Matches[m.id] = e
		c.gone()
		c.ends(3*window, deposit+stake, deposit-stake)
		if c.convicted() != 1<<1 {
			t.Errorf("convicted %b, want seat 1", c.convicted())
		}
	})
	t.Run("posted", func(t *testing.T) {
		c := newScene(t, 2, 0)
		m := c.lock(toy.Params(1))
		fork := m.fork(0).play(toy.Pass(0, 1))
		c.play(m, toy.Pass(0))
		c.block(func() { c.cheat(c.advance(fork, fork.support(0, 1, m.all(0)), m.demand(1, 1))) })
		c.gone()
		c.ends(3*window, deposit+stake, deposit-stake)
		if c.convicted() != 1<<1 {
			t.Errorf("convicted %b, want seat 1", c.convicted())
		}
	})
	t.Run("found when the window is over", func(t *testing.T) {
		c := newScene(t, 2, 0)
		m := c.lock(toy.Params(1))
		fork := m.fork(0).play(toy.Pass(0, 1))
		c.play(m, toy.Pass(0), toy.Pass(1))
		h := c.honest[0]
		h.wishes.Exit = true
		c.run(2*window, func() bool {
			l, deadline := h.watcher.View().Ledger()
			return l != nil && c.chain.Block() > deadline
		})
		e := h.evidence.Matches[m.id]
		e.Proofs = []protocol.Equivocation{{MatchID: m.id, Turn: 1, Seat: 1,
			States:     [2]common.Hash{protocol.StateHash(m.line[1].state), protocol.StateHash(fork.line[1].state)},
			Signatures: [2]protocol.Signature{m.signature(1, 1), fork.signature(1, 1)}}}
		h.evidence.Matches[m.id] = e
		c.ends(1, deposit+stake, deposit-stake)
		if c.sent != 2 {
			t.Errorf("%d transactions, want 2: contest, and conviction with settlement", c.sent)
		}
	})
}

// Rubbish between true signatures accuses nobody, and hides nothing either.
func TestAttack_FalseAccusation(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	fork := m.fork(0).play(toy.Pass(0, 1))
	m.play(toy.Pass(0))
	say := func(l *match, sig protocol.Signature) disputes.Signed {
		return disputes.Signed{Turn: 1, State: protocol.StateHash(l.line[1].state), Seat: 1, Signature: sig}
	}
	honest, rubbish, double := say(m, m.signature(1, 1)), say(fork, m.signature(1, 1)), say(fork, fork.signature(1, 1))
	find := func(said ...disputes.Signed) int {
		return len(disputes.FindEquivocations(c.domain, m.id, c.terms.Signers, said))
	}
	if n := find(honest, rubbish) + find(rubbish, honest) + find(honest, honest) + find(rubbish, rubbish); n != 0 {
		t.Errorf("%d proofs out of rubbish", n)
	}
	if find(honest, rubbish, double) != 1 || find(rubbish, double, honest) != 1 || find(double, honest, rubbish, double) != 1 {
		t.Error("rubbish hides an equivocation")
	}
	stranger := honest
	stranger.Seat = 7
	if find(stranger, double, stranger) != 0 {
		t.Error("a seat that doesn't exist is accused")
	}
}

// TestAttack_FalseAccusation_Turn: a seat tells the tower that it signed twice itself, at a turn
// that there can't be, of which the Arena takes no proof. That is not tried instead of an answer.
func TestAttack_FalseAccusation_Turn(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.play(m, toy.Pass(0), toy.Pass(1))
	h := c.honest[0]
	e := h.evidence.Matches[m.id]
	proof := protocol.Equivocation{MatchID: m.id, Turn: math.MaxUint64, Seat: 1, States: [2]common.Hash{{1}, {2}}}
	for i, state := range proof.States {
		sig, err := c.keys[1].Sign(protocol.Position{MatchID: m.id, Turn: proof.Turn, State: state}.Digest(c.domain))
		c.ok(err)
		proof.Signatures[i] = sig
	}
	e.Proofs = []protocol.Equivocation{proof}
	h.evidence.Matches[m.id] = e
	c.block(func() { c.cheat(c.advance(m, m.support(0, 1, m.all(0)), m.demand(1, 1))) })
	c.run(window, func() bool { return c.record(m).Turn == protocol.MarkOf(2) })
}

// The peer ends the match by another move of long ago, in which it wins.
func TestAttack_EarlyTerminal(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	end := m.fork(0).play(toy.Win(1))
	c.play(m, toy.Pass(0), toy.Pass(1), toy.Pass(0))
	c.block(func() { c.cheat(c.advance(end, end.support(0, 1, m.all(0)), nil)) })
	c.gone()
	c.ends(6*window, deposit+stake, deposit-stake)
}

func TestAttack_SilentOfThree(t *testing.T) {
	c := newScene(t, 3, 0, 1)
	m := c.lock(toy.Params(2)) // seat 2 is on move, and silent: seat 0 takes all
	c.play(m)
	c.gone()
	c.ends(6*window, deposit+2*stake, deposit-stake, deposit-stake)
}

// Seats 1 and 2 fork below what all three signed, and run far ahead.
func TestAttack_CollusionFork(t *testing.T) {
	for _, demand := range []bool{false, true} {
		t.Run(fmt.Sprintf("demand %v", demand), func(t *testing.T) {
			c := newScene(t, 3, 0)
			m := c.lock(toy.Params(1))
			fork := m.fork(0).play(toy.Pass(2, 9), toy.Pass(1, 9), toy.Pass(2, 9), toy.Pass(1, 9), toy.Pass(0, 9))
			c.play(m, toy.Pass(0), toy.Pass(1), toy.Pass(2)) // seat 2 is on move
			at := len(fork.line) - 1
			sig := fork.demand(at, 1)
			if !demand {
				sig = nil
			}
			c.block(func() { c.cheat(c.advance(fork, fork.support(0, at, m.all(0)), sig)) })
			for range window + 5 {
				c.block()
			}
			if r := c.record(m); r.State != protocol.StateHash(m.last().state) {
				t.Fatalf("the fork stands at turn %s", r.Turn.Turn())
			}
			c.gone()
			c.run(8*window, c.over)
			if got := c.bank(0); got < deposit {
				t.Errorf("seat 0 ends with %d", got)
			}
			if c.convicted()&1 != 0 {
				t.Error("the honest seat was convicted")
			}
		})
	}
}
