package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// newTower is a scene whose only honest party is a tower that answers for seat 0: it has no key,
// and pays for others.
func newTower(t *testing.T) (*scene, *honest) {
	t.Helper()
	c := newTowers(t, 10, 0)
	return c, c.honest[0]
}

// newTowers is a scene with a tower for each of some seats.
func newTowers(t *testing.T, margin uint64, seats ...int) *scene {
	t.Helper()
	c := newScene(t, 2, seats...)
	for _, h := range c.honest {
		h.reply = nil
		h.watcher = disputes.NewWatcher(disputes.Case{
			Domain: c.domain, Terms: c.terms, Seat: h.seat, Rules: c.find, Policy: disputes.Policy{Margin: margin, Frugal: true},
		}, nil, h)
		for _, s := range c.said {
			h.watcher.Happened(s.block, s.event)
		}
	}
	return c
}

// bounded checks how much a tower sent, by what others did: two answers to the contest; about a
// match two for each of their acts and two because of the contest, and the end of each clock that
// they started; one settlement, and one for each lock. What failed is allowed for once for each of
// their acts, for each of those made it fail.
func (c *scene) bounded(t *testing.T) {
	t.Helper()
	matches, answers, allowed := map[[32]byte]bool{}, 0, 2+1
	for _, s := range c.said {
		switch e := s.event.(type) {
		case onchain.Contested:
			for _, k := range e.Ledger.Locks {
				matches[k.MatchID] = true
			}
			if s.honest {
				answers++
			} else {
				allowed++
			}
		case onchain.Recorded:
			matches[e.MatchID] = true
			if !s.honest {
				allowed += 2 + 1 + 1
			}
		}
	}
	allowed += len(matches) * (2 + 1)
	if c.sent > allowed {
		t.Errorf("the tower sent %d transactions, at most %d for what others did", c.sent, allowed)
	}
	if answers > 2 {
		t.Errorf("%d refutations", answers)
	}
}

// Who owns both seats of a channel pays for one act on the chain, and from then on hands the tower
// something better in every block. The tower answers at once, and once more at the end, with the
// best it holds then.
func TestAttack_TowerGas(t *testing.T) {
	t.Run("ledgers", func(t *testing.T) {
		c, h := newTower(t)
		give := func(version uint64) {
			h.evidence.Ledger = c.ledger(version, false, []uint64{deposit + version, deposit - version})
		}
		give(2)
		c.block(func() { c.cheat(c.contest(c.first(), 1)) })
		_, deadline := h.watcher.View().Ledger()
		last := uint64(0)
		for version := uint64(3); !c.over(); version++ {
			give(version)
			if c.chain.Block()-1 == deadline-10 {
				last = version
			}
			c.block()
		}
		c.ends(1, deposit+last, deposit-last)
		if c.sent != 3 {
			t.Errorf("%d transactions, want 3: two answers and a settlement", c.sent)
		}
		c.bounded(t)
	})
	t.Run("positions", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 0))) })
		for range 3 * window { // seat 1 stays on move, whose clock starts again with each answer
			c.play(m, toy.Pass(1))
			last := len(m.line) - 1
			h.hold(m, m.support(last, last, m.all(last)))
			c.block()
		}
		if c.sent != 3 {
			t.Errorf("%d transactions, want 3: two answers, and the end of the clock", c.sent)
		}
		c.bounded(t)
	})
	t.Run("towers that answer each other", func(t *testing.T) {
		c := newTowers(t, 4, 0, 1)
		m := c.lock(toy.Params(1))
		c.play(m)
		c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 0))) })
		for i := range 2 * window {
			m.play(toy.Pass(1))
			last := len(m.line) - 1
			c.honest[i%2].hold(m, m.support(last, last, m.all(last)))
			c.block()
		}
		// one at once each, and one at the end of each of the windows in which the clock starts
		// again
		if c.sent > 6 {
			t.Errorf("%d transactions in two windows", c.sent)
		}
	})
	t.Run("agreements and positions", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		c.block(func() { c.cheat(c.contest(h.evidence.Ledger, 1)) })
		// each agreement is gone beyond by a position, and that by an agreement
		for turn := range protocol.Turn(3 * window) {
			e := h.evidence.Matches[m.id]
			e.Agreement = m.agreement(turn, stake, stake)
			h.evidence.Matches[m.id] = e
			c.block()
			c.play(m, toy.Pass(1))
			last := len(m.line) - 1
			h.hold(m, m.support(last, last, m.all(last)))
			c.block()
		}
		if c.sent > 4 {
			t.Errorf("%d transactions, want at most 4: two answers, and two settlements", c.sent)
		}
		c.bounded(t)
	})
}

// What a tower holds for a seat that sleeps lands in time, whatever its peer does meanwhile, and
// however often.
func TestTowerAnswersInTime(t *testing.T) {
	t.Run("stale ledgers that rise", func(t *testing.T) {
		c, h := newTower(t)
		h.evidence.Ledger = c.ledger(9, false, []uint64{150, 50})
		c.block(func() { c.cheat(c.contest(c.first(), 1)) })
		for version := uint64(2); version < 9; version++ { // each in front of the answer
			l := c.ledger(version, false, []uint64{10, 190})
			c.block(func() { _ = c.send(c.terms.Players[1], c.contest(l, 1)) })
		}
		c.ends(2*window, 150, 50)
		c.bounded(t)
	})
	t.Run("stale ledgers now and then, and better evidence", func(t *testing.T) {
		c, h := newTower(t)
		h.evidence.Ledger = c.ledger(3, false, []uint64{110, 90})
		c.block(func() { c.cheat(c.contest(c.first(), 1)) })
		c.run(5, func() bool { l, _ := h.watcher.View().Ledger(); return l.Version == 3 })
		h.evidence.Ledger = c.ledger(5, false, []uint64{120, 80})
		for range 5 {
			c.block()
		}
		stale := c.ledger(4, false, []uint64{10, 190})
		c.block(func() { c.cheat(c.contest(stale, 1)) })
		h.evidence.Ledger = c.ledger(7, false, []uint64{150, 50})
		c.ends(2*window, 150, 50)
		if c.sent != 3 {
			t.Errorf("%d transactions, want 3: an answer at once, one at the end, and a settlement", c.sent)
		}
		c.bounded(t)
	})
	t.Run("stale positions that rise", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		for range 8 { // both moved, one after the other
			c.play(m, toy.Pass(1-m.last().mover))
		}
		c.play(m, toy.Win(1)) // seat 1 was on move, and its win needs seat 0's word
		stop := len(m.line) - 2
		h.hold(m, m.support(stop, stop, m.all(stop)))
		for at := range stop { // each in front of the answer, with a Demand of the other
			c.block(func() {
				_ = c.send(c.terms.Players[1], c.advance(m, m.support(at, at, m.all(at)), m.demand(at, 1-m.line[at].mover)))
			})
		}
		for range 3 * window {
			c.block()
		}
		if r := c.record(m); r == nil || r.Turn != protocol.MarkOf(m.line[stop].turn) {
			t.Errorf("recorded: %+v", r)
		}
		c.bounded(t)
	})
	t.Run("a clock is started now and then, and better evidence", func(t *testing.T) {
		c, _ := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		for at := 0; at < 6; at += 2 { // each time on top of what was played off-chain since
			for len(m.line) < at+2 {
				c.play(m, toy.Pass(1-m.last().mover))
			}
			c.block(func() { c.cheat(c.advance(m, m.support(at, at, m.all(at)), m.demand(at, 0))) })
			c.run(3, func() bool { return c.record(m).Turn == protocol.MarkOf(m.line[at+1].turn) })
		}
		c.bounded(t)
	})
	t.Run("stale positions now and then, and better evidence", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		hold := func(at int) {
			for len(m.line) <= at {
				// seat 1 stays on move, and its clock starts again with each answer
				c.play(m, toy.Pass(1))
			}
			h.hold(m, m.support(at, at, m.all(at)))
		}
		recorded := func(blocks, at int) {
			t.Helper()
			c.run(blocks, func() bool { return c.record(m).Turn == protocol.MarkOf(m.line[at].turn) })
		}
		hold(1)
		c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 0))) })
		recorded(3, 1)
		for at := 2; at < 8; at += 2 {
			hold(at + 1)
			c.block(func() { c.cheat(c.advance(m, m.support(at, at, m.all(at)), nil)) })
			recorded(window, at+1)
		}
		hold(8)
		recorded(window, 8)
		c.play(m, toy.Win(0))
		h.hold(m, m.support(9, 9, m.all(9))) // would wait for ever, but that the channel ends
		c.block(func() { c.cheat(c.contest(h.evidence.Ledger, 1)) })
		recorded(3, 9)
		c.ends(2*window, deposit+stake, deposit-stake)
		c.bounded(t)
	})
	t.Run("a position held by another seat ranks higher", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		c.play(m, toy.Pass(0), toy.Pass(1), toy.Pass(0))
		e := h.evidence.Matches[m.id]
		e.Support, e.Also = m.support(1, 1, m.all(1)), []*protocol.Support{m.support(3, 3, m.all(3)), m.support(2, 2, m.all(2))}
		h.evidence.Matches[m.id] = e
		c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 0))) })
		c.run(3, func() bool { return c.record(m).Turn == protocol.MarkOf(m.line[3].turn) })
		if c.sent != 1 {
			t.Errorf("%d transactions, want 1", c.sent)
		}
	})
	t.Run("its peer let a clock run before", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		h.evidence.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: h.evidence.Matches[m.id].Ledger}
		c.block(func() { c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 0))) })
		for range 3 {
			c.block()
		}
		c.play(m, toy.Pass(0))
		c.block(func() { c.cheat(c.advance(m, m.support(1, 1, m.all(1)), m.demand(1, 1))) })
		c.play(m, toy.Pass(1))
		h.hold(m, m.support(2, 2, m.all(2)))
		c.run(3, func() bool { return c.record(m).Turn == protocol.MarkOf(m.line[2].turn) })
		if r := c.record(m); r.Spent[1] == 0 || r.Mover != 1 {
			t.Errorf("recorded: %+v", r)
		}
	})
	t.Run("only what another seat holds contradicts what is posted", func(t *testing.T) {
		c, h := newTower(t)
		m := c.lock(toy.Params(1))
		c.play(m)
		fork := m.fork(0).play(toy.Pass(0, 7), toy.Pass(1))
		c.play(m, toy.Pass(0))
		e := h.evidence.Matches[m.id]
		e.Support, e.Also = fork.support(2, 2, fork.all(2)), []*protocol.Support{m.support(0, 1, m.all(0))}
		h.evidence.Matches[m.id] = e
		c.block(func() { c.cheat(c.advance(fork, fork.support(0, 1, fork.all(0)), nil)) })
		c.run(3, func() bool { return c.convicted() == 1<<1 })
	})
}
