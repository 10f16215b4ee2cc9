package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// answerable is a match of so much a seat in which seat 1 runs a clock against seat 0, which can
// answer. Seat 1's own clock ran before for so long.
func answerable(stake, spent uint64) (*board, disputes.Case) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 5*stake)
	m := b.match(2<<8, []uint8{0, 1}, toy.Params(1), stake, stake).play(toy.Pass(0), toy.Pass(1))
	l := b.ledger(2, false, []uint64{4 * stake, 4 * stake}, m)
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Ledger: l, Matches: map[common.Hash]disputes.Match{
			m.id: {Terms: m.terms, Ledger: l, Support: m.support(1, 2, m.all(1))},
		}},
		Policy: disputes.Policy{Margin: 10},
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	p := m.line[1]
	c.Chain.Happened(2, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Support: m.support(0, 1, m.all(0)), Record: protocol.Record{
		Status: protocol.MatchLive, Turn: protocol.MarkOf(p.turn), State: protocol.StateHash(p.state), Mover: p.mover,
		Marks: []protocol.Mark{1, 2}, Spent: []uint64{0, spent}, Since: 40, Clock: 40, Deadline: 140,
	}})
	return b, c
}

// Whoever answers only when its clock runs, and starts the seat's clock with each answer, is asked
// back in the same transaction: else each of its turns would cost the seat two. Who never let a
// clock run is given the user's patience.
func TestAnswersAskBack(t *testing.T) {
	for _, tc := range []struct {
		name     string
		spent    uint64
		wanted   bool
		restored bool
		asks     bool
	}{
		{"answered at once so far", 0, false, false, false},
		{"let a clock run before", 1, false, false, true},
		{"answered at once so far, and the user demands", 0, true, false, true},
		{"the store was restored, so that nothing more is signed", 1, true, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, c := answerable(stake, tc.spent)
			c.Evidence.Restored = tc.restored
			for id := range c.Evidence.Matches {
				c.Wishes.Demand = map[common.Hash]bool{id: tc.wanted}
			}
			asked := false
			orders := c.Plan().Orders
			for _, o := range orders {
				a, err := o.Action(b.domain, b.keys[0])
				if err != nil {
					t.Fatal(err)
				}
				advance, ok := a.(onchain.Advance)
				asked = asked || ok && advance.Demand != nil
			}
			if len(orders) != 1 || asked != tc.asks {
				t.Errorf("%d orders, asked back: %v; want one, %v", len(orders), asked, tc.asks)
			}
		})
	}
}

// TestAttack_FeeSpike_AsksBack: an opponent that let its clock run before is asked back at once.
// When gas is too dear for the whole dispute that this may become, the answer goes without.
func TestAttack_FeeSpike_AsksBack(t *testing.T) {
	for _, x := range []struct{ spent, price, orders uint64 }{{0, 1, 1}, {1, 1, 1}, {1, 2, 1}, {1, 4, 0}} {
		_, c := answerable(100_000, x.spent)
		c.Policy.GasPrice.SetUint64(x.price)
		if plan := c.Plan(); uint64(len(plan.Orders)) != x.orders {
			t.Errorf("%+v: %d orders; alarms %+v", x, len(plan.Orders), plan.Alarms)
		}
	}
}
