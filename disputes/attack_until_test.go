package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_CollusionFork_Clock: two of three seats fork, and start a clock with it, which ends a
// window after the fork counts as signed by all. Whoever sends the answer is told the time at which
// it comes too late, and afterwards the user is told.
func TestAttack_CollusionFork_Clock(t *testing.T) {
	for _, late := range []uint64{1, 0} { // blocks before that time
		c := newScene(t, 3, 0)
		h := c.honest[0]
		m := c.lock(toy.Params(1))
		fork := m.fork(0).play(toy.Pass(2, 9), toy.Pass(1, 9), toy.Pass(2, 9), toy.Pass(1, 9), toy.Pass(0, 9))
		c.play(m, toy.Pass(0), toy.Pass(1), toy.Pass(2))
		at := len(fork.line) - 1
		c.block(func() { c.cheat(c.advance(fork, fork.support(0, at, m.all(0)), fork.demand(at, 1))) })
		h.reply = nil
		h.step()
		if len(h.box) != 1 {
			t.Fatalf("%d submissions", len(h.box))
		}
		s := h.box[0]
		for c.chain.Block() < s.Deadline-late {
			c.chain.Mine(1)
		}
		err := c.send(c.terms.Players[0], s.Action)
		if (err == nil) != (late == 1) {
			t.Errorf("mined %d before block %d: %v", late, s.Deadline, err)
		}
		h.box = nil
		c.chain.Mine(1)
		h.step()
		told := false
		for _, a := range h.plan.Alarms {
			told = told || a.Level == disputes.Critical && a.Kind == "too late"
		}
		if told != (late == 0) {
			t.Errorf("mined %d before block %d: alarms %+v", late, s.Deadline, h.plan.Alarms)
		}
	}
}

// TestAttack_CollusionFork_Tower: a tower that has answered in a match waits as long as it may, and
// not until the fork counts as signed by all.
func TestAttack_CollusionFork_Tower(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 3, 100, 100)
	base := b.match(2<<8, []uint8{0, 1, 2}, toy.Params(1), stake, stake, stake).play(toy.Pass(1))
	m := base.fork(1).play(toy.Pass(2), toy.Pass(1)) // what all signed up to turn 2
	fork := base.fork(1).play(toy.Pass(2, 9), toy.Pass(1, 9), toy.Pass(2, 9), toy.Pass(1, 9))
	l := b.ledger(2, false, []uint64{80, 80, 80}, m)
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{
			m.id: {Terms: m.terms, Ledger: l, Support: m.support(2, 3, m.all(2))},
		}},
		Policy: disputes.Policy{Margin: 10, Frugal: true},
	}
	says := func(l *match, s *protocol.Support, at int, marks []protocol.Mark, since, clock uint64) onchain.Recorded {
		p := l.line[at]
		return onchain.Recorded{ChannelID: b.id, MatchID: m.id, Support: s, Record: protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(p.turn),
			State: protocol.StateHash(p.state), Mover: p.mover, Marks: marks, Spent: make([]uint64, 3), Since: since, Clock: clock, Deadline: clock + 100}}
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	c.Chain.Happened(2, says(base, base.support(0, 0, base.all(0)), 0, []protocol.Mark{1, 1, 1}, 30, 30))
	c.Chain.Answered(3, says(base, base.support(0, 1, base.all(0)), 1, []protocol.Mark{1, 2, 1}, 32, 32)) // seat 1 stays on move
	c.Chain.Happened(4, says(fork, fork.support(1, 5), 5, []protocol.Mark{1, 6, 5}, 40, 140))
	for c.Now = 41; c.Now < 140; c.Now++ {
		for _, o := range c.Plan().Orders {
			if _, answers := o.Steps[0].Action.(onchain.Advance); answers {
				if c.Now < 130 {
					t.Errorf("answered at %d", c.Now)
				}
				return
			}
		}
	}
	t.Error("the fork counts as signed by all, and the tower has not answered")
}
