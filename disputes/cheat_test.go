package disputes_test

import (
	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// cheat does an action in mallory's name, which needs no name: what counts is what it carries.
func (c *court) cheat(a channel.Action) {
	c.Helper()
	c.must(common.Address{19: 0xba}, a)
}

// demand returns a seat's Demand for a position of the line.
func (m *match) demand(at int, seat uint8) *channel.Signature {
	s := m.board.sign(int(m.terms.Seats[seat]), channel.Demand{MatchID: m.id, Turn: m.line[at].turn}.Digest(m.domain))
	return &s
}

// advance is a cheat's advance.
func (c *court) advance(m *match, s *channel.Support, demand *channel.Signature) channel.Advance {
	a := channel.Advance{Terms: c.terms, Match: m.terms, Record: c.record(m), Support: *s, Demand: demand}
	if a.Record == nil {
		l := c.ledgerOf(m)
		a.Ledger = &l
	}
	return a
}

func (c *court) ledgerOf(m *match) channel.SignedLedger {
	return *c.honest[0].evidence.Matches[m.id].Ledger
}

func (c *court) record(m *match) *channel.Record {
	r := c.honest[0].watcher.View().Record(m.id)
	if r.Status == channel.MatchUnknown {
		return nil
	}
	return &r
}

// contest is a seat's contest.
func (b *board) contest(l *channel.SignedLedger, seat int) channel.ContestLedger {
	sig := b.sign(seat, channel.Contest{ChannelID: b.id, Version: l.Version}.Digest(b.domain))
	return channel.ContestLedger{Terms: b.terms, Ledger: *l, Seat: uint8(seat), Signature: sig[:]}
}

// first is version 1.
func (c *court) first() *channel.SignedLedger {
	return &channel.SignedLedger{Ledger: channel.FirstLedger(c.id, &c.terms)}
}
