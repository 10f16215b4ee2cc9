package channel

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// post keeps what a ledger locks whose contest is final: the last such one is what the channel is
// settled by. Version 1, which nobody signed, needs no keeping: every match was locked after it.
func (t *txn) post(l *protocol.SignedLedger) {
	if t.ledgers().checkLedger(l) != nil {
		return
	}
	p := &posted{version: l.Version}
	for i := range l.Locks {
		p.unpaid = append(p.unpaid, l.Locks[i].MatchID)
	}
	t.change().chain.posted = p
}

// unlock releases the matches that the ledger which settled the channel for good does not lock, as
// their stakes are in its balances, and restores those that it does lock. They are kept until the
// channel is let go: a reorganisation may undo even what is final.
func (t *txn) unlock(settled uint64) {
	p := t.state.chain.posted
	for _, m := range slices.Clone(t.matches) {
		locked := m.terms.Nonce>>8 <= settled && !m.released
		if p != nil && p.version == settled {
			locked = slices.Contains(p.unpaid, m.id)
		}
		switch {
		case locked && m.released:
			m.edit().released = false
		case !locked && !m.released:
			e := MatchReleased{MatchID: m.id, Terms: m.terms}
			if m.terms.Nonce>>8 > settled {
				e.Payouts = m.terms.Stakes
			}
			t.event(e)
			m.edit().released = true
		}
	}
}

// paid releases a match whose lock was paid out for good.
func (t *txn) paid(id common.Hash, payouts []uint256.Int) {
	if p := t.state.chain.posted; p != nil {
		t.change().chain.posted = &posted{version: p.version, unpaid: slices.DeleteFunc(slices.Clone(p.unpaid), func(l common.Hash) bool { return l == id })}
	}
	if m := t.find(id); m != nil {
		t.event(MatchReleased{MatchID: id, Terms: m.terms, Payouts: payouts})
		m.edit().released = true
	}
}

// unpaid takes back that a lock was paid out for good.
func (t *txn) unpaid(id common.Hash) {
	if p := t.state.chain.posted; p != nil {
		t.change().chain.posted = &posted{version: p.version, unpaid: append(slices.Clip(p.unpaid), id)}
	}
	if m := t.find(id); m != nil {
		m.edit().released = false
	}
}

// unreleased takes up the matches that are kept when what paid the channel out is undone, though it
// was final: while it is contested, any ledger may be paid out.
func (t *txn) unreleased(final bool) {
	if !final || !t.state.contested() {
		return
	}
	for _, m := range t.matches {
		m.edit().released = false
	}
}

// end tells the user once everything is paid out and final.
func (t *txn) end() {
	if !t.state.chain.ended && t.paidOut() {
		t.change().chain.ended = true
		t.event(ChannelEnded{})
	}
}

// paidOut reports whether everything is paid out and final.
func (t *txn) paidOut() bool {
	c := t.state.chain
	unpaid := c.posted != nil && len(c.posted.unpaid) > 0 || slices.ContainsFunc(t.matches, func(m *match) bool { return !m.released })
	return c.closings.final || c.settlements.final && !unpaid
}
