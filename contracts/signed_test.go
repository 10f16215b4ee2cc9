package contracts_test

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// opening returns the opening that all players signed.
func (tb *table) opening() onchain.Open {
	o := onchain.Open{Terms: tb.terms}
	for _, s := range tb.seats {
		o.Signatures = append(o.Signatures, s.open(tb.id))
	}
	return o
}

// open opens the channel.
func (tb *table) open() *table {
	tb.Helper()
	tb.must(tb.opening())
	return tb
}

// ledger returns a ledger that all seats signed.
func (tb *table) ledger(version uint64, balances []uint64, locked ...*match) protocol.SignedLedger {
	l := protocol.Ledger{ChannelID: tb.id, Version: version, Balances: amounts(balances...)}
	for _, m := range locked {
		l.Locks = append(l.Locks, protocol.Lock{MatchID: m.id, Stakes: m.terms.Stakes})
	}
	slices.SortFunc(l.Locks, func(a, b protocol.Lock) int { return a.MatchID.Cmp(b.MatchID) })
	return tb.signLedger(l)
}

// closing returns a closing ledger that all seats signed.
func (tb *table) closing(version uint64, balances ...uint64) protocol.SignedLedger {
	return tb.signLedger(protocol.Ledger{ChannelID: tb.id, Version: version, Closing: true, Balances: amounts(balances...)})
}

func (tb *table) signLedger(l protocol.Ledger) protocol.SignedLedger {
	s := protocol.SignedLedger{Ledger: l}
	for _, seat := range tb.seats {
		s.Signatures = append(s.Signatures, seat.signer.sign(l.Digest(tb.domain)))
	}
	tb.newest = &s
	return s
}

// contest returns a seat's contest with a ledger.
func (tb *table) contest(l protocol.SignedLedger, seat int) onchain.ContestLedger {
	c := protocol.Contest{ChannelID: tb.id, Version: l.Version}
	sig := tb.seats[seat].signer.sign(c.Digest(tb.domain))
	return onchain.ContestLedger{Terms: tb.terms, Ledger: l, Seat: uint8(seat), Signature: sig[:]}
}
