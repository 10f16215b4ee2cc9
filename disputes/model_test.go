package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"
)

// model is a match of two as plain numbers: seats move in turns, turn t is made by the seat that
// moves at t-1, and a position is agreed to by both at its own turn or at the one before. It knows
// nothing of states, hashes or signatures.
type model struct {
	me       int
	recorded int // turn on the chain; -1: nothing
	agreed   int // up to where both signed in what is recorded: recorded or the turn before
	clock    int // 0: none, 1: runs, 2: ran out
	held     int // turn of my support
	both     int // up to where both signed in it: held or the turn before
	draw     int // turn of a signed agreement; -1: none
	demand   bool
	exit     bool
}

func drawModel(t *rapid.T) model {
	m := model{
		me: rapid.IntRange(0, 1).Draw(t, "me"), recorded: rapid.IntRange(-1, 4).Draw(t, "recorded"),
		held: rapid.IntRange(0, 4).Draw(t, "held"), draw: rapid.IntRange(-1, 4).Draw(t, "draw"),
		demand: rapid.Bool().Draw(t, "demand"), exit: rapid.Bool().Draw(t, "exit"),
	}
	m.agreed, m.both = m.recorded, m.held
	if m.recorded >= 0 {
		m.clock = rapid.IntRange(0, 2).Draw(t, "clock")
		m.agreed -= min(m.recorded, rapid.IntRange(0, 1).Draw(t, "agreed before"))
	}
	m.both -= min(m.held, rapid.IntRange(0, 1).Draw(t, "both before"))
	return m
}

func (m *model) mover(turn int) int { return turn % 2 }

// wins says that my support outranks the record and shows another position.
func (m *model) wins() bool {
	return m.recorded < 0 || m.held != m.recorded && (m.both > m.agreed || m.both == m.agreed && m.held > m.recorded)
}

// best is the turn that the match stands at for an honest seat.
func (m *model) best() int {
	if m.wins() {
		return m.held
	}
	return m.recorded
}

func (m *model) drawn() bool { return m.draw >= max(m.recorded, m.held) }

// did is what a plan does about the match.
type did struct{ advance, demand, agree, expire, want bool }

// should is the protocol's word (design: "On-chain"), in its order: the clock first, then consent,
// then rank, then the user's wishes.
func (m *model) should() (d did) {
	wished := m.demand || m.exit
	switch {
	case m.clock == 2:
		d.expire = m.mover(m.recorded) != m.me
	case m.drawn() && (m.clock == 1 || wished):
		d.agree = true
	case m.clock == 1 && m.wins():
		d.advance, d.demand = true, m.demand && m.mover(m.held) != m.me
	case m.clock == 1:
		d.want = m.mover(m.recorded) == m.me
	case wished && m.mover(m.best()) == m.me:
		d.want = true
	case m.demand:
		d.demand, d.advance = true, m.wins()
	}
	return d
}

func TestPlanAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		plan, b := m.plan()
		got := did{want: len(plan.Wants) > 0}
		for _, o := range plan.Orders {
			done, err := o.Action(b.domain, b.keys[m.me])
			if err != nil {
				t.Fatal(err)
			}
			list, ok := done.(onchain.Batch)
			if !ok {
				list = onchain.Batch{done}
			}
			for _, a := range list {
				switch a := a.(type) {
				case onchain.Advance:
					got.advance, got.demand = true, got.demand || a.Demand != nil
					if len(a.Support.Moves) > 1 || len(a.Support.Signatures) > 2 {
						t.Errorf("posts %d moves and %d signatures", len(a.Support.Moves), len(a.Support.Signatures))
					}
				case onchain.DemandMove:
					got.demand = true
				case onchain.Agree:
					got.agree = true
				case onchain.Expire:
					got.expire = true
				case onchain.ContestLedger:
					if !m.exit {
						t.Error("contests though nobody wants out")
					}
				default:
					t.Errorf("unexpected %T", a)
				}
			}
		}
		if want := m.should(); got != want {
			t.Errorf("%+v\ndoes    %+v\nshould  %+v", m, got, want)
		}
	})
}

// plan plans the case that the model stands for, with real signatures, at 50 of a clock whose
// window is 100.
func (m *model) plan() (disputes.Plan, *board) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	g := b.match(2<<8, []uint8{0, 1}, toy.Params(0), stake, stake)
	for i := range 4 {
		g.play(toy.Pass(uint8((i + 1) % 2)))
	}
	l := b.ledger(2, false, []uint64{80, 80}, g)
	ev := disputes.Match{Terms: g.terms, Ledger: l, Support: m.support(g, m.held, m.both)}
	if m.draw >= 0 {
		ev.Agreement = g.agreement(protocol.Turn(m.draw), stake, stake)
	}
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Seat: m.me, Rules: b.find, Now: 50, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{g.id: ev}},
		Wishes:   disputes.Wishes{Exit: m.exit, Demand: map[common.Hash]bool{g.id: m.demand}},
		Policy:   disputes.Policy{Margin: 10},
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	if m.recorded >= 0 {
		s := m.support(g, m.recorded, m.agreed)
		p := g.line[m.recorded]
		r := protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(p.turn), State: protocol.StateHash(p.state), Mover: p.mover,
			Marks: []protocol.Mark{protocol.MarkOf(p.turn), protocol.MarkOf(p.turn)}, Since: 10}
		if m.agreed < m.recorded {
			r.Marks[p.mover] = protocol.MarkOf(p.turn - 1)
		}
		r.Deadline = []uint64{0, 110, 50}[m.clock]
		c.Chain.Happened(2, onchain.Recorded{ChannelID: b.id, MatchID: g.id, Record: r, Support: s})
	}
	return c.Plan(), b
}

// support is evidence for a turn, to which both agreed up to the same turn or the one before.
func (m *model) support(g *match, turn, both int) *protocol.Support {
	return g.support(both, turn, g.all(both))
}
