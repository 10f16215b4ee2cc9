package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// However many matches there are, no transaction is too large for a block or for the chain's nodes
// to pass on, and none is forgotten.
func TestBatchesFitIntoBlocks(t *testing.T) {
	const matches, most, size = 60, 3_000_000, 128*1024 - 512
	steps := 0
	c := overCase(t, matches)
	orders := c.Plan().Orders
	for _, o := range orders {
		steps += len(o.Steps)
		if o.Gas() > most {
			t.Errorf("an order of %d gas", o.Gas())
		}
		action, err := o.Action(c.Domain, protocoltest.Key("anybody"))
		if err != nil {
			t.Fatal(err)
		}
		call, err := codec.New(c.Domain).Encode(action)
		if err != nil || len(call.Data) > size {
			t.Errorf("a transaction of %d bytes: %v", len(call.Data), err)
		}
	}
	if steps != matches+1 || len(orders) < 2 {
		t.Errorf("%d steps in %d orders, want %d steps in several", steps, len(orders), matches+1)
	}
}

// However many matches of however many seats are final, no settlement is too large for the chain's
// nodes to pass on, and every lock is paid.
func TestSettlementsFitIntoTransactions(t *testing.T) {
	const size = 128*1024 - 512
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, games.MaxSeats, 100, protocol.MaxLocks)
	seats, stakes, left := make([]uint8, games.MaxSeats), make([]uint64, games.MaxSeats), make([]uint64, games.MaxSeats)
	for i := range seats {
		seats[i], stakes[i] = uint8(i), 1 //nolint:gosec // below games.MaxSeats
	}
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 500, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Matches: map[common.Hash]disputes.Match{}},
	}
	var all []*match
	for i := range protocol.MaxLocks {
		m := b.match(2<<8|uint64(i), seats, toy.Params(0), stakes...)
		m.terms.Params = append(m.terms.Params, make([]byte, protocol.MaxParams-len(m.terms.Params))...)
		m.id = m.terms.ID(b.domain)
		all = append(all, m)
	}
	c.Ledger = b.ledger(2, false, left, all...)
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	c.Chain.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: *c.Ledger, Deadline: 100})
	for _, m := range all {
		c.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: c.Ledger}
		c.Chain.Happened(3, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Record: protocol.Record{
			Status: protocol.MatchFinal, Mover: games.Nobody, Payouts: amounts(stakes...), Marks: make([]protocol.Mark, games.MaxSeats), Spent: make([]uint64, games.MaxSeats),
		}})
	}
	paid := 0
	for settlements := 0; paid < len(all); settlements++ {
		if settlements == 4 {
			t.Fatalf("%d of %d locks are paid by %d settlements", paid, len(all), settlements)
		}
		orders := c.Plan().Orders
		if len(orders) != 1 {
			t.Fatalf("%d orders, %+v", len(orders), c.Plan().Alarms)
		}
		action, err := orders[0].Action(c.Domain, protocoltest.Key("anybody"))
		if err != nil {
			t.Fatal(err)
		}
		call, err := codec.New(c.Domain).Encode(action)
		if err != nil || len(call.Data) > size {
			t.Errorf("a transaction of %d bytes: %v", len(call.Data), err)
		}
		c.Chain.Happened(4, onchain.Settled{ChannelID: b.id, Version: 2})
		for _, m := range action.(onchain.Settle).Matches {
			c.Chain.Happened(4, onchain.LockPaid{ChannelID: b.id, MatchID: m.Terms.ID(b.domain)})
			paid++
		}
	}
}

// overCase is the case of a seat that wants out of a channel with so many matches that are over.
func overCase(t *testing.T, matches int) *disputes.Case {
	t.Helper()
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, uint64(matches))
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Matches: map[common.Hash]disputes.Match{}},
		Wishes:   disputes.Wishes{Exit: true},
	}
	var all []*match
	for i := range matches {
		m := b.match(2<<8|uint64(i), []uint8{0, 1}, toy.Params(0), 1, 1).play(toy.Win(0))
		all = append(all, m)
	}
	c.Ledger = b.ledger(2, false, []uint64{0, 0}, all...)
	for _, m := range all {
		c.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: c.Ledger, Support: m.support(1, 1, m.all(1))}
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	return &c
}

// Matches that the other seat won, first in the ledger and enough to fill a settlement, don't keep
// this seat from being paid for what it won.
func TestWonBehindLost(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 1_000_000)
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 500, Chain: &disputes.View{}, Seat: 0,
		Evidence: disputes.Evidence{Matches: map[common.Hash]disputes.Match{}},
	}
	var all []*match
	for i := range protocol.MaxLocks {
		m := b.match(2<<8|uint64(i), []uint8{0, 1}, toy.Params(0), 1, 1)
		m.terms.Params = append(m.terms.Params, make([]byte, protocol.MaxParams-len(m.terms.Params))...)
		m.id = m.terms.ID(b.domain)
		all = append(all, m)
	}
	c.Ledger = b.ledger(2, false, []uint64{0, 2_000_000 - 2*protocol.MaxLocks}, all...)
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	c.Chain.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: *c.Ledger, Deadline: 100})
	for _, m := range all {
		c.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: c.Ledger}
		payouts := amounts(0, 2)
		if m.id == c.Ledger.Locks[protocol.MaxLocks-1].MatchID { // the attacker picks parameters until it is
			payouts = amounts(2, 0)
		}
		c.Chain.Happened(3, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Record: protocol.Record{
			Status: protocol.MatchFinal, Mover: games.Nobody, Payouts: payouts, Marks: make([]protocol.Mark, 2), Spent: make([]uint64, 2),
		}})
	}
	if orders := c.Plan().Orders; len(orders) == 0 {
		t.Fatalf("seat 0 has won the last match, and settles nothing: %+v", c.Plan().Alarms)
	}
}

// What the other seat won does not make the settlement of what this seat won too dear.
func TestWonBesideLost(t *testing.T) {
	for _, lost := range []int{0, 10, 40} {
		b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 1_000_000)
		c := disputes.Case{
			Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 500, Chain: &disputes.View{}, Seat: 0,
			Evidence: disputes.Evidence{Matches: map[common.Hash]disputes.Match{}}, Policy: disputes.Policy{GasPrice: *uint256.NewInt(1)},
		}
		const won = 100_000
		var all []*match
		for i := range lost + 1 {
			stakes := []uint64{1, 1}
			if i == 0 {
				stakes = []uint64{won / 2, won / 2}
			}
			all = append(all, b.match(2<<8|uint64(i), []uint8{0, 1}, toy.Params(0), stakes...))
		}
		c.Ledger = b.ledger(2, false, []uint64{0, 2_000_000 - won - 2*uint64(lost)}, all...)
		c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
		c.Chain.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: *c.Ledger, Deadline: 100})
		for i, m := range all {
			c.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: c.Ledger}
			payouts := amounts(0, 2)
			if i == 0 {
				payouts = amounts(won, 0)
			}
			c.Chain.Happened(3, onchain.Recorded{ChannelID: b.id, MatchID: m.id, Record: protocol.Record{
				Status: protocol.MatchFinal, Mover: games.Nobody, Payouts: payouts, Marks: make([]protocol.Mark, 2), Spent: make([]uint64, 2),
			}})
		}
		if plan := c.Plan(); len(plan.Orders) == 0 {
			t.Errorf("beside %d lost matches what is won is not paid: %+v", lost, plan.Alarms)
		}
	}
}
