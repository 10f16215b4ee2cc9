package disputes_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// postedCase is what seat 0 knows of a channel with one match, which seat 0 has won. Ledgers 2 and
// 3 lock it; 2 is contested.
func postedCase(t *testing.T) (*disputes.Case, *match) {
	t.Helper()
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	m := b.match(2<<8, []uint8{0, 1}, toy.Params(0), 20, 20).play(toy.Win(0))
	old, newest := b.ledger(2, false, []uint64{80, 80}, m), b.ledger(3, false, []uint64{80, 80}, m)
	c := &disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{}, Policy: disputes.Policy{Margin: 10},
		Evidence: disputes.Evidence{Ledger: newest, Matches: map[common.Hash]disputes.Match{
			m.id: {Terms: m.terms, Ledger: old, Support: m.support(1, 1, m.all(1))},
		}},
		Pending: map[string]bool{}, Failed: map[string]bool{},
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	c.Chain.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: *old, Deadline: 150})
	return c, m
}

// TestLedgerIsProvedWhileAContestIsApart: another transaction is about to replace the contested
// ledger, so that a match is posted with all the signatures that prove its lock.
func TestLedgerIsProvedWhileAContestIsApart(t *testing.T) {
	for name, mark := range map[string]func(c *disputes.Case, contest string){
		"on its way":                  func(c *disputes.Case, contest string) { c.Pending[contest] = true },
		"in a transaction of its own": func(c *disputes.Case, contest string) { c.Failed[contest] = true },
	} {
		t.Run(name, func(t *testing.T) {
			c, m := postedCase(t)
			for _, s := range c.Plan().Orders[0].Steps {
				if _, contest := s.Action.(onchain.ContestLedger); contest {
					mark(c, s.Key)
				}
			}
			orders := c.Plan().Orders
			at := slices.IndexFunc(orders, func(o disputes.Order) bool { return o.Steps[0].MatchID == m.id })
			if at < 0 || len(orders[at].Steps) != 1 {
				t.Fatalf("orders %+v", orders)
			}
			if a := orders[at].Steps[0].Action.(onchain.Advance); len(a.Ledger.Signatures) != 2 {
				t.Errorf("the ledger comes with %d signatures", len(a.Ledger.Signatures))
			}
		})
	}
}

// TestLedgerIsProvedWhereAnotherIsContested: of a ledger that isn't worth its contest the lock is
// proved with all signatures, and what is recorded needs no ledger.
func TestLedgerIsProvedWhereAnotherIsContested(t *testing.T) {
	c, m := postedCase(t)
	c.Chain.Happened(3, onchain.Contested{ChannelID: m.terms.ChannelID, Ledger: *m.ledger(2, false, []uint64{150, 50}), Deadline: 150})
	c.Floor.SetUint64(30)
	advance := func() onchain.Advance {
		orders := c.Plan().Orders
		if len(orders) != 1 || len(orders[0].Steps) != 1 {
			t.Fatalf("orders %+v", orders)
		}
		return orders[0].Steps[0].Action.(onchain.Advance)
	}
	if a := advance(); a.Ledger == nil || len(a.Ledger.Signatures) != 2 {
		t.Errorf("the ledger is %+v", a.Ledger)
	}
	c.Chain.Unhappened(3)
	c.Chain.Happened(3, onchain.Contested{ChannelID: m.terms.ChannelID, Ledger: *c.Ledger, Deadline: 150})
	c.Chain.Happened(4, onchain.Recorded{
		ChannelID: m.terms.ChannelID, MatchID: m.id, Support: m.support(0, 0, m.all(0)), Record: protocol.Record{
			Status: protocol.MatchLive, Turn: protocol.MarkOf(0), State: protocol.StateHash(m.line[0].state),
			Marks: []protocol.Mark{1, 1}, Since: 40, Deadline: 140, Clock: 40,
		},
	})
	if a := advance(); a.Ledger != nil {
		t.Errorf("the ledger is %+v though a position is recorded", a.Ledger)
	}
}

// TestALockWithoutTheSeatsStake: in a damaged store a ledger may fit the channel, and lock less
// stakes than the match has seats.
func TestALockWithoutTheSeatsStake(t *testing.T) {
	c, m := postedCase(t)
	c.Chain.Unhappened(2)
	c.Seat, c.Exit = 1, true
	c.Ledger.Locks[0].Stakes = amounts(40)
	if orders := c.Plan().Orders; len(orders) != 1 || orders[0].Steps[0].Stake != amounts(80)[0] {
		t.Errorf("orders %+v of match %s", orders, m.id)
	}
}

// TestARecordWithoutATurnIsNotBelieved: the Arena records turn 0 of a match only with an agreement.
func TestARecordWithoutATurnIsNotBelieved(t *testing.T) {
	for status, believed := range map[protocol.MatchStatus]bool{protocol.MatchLive: false, protocol.MatchOver: false, protocol.MatchAgreed: true} {
		c, m := postedCase(t)
		c.Chain.Happened(3, onchain.Recorded{ChannelID: m.terms.ChannelID, MatchID: m.id, Record: protocol.Record{
			Status: status, Marks: make([]protocol.Mark, 2), Payouts: amounts(20, 20), Since: 40, Deadline: 140,
		}})
		if told := slices.ContainsFunc(c.Plan().Alarms, func(a disputes.Alarm) bool { return a.Kind == "undefended" }); told == believed {
			t.Errorf("status %d: alarms %v", status, c.Plan().Alarms)
		}
	}
}

// TestAConvictionProvesTheLock: of a match that nothing is recorded of it costs more.
func TestAConvictionProvesTheLock(t *testing.T) {
	c, m := postedCase(t)
	c.Seat = 1
	guilty := c.Matches[m.id]
	guilty.Proofs = []protocol.Equivocation{m.doubled(0)}
	c.Matches[m.id] = guilty
	gas := func() uint64 {
		for _, s := range c.Plan().Orders[0].Steps {
			if _, convicts := s.Action.(onchain.Convict); convicts {
				return s.Gas
			}
		}
		t.Fatalf("orders %+v", c.Plan().Orders)
		return 0
	}
	unrecorded := gas()
	c.Chain.Happened(3, onchain.Recorded{ChannelID: m.terms.ChannelID, MatchID: m.id, Record: protocol.Record{
		Status: protocol.MatchLive, Turn: 1, Marks: []protocol.Mark{1, 1}, Since: 40,
	}})
	if recorded := gas(); recorded >= unrecorded {
		t.Errorf("%d gas, %d where something is recorded", unrecorded, recorded)
	}
}

// TestARecordOfOtherSeatsIsNotBelieved: a record has a mark for each seat of its match.
func TestARecordOfOtherSeatsIsNotBelieved(t *testing.T) {
	for _, seats := range []int{1, 2, 3} {
		c, m := postedCase(t)
		c.Chain.Happened(3, onchain.Recorded{ChannelID: m.terms.ChannelID, MatchID: m.id, Record: protocol.Record{
			Status: protocol.MatchLive, Turn: 1, Marks: make([]protocol.Mark, seats), Since: 40, Deadline: 140,
		}})
		if told := slices.ContainsFunc(c.Plan().Alarms, func(a disputes.Alarm) bool { return a.Kind == "undefended" }); told == (seats == 2) {
			t.Errorf("%d marks: alarms %v", seats, c.Plan().Alarms)
		}
	}
}

// TestNothingIsPostedWithoutEvidence: the chain has a position of the match, and the seat's own
// evidence is lost.
func TestNothingIsPostedWithoutEvidence(t *testing.T) {
	c, m := postedCase(t)
	c.Chain.Happened(3, onchain.Recorded{
		ChannelID: m.terms.ChannelID, MatchID: m.id, Support: m.support(0, 0, m.all(0)), Record: protocol.Record{
			Status: protocol.MatchLive, Turn: protocol.MarkOf(0), State: protocol.StateHash(m.line[0].state),
			Marks: slices.Repeat([]protocol.Mark{protocol.MarkOf(0)}, 2), Since: 40,
		},
	})
	lost := c.Matches[m.id]
	lost.Support = nil
	c.Matches[m.id] = lost
	c.Demand = map[common.Hash]bool{m.id: true}
	for _, o := range c.Plan().Orders {
		for _, s := range o.Steps {
			if s.MatchID == m.id {
				t.Errorf("posted: %s", s.Why)
			}
		}
	}
}
