package disputes_test

import (
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// cheat does an action in mallory's name, which needs no name: what counts is what it carries.
func (c *scene) cheat(a onchain.Action) {
	c.Helper()
	c.must(common.Address{19: 0xba}, a)
}

// demand returns a seat's Demand for a position of the line.
func (m *match) demand(at int, seat uint8) *protocol.Signature {
	s := m.board.sign(int(m.terms.Seats[seat]), protocol.Demand{MatchID: m.id, Turn: m.line[at].turn}.Digest(m.domain))
	return &s
}

// advance is a cheat's advance.
func (c *scene) advance(m *match, s *protocol.Support, demand *protocol.Signature) onchain.Advance {
	a := onchain.Advance{Terms: c.terms, Match: m.terms, Record: c.record(m), Support: *s, Demand: demand}
	if a.Record == nil {
		l := c.ledgerOf(m)
		a.Ledger = &l
	}
	return a
}

func (c *scene) ledgerOf(m *match) protocol.SignedLedger {
	return *c.honest[0].evidence.Matches[m.id].Ledger
}

func (c *scene) record(m *match) *protocol.Record {
	return c.honest[0].watcher.View().Recorded(m.id)
}

// contest is a seat's contest.
func (b *board) contest(l *protocol.SignedLedger, seat int) onchain.ContestLedger {
	sig := b.sign(seat, protocol.Contest{ChannelID: b.id, Version: l.Version}.Digest(b.domain))
	return onchain.ContestLedger{Terms: b.terms, Ledger: *l, Seat: uint8(seat), Signature: sig[:]}
}

// first is version 1.
func (c *scene) first() *protocol.SignedLedger {
	return &protocol.SignedLedger{Ledger: protocol.FirstLedger(c.id, &c.terms)}
}
