package contracts_test

import (
	"slices"

	"github.com/ante-games/ante/channel"
)

// opening returns the opening that all players signed.
func (tb *table) opening() channel.Open {
	o := channel.Open{Terms: tb.terms}
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
func (tb *table) ledger(version uint64, balances []uint64, locked ...*match) channel.SignedLedger {
	l := channel.Ledger{ChannelID: tb.id, Version: version, Balances: amounts(balances...)}
	for _, m := range locked {
		l.Locks = append(l.Locks, channel.Lock{MatchID: m.id, Stakes: m.terms.Stakes})
	}
	slices.SortFunc(l.Locks, func(a, b channel.Lock) int { return a.MatchID.Cmp(b.MatchID) })
	return tb.signLedger(l)
}

// closing returns a closing ledger that all seats signed.
func (tb *table) closing(version uint64, balances ...uint64) channel.SignedLedger {
	return tb.signLedger(channel.Ledger{ChannelID: tb.id, Version: version, Closing: true, Balances: amounts(balances...)})
}

func (tb *table) signLedger(l channel.Ledger) channel.SignedLedger {
	s := channel.SignedLedger{Ledger: l}
	for _, seat := range tb.seats {
		s.Signatures = append(s.Signatures, seat.signer.sign(l.Digest(tb.domain)))
	}
	tb.newest = &s
	return s
}

// contest returns a seat's contest with a ledger.
func (tb *table) contest(l channel.SignedLedger, seat int) channel.ContestLedger {
	c := channel.Contest{ChannelID: tb.id, Version: l.Version}
	sig := tb.seats[seat].signer.sign(c.Digest(tb.domain))
	return channel.ContestLedger{Terms: tb.terms, Ledger: l, Seat: uint8(seat), Signature: sig[:]}
}
