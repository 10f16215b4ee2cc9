package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// hasty rules tell an outcome of any state, like a stranger's might.
type hasty struct{ toy.Rules }

func (hasty) Outcome(_ []byte, stakes []uint256.Int) (games.Outcome, error) {
	return games.Outcome{Payouts: stakes}, nil
}

// Only of a match that is over by a step is the lock paid out in the same transaction, whatever outcome the rules tell.
func TestRunningMatchIsNotPaid(t *testing.T) {
	for _, tc := range []struct {
		name   string
		expire uint8
		posted int // the turn whose clock ran out; none
		holds  func(*match) *channel.Support
		paid   bool
	}{
		{"a position that all signed is posted", toy.Fine, -1, func(m *match) *channel.Support { return m.support(1, 1, m.all(1)) }, false},
		{"the next seat moves when a clock runs out", toy.Skip, 1, func(*match) *channel.Support { return nil }, false},
		{"the next seat wins when a clock runs out", toy.Fine, 1, func(*match) *channel.Support { return nil }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBoard(channel.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
			b.game = hasty{}
			m := b.match(2<<8, []uint8{0, 1}, toy.Params(0, toy.Fine, tc.expire), 20, 20).play(toy.Pass(1))
			l := b.ledger(2, false, []uint64{80, 80}, m)
			c := disputes.Case{
				Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 150, Chain: &disputes.View{},
				Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{m.id: {Terms: m.terms, Ledger: l, Support: tc.holds(m)}}},
				Wishes:   disputes.Wishes{Demand: map[common.Hash]bool{m.id: true}},
			}
			c.Chain.Happened(1, channel.Opened{ChannelID: b.id, Terms: b.terms})
			c.Chain.Happened(2, channel.Contested{ChannelID: b.id, Ledger: *l, Deadline: 150})
			if tc.posted >= 0 {
				c.Chain.Happened(3, channel.Recorded{ChannelID: b.id, MatchID: m.id, Support: m.support(0, tc.posted, m.all(0)), Record: channel.Record{
					Status: channel.MatchLive, Turn: channel.MarkOf(m.line[tc.posted].turn), State: channel.StateHash(m.line[tc.posted].state),
					Mover: m.line[tc.posted].mover, Marks: []channel.Mark{2, 1}, Since: 40, Clock: 40, Deadline: 140,
				}})
			}
			steps, paid := 0, false
			for _, o := range c.Plan().Orders {
				for _, s := range o.Steps {
					a, settles := s.Action.(channel.Settle)
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

// A signature that nobody needs for its own sake stays in what is posted, where without it the moves lead elsewhere.
func TestShortestLeadsToTheSame(t *testing.T) {
	b := newBoard(channel.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 3, 100, 100)
	b.game = noting{}
	m := b.match(2<<8, []uint8{0, 1, 2}, toy.Params(1), stake, stake, stake)
	c := m.context()
	for i, signed := range []uint16{0b111, 0b110, 0b010} { // all signed turn 0, seats 1 and 2 turn 1, seat 1 turn 2
		c.Signed = signed
		state, err := b.game.Play(c, m.line[i].state, toy.Pass(1))
		if err != nil {
			t.Fatal(err)
		}
		m.line = append(m.line, position{turn: channel.Turn(i + 1), state: state, mover: 1, move: toy.Pass(1), by: 1})
	}
	support := m.support(0, 3, m.all(0), []mark{{1, 2}, {3, 2}})
	l := b.ledger(2, false, []uint64{80, 80, 80}, m)
	k := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{m.id: {Terms: m.terms, Ledger: l, Support: support}}},
		Wishes:   disputes.Wishes{Demand: map[common.Hash]bool{m.id: true}},
	}
	k.Chain.Happened(1, channel.Opened{ChannelID: b.id, Terms: b.terms})
	orders := k.Plan().Orders
	if len(orders) != 1 {
		t.Fatalf("orders %+v", orders)
	}
	a := orders[0].Steps[0].Action.(channel.Advance)
	judge, err := channel.NewJudge(b.domain, &b.terms, &m.terms, b.game)
	if err != nil {
		t.Fatal(err)
	}
	if end, err := judge.Replay(&a.Support, nil, 50); err != nil || end.Hash != channel.StateHash(m.last().state) {
		t.Errorf("what is posted leads to %x: %v", end.Hash, err)
	}
}
