package contracts_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// newMatch sets a table for n seats, opens its channel, and has all seats sign a ledger that locks
// half of everybody's deposit in a match that the first seat begins. Nothing of it is on the chain
// yet.
func newMatch(t *testing.T, n int, params ...uint8) (*table, *match) {
	t.Helper()
	tb := newTable(t, n).open()
	p := toy.Params(0)
	copy(p, params)
	m := tb.match(2<<8, p, slices.Repeat([]uint64{stake / 2}, n)...)
	tb.ledger(2, slices.Repeat([]uint64{stake / 2}, n), m)
	return tb, m
}

// advance returns an advance with what the Arena has recorded, or with the newest ledger if it has
// recorded nothing.
func (m *match) advance(s protocol.Support, demand ...*protocol.Signature) onchain.Advance {
	a := onchain.Advance{Terms: m.tb.terms, Match: m.terms, Record: m.record(), Support: s}
	if a.Record == nil || a.Record.Status == protocol.MatchUnknown {
		a.Ledger = m.tb.newest
	}
	if len(demand) > 0 {
		a.Demand = demand[0]
	}
	return a
}

// record returns what the Arena has recorded of the match, as its events tell it; nil if nothing.
func (m *match) record() *protocol.Record { return m.tb.records[m.id] }

// demands returns a Demand that comes alone.
func (m *match) demands(at int, seat uint8) onchain.DemandMove {
	return onchain.DemandMove{Terms: m.tb.terms, Match: m.terms, Record: *m.record(), Signature: *m.demand(at, seat)}
}

// expire returns the end of the clock that runs at a position of the line.
func (m *match) expire(at int) onchain.Expire {
	return onchain.Expire{Terms: m.tb.terms, Match: m.terms, Record: *m.record(), State: m.at(at).state}
}

// agree returns the posting of an agreement.
func (m *match) agree(a protocol.SignedAgreement) onchain.Agree {
	return onchain.Agree{Terms: m.tb.terms, Match: m.terms, Record: m.record(), Agreement: a}
}

// convict returns the posting of an equivocation.
func (m *match) convict(e protocol.Equivocation) onchain.Convict {
	return onchain.Convict{Terms: m.tb.terms, Match: m.terms, Record: m.record(), Proof: e}
}

// settle returns the settlement of a ledger with the matches whose records are known.
func (tb *table) settle(l protocol.SignedLedger, matches ...*match) onchain.Settle {
	s := onchain.Settle{Terms: tb.terms, Ledger: l.Ledger}
	for _, m := range matches {
		s.Matches = append(s.Matches, onchain.FinalMatch{Terms: m.terms, Record: *m.record()})
	}
	return s
}

// pays contests with the newest ledger, settles it with the match, and checks what each seat's bank
// gained by it.
func (m *match) pays(want ...uint64) {
	tb := m.tb
	tb.Helper()
	tb.must(tb.contest(*tb.newest, 0))
	tb.wait(window)
	before := tb.banks()
	tb.must(tb.settle(*tb.newest, m))
	for i, after := range tb.banks() {
		if got := after - before[i] - tb.newest.Balances[i].Uint64(); got != want[i] {
			tb.Errorf("%s gets %d of the match, want %d", tb.seats[i].name, got, want[i])
		}
	}
	tb.empty(tb.T)
}
