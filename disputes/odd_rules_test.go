package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// hasty rules tell an outcome of any state, like a stranger's might.
type hasty struct{ toy.Rules }

func (hasty) Outcome(_ []byte, stakes []uint256.Int) (games.Outcome, error) {
	return games.Outcome{Payouts: stakes}, nil
}

// Only of a match that is over by a step is the lock paid out in the same transaction, whatever
// outcome the rules tell.
func TestRunningMatchIsNotPaid(t *testing.T) {
	for _, tc := range []struct {
		name   string
		expire uint8
		posted int // the turn whose clock ran out; none
		holds  func(*match) *protocol.Support
		paid   bool
	}{
		{"a position that all signed is posted", toy.Fine, -1, func(m *match) *protocol.Support { return m.support(1, 1, m.all(1)) }, false},
		{"the next seat moves when a clock runs out", toy.Skip, 1, func(*match) *protocol.Support { return nil }, false},
		{"the next seat wins when a clock runs out", toy.Fine, 1, func(*match) *protocol.Support { return nil }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
			b.game = hasty{}
			m := b.match(2<<8, []uint8{0, 1}, toy.Params(0, toy.Fine, tc.expire), 20, 20).play(toy.Pass(1))
			l := b.ledger(2, false, []uint64{80, 80}, m)
			c := disputes.Case{
				Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 150, Chain: &disputes.View{},
				Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{m.id: {Terms: m.terms, Ledger: l, Support: tc.holds(m)}}},
				Wishes:   disputes.Wishes{Demand: map[common.Hash]bool{m.id: true}},
			}
			c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
			c.Chain.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: *l, Deadline: 150})
			if tc.posted >= 0 {
				c.Chain.Happened(3, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Support: m.support(0, tc.posted, m.all(0)), Record: protocol.Record{
					Status: protocol.MatchLive, Turn: protocol.MarkOf(m.line[tc.posted].turn), State: protocol.StateHash(m.line[tc.posted].state),
					Mover: m.line[tc.posted].mover, Marks: []protocol.Mark{2, 1}, Since: 40, Clock: 40, Deadline: 140,
				}})
			}
			steps, paid := 0, false
			for _, o := range c.Plan().Orders {
				for _, s := range o.Steps {
					a, settles := s.Action.(onchain.Settle)
					paid, steps = paid || settles && len(a.Matches) > 0, steps+1
				}
			}
			if steps != 2 || paid != tc.paid {
				t.Errorf("%d steps, the lock is paid: %v", steps, paid)
			}
		})
	}
}

// noting rules put down in each state who signed the one before.
type noting struct{ toy.Rules }

func (n noting) Play(c *games.Context, state, move []byte) ([]byte, error) {
	return n.Rules.Play(c, state, append(move[:len(move):len(move)], byte(c.Signed)))
}

// A signature that proves no rank and no move stays in what is posted, where without it the moves
// lead elsewhere.
func TestShortestLeadsToTheSame(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 3, 100, 100)
	b.game = noting{}
	m := b.match(2<<8, []uint8{0, 1, 2}, toy.Params(0), stake, stake, stake)
	for _, next := range []struct {
		by, to uint8
		signed uint16 // who signed the state before
	}{{0, games.Chance, 0b111}, {games.Chance, 1, 0b011}} {
		c, from := m.context(), m.last()
		c.Signed = next.signed
		state, err := b.game.Play(c, from.state, toy.Pass(next.to))
		if err != nil {
			t.Fatal(err)
		}
		m.line = append(m.line, position{turn: from.turn + 1, state: state, mover: next.to, move: toy.Pass(next.to), by: next.by})
	}
	l := b.ledger(2, false, []uint64{80, 80, 80}, m)
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{
			m.id: {Terms: m.terms, Ledger: l, Support: m.support(0, 2, m.all(0), []mark{{1, 1}})},
		}},
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	record := protocol.Record{
		Status: protocol.MatchLive, Turn: protocol.MarkOf(1), State: protocol.StateHash(m.line[1].state), Mover: games.Chance,
		Marks: []protocol.Mark{2, 1, 1}, Since: 40,
	}
	c.Chain.Happened(2, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Support: m.support(0, 1, m.all(0)), Record: record})
	orders := c.Plan().Orders
	if len(orders) != 1 {
		t.Fatalf("orders %+v", orders)
	}
	judge, err := protocol.NewJudge(b.domain, &b.terms, &m.terms, b.game)
	if err != nil {
		t.Fatal(err)
	}
	posted := orders[0].Steps[0].Action.(onchain.Advance).Support
	if end, err := judge.Replay(&posted, &record, 50); err != nil || end.Hash != protocol.StateHash(m.last().state) || posted.Turn != 1 {
		t.Errorf("from turn %s what is posted leads to %x: %v", posted.Turn, end.Hash, err)
	}
}
