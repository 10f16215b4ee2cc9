package disputes_test

import (
	"fmt"
	"testing"

	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// The peer goes silent at every turn of a match, the start and the end included.
func TestAttack_Withhold(t *testing.T) {
	for turns := range 6 {
		t.Run(fmt.Sprintf("after %d moves", turns), func(t *testing.T) {
			c := newScene(t, 2, 0)
			m := c.lock(toy.Params(1)) // the peer begins, and moves at even turns
			c.play(m)
			for i := range turns {
				c.play(m, toy.Pass(uint8(i%2)))
			}
			c.gone()
			c.ends(5*window, deposit+stake, deposit-stake)
		})
	}
}

// The peer leaves before it signs turn 0: the match never existed, and both get their stakes back.
func TestAttack_WithheldStart(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.honest[0].hold(m, m.support(0, 0, []mark{{0, 0}}))
	c.gone()
	c.ends(5*window, deposit, deposit)
}

// The peer says that a match never began, in which it is losing.
func TestAttack_FalseStart(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(0))
	c.play(m, toy.Pass(1))
	c.block(func() { c.cheat(c.advance(m, m.support(0, 0), m.demand(0, 1))) })
	c.gone()
	c.ends(6*window, deposit+stake, deposit-stake)
}

// The peer shows its move to nobody but the chain, and demands an answer at once.
func TestAttack_HiddenPosition(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.play(m)
	hidden := m.fork(0).play(toy.Pass(0))
	c.block(func() { c.cheat(c.advance(hidden, hidden.support(0, 1, m.all(0)), hidden.demand(1, 1))) })
	for range window + 5 {
		c.block()
	}
	if r := c.record(m); r.Turn.Turn() != 2 || r.Mover != 1 {
		t.Fatalf("the record stands at turn %s with mover %d, want the answer at turn 2", r.Turn.Turn(), r.Mover)
	}
	c.gone()
	c.ends(6*window, deposit+stake, deposit-stake)
}

// The peer posts the position barely, in front of the honest advance and Demand, which therefore
// fail.
func TestAttack_DemandFront(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.play(m)
	c.gone()
	c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), nil)) })
	c.ends(6*window, deposit+stake, deposit-stake)
}

// The peer answers every clock in the last block in which it may, until it has no time left, and
// then not.
func TestAttack_SlowDeath(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.play(m)
	c.gone()
	answers := 0
	for blocks := 0; !c.over() && blocks < 40*window; blocks++ {
		r := c.record(m)
		if r == nil || r.Mover != 1 || r.Status != protocol.MatchLive || r.Deadline != c.chain.Block()+1 || answers == 12 {
			c.block()
			continue
		}
		answers++
		c.block(func() {
			line := m.at(c, r)
			line.play(toy.Pass(0))
			last := len(line.line) - 1
			c.cheat(c.advance(line, line.support(last-1, last), line.demand(last, 1)))
		})
	}
	c.ends(1, deposit+stake, deposit-stake)
	if answers != 12 {
		t.Errorf("the peer answered %d clocks, want 12", answers)
	}
	if c.sent > 2*answers+6 {
		t.Errorf("%d transactions against %d late answers", c.sent, answers)
	}
}

// An answer that lands at T-1 counts, one at T does not; the honest seat gets its due either way.
func TestAttack_LastMinute(t *testing.T) {
	for _, early := range []uint64{1, 0} {
		t.Run(fmt.Sprintf("T-%d", early), func(t *testing.T) {
			c := newScene(t, 2, 0)
			m := c.lock(toy.Params(1))
			c.play(m)
			c.gone()
			c.run(10, func() bool { return c.record(m) != nil && c.record(m).Deadline != 0 })
			for c.chain.Block() < c.record(m).Deadline-early {
				c.block()
			}
			line := m.at(c, c.record(m)).play(toy.Pass(0))
			var err error
			c.block(func() { err = c.send(c.terms.Players[1], c.advance(line, line.support(0, 1), nil)) })
			if (err == nil) != (early == 1) {
				t.Fatalf("answer at T-%d: %v", early, err)
			}
			c.ends(6*window, deposit+stake, deposit-stake)
		})
	}
}

// Both signed a draw; the peer runs the clock against the seat that is on move.
func TestAttack_ClockBeatsAgreement(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.play(m, toy.Pass(0))
	h := c.honest[0]
	h.reply = nil // a draw is a draw: it moves no more
	e := h.evidence.Matches[m.id]
	e.Agreement = m.agreement(1, stake, stake)
	h.evidence.Matches[m.id] = e
	c.block(func() { c.cheat(c.advance(m, m.support(0, 1, m.all(0)), m.demand(1, 1))) })
	c.gone()
	c.ends(4*window, deposit, deposit)
}

// The peer conceded before it signed turn 0, and has the match voided for want of that signature.
func TestAttack_ClockBeatsAgreement_Void(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(0))
	h := c.honest[0]
	e := h.evidence.Matches[m.id]
	e.Support, e.Agreement = m.support(0, 0, []mark{{0, 0}}), m.agreement(0, 2*stake, 0)
	h.evidence.Matches[m.id] = e
	c.block(func() { c.cheat(c.advance(m, m.support(0, 0, []mark{{0, 1}}), m.demand(0, 1))) })
	c.gone()
	c.ends(4*window, deposit+stake, deposit-stake)
}

// Three seats agreed; two of them post an end instead, which the mover made in the place of the
// move that it showed to the third.
func TestAttack_ClockBeatsAgreement_End(t *testing.T) {
	c := newScene(t, 3, 0)
	m := c.lock(toy.Params(1))
	end := m.fork(0).play(toy.Win(2))
	c.play(m, toy.Pass(0))
	h := c.honest[0]
	h.reply = nil
	e := h.evidence.Matches[m.id]
	e.Agreement = m.agreement(1, stake, stake, stake)
	h.evidence.Matches[m.id] = e
	c.block(func() { c.cheat(c.advance(m, end.support(0, 1, m.all(0)), nil)) })
	c.gone()
	// the convicted seat's part goes to the others
	c.ends(4*window, deposit+stake/2, deposit-stake, deposit+stake/2)
}

// The peer kept a draw that was signed at turn 1 and answered with play, and posts it when it has
// all but lost.
func TestAttack_LateAgreement(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1))
	c.play(m, toy.Pass(0))
	old := m.agreement(1, stake, stake)
	c.play(m, toy.Pass(1))
	c.play(m, toy.Pass(0))
	c.block(func() {
		c.cheat(onchain.Agree{Terms: c.terms, Match: m.terms, Agreement: *old})
	})
	c.gone()
	c.ends(6*window, deposit+stake, deposit-stake)
}

// The peer lets its clock run although the honest seat holds its answer: an honest seat posts it,
// and plays on.
func TestAttack_ClockAfterAnswer(t *testing.T) {
	c := newScene(t, 2, 1)
	m := c.lock(toy.Params(1))
	c.play(m)
	c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 0))) })
	c.play(m, toy.Pass(0)) // given off-chain too, at once; the clock runs for it on the chain
	for range window + 5 {
		c.block()
	}
	if r := c.record(m); r.Status != protocol.MatchLive || r.Turn.Turn() != 1 {
		t.Fatalf("status %d at turn %s: the answer is not on the chain", r.Status, r.Turn.Turn())
	}
}

// After an expiry that didn't end the match, the peer posts the line of before.
func TestAttack_ExpiredBranch(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(1, toy.Fine, toy.Skip))
	c.play(m)
	c.gone()
	c.run(3*window, func() bool { r := c.record(m); return r != nil && r.Turn.Turn().Epoch() == 1 })
	branch := m.fork(0).play(toy.Pass(0), toy.Pass(1))
	if err := c.send(c.terms.Players[1], c.advance(branch, branch.support(0, 2, m.all(2)), nil)); err == nil {
		t.Fatal("the Arena took a branch of before the expiry")
	}
	// Now the honest seat is on move, wins by what the toy's rules allow it, and is paid.
	c.honest[0].reply = func(*match, []byte) []byte { return toy.Win(0) }
	c.ends(8*window, deposit+stake, deposit-stake)
}
