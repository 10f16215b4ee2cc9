package contracts_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// A channel opens when each player signed, once: what one leaves out nobody pays for.
func TestOpeningIsSignedByAll(t *testing.T) {
	for name, change := range map[string]func(tb *table, s [][]byte) [][]byte{
		"none":             func(_ *table, s [][]byte) [][]byte { return nil },
		"but the last":     func(_ *table, s [][]byte) [][]byte { return s[:2] },
		"one more":         func(tb *table, s [][]byte) [][]byte { return append(s, newSeat("dave").open(tb.id)) },
		"an empty one":     func(_ *table, s [][]byte) [][]byte { return [][]byte{s[0], nil, s[2]} },
		"another's":        func(_ *table, s [][]byte) [][]byte { return [][]byte{s[0], s[0], s[2]} },
		"the sender's too": func(_ *table, s [][]byte) [][]byte { return [][]byte{nil, nil, s[2]} },
		"a bad one of the sender's": func(tb *table, s [][]byte) [][]byte {
			return [][]byte{tb.seats[1].open(tb.id), s[1], s[2]}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, 3)
			o := tb.opening()
			o.Signatures = change(tb, o.Signatures)
			tb.by(tb.seats[0].player.address, func() { tb.refused(codec.ErrBadSignature, o) })
		})
	}
	tb := newTable(t, 3)
	o := tb.opening()
	o.Signatures[0] = nil // who sends need not sign
	tb.refused(codec.ErrBadSignature, o)
	tb.by(tb.seats[0].player.address, func() { tb.must(o) })
}

// The first ledger is the deposits and nothing else, and nobody signs it.
func TestAttack_UnsignedLock(t *testing.T) {
	for name, change := range map[string]func(tb *table, l *protocol.SignedLedger){
		"signed":         func(tb *table, l *protocol.SignedLedger) { *l = tb.signLedger(l.Ledger) },
		"closing":        func(_ *table, l *protocol.SignedLedger) { l.Closing = true },
		"other balances": func(_ *table, l *protocol.SignedLedger) { l.Balances = amounts(stake-1, stake+1) },
		"a lock": func(tb *table, l *protocol.SignedLedger) {
			l.Balances = amounts(stake-1, stake)
			l.Locks = []protocol.Lock{{MatchID: common.Hash{1}, Stakes: amounts(1, 0)}}
		},
		"a lock of nothing": func(_ *table, l *protocol.SignedLedger) {
			l.Locks = []protocol.Lock{{MatchID: common.Hash{1}, Stakes: amounts(0, 0)}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, 2).open()
			l := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}
			change(tb, &l)
			tb.refused(codec.ErrBadLedger, tb.contest(l, 0))
		})
	}
}

// A support is read to its last byte, its signatures in order, and no epoch is left by moves.
func TestSupportIsExact(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	tb.must(m.advance(m.support(0, 0, m.everyone(0))))
	a := tb.strings(m.advance(m.support(0, 1)), "advance")
	for _, more := range []int{1, 67, 68, 69} {
		long := slices.Concat(a[1], make([]byte, more))
		if err := tb.raw("advance", cut{bytes: a[0]}, cut{bytes: long}, cut{}); !errors.Is(err, codec.ErrBadSupport) {
			t.Errorf("%d bytes more: %v", more, err)
		}
	}
	s := m.support(0, 1, []signed{{1, 1}})
	slices.Reverse(s.Signatures) // of one position, in whatever order
	early := m.support(0, 1, m.everyone(0))
	slices.Reverse(early.Signatures) // the base's come after the move's
	tb.refused(codec.ErrBadSupport, m.advance(early))
	tb.must(m.advance(s))

	tb, m = newMatch(t, 2)
	m.line[0].turn = 1<<32 - 2
	m.play(toy.Pass(0), toy.Pass(1))
	tb.refused(codec.ErrBadSupport, m.advance(m.support(0, 2, m.everyone(0))))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
}

// Signatures come as many as are wanted, each whole, and by a seat that there is.
func TestSignaturesAreExact(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	a := m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0))
	call := tb.strings(a, "advanceNew")
	for name, tc := range map[string]struct {
		argument int
		want     error
	}{"ledger": {2, codec.ErrBadSignature}, "demand": {5, codec.ErrBadDemand}} {
		var list []cut
		for i, b := range call {
			if i == tc.argument {
				b = append(slices.Clone(b), 0)
			}
			list = append(list, cut{bytes: b})
		}
		if err := tb.raw("advanceNew", list...); !errors.Is(err, tc.want) {
			t.Errorf("a byte behind the signatures, %s: %v", name, err)
		}
	}
	strange := a
	strange.Support.Signatures = slices.Clone(a.Support.Signatures)
	strange.Support.Signatures[len(strange.Support.Signatures)-1].Seat = 2
	tb.refused(codec.ErrBadSupport, strange)
	tb.must(a)
}

// A signature from which no key can be recovered is nobody's, and not that of whoever signed before
// it.
func TestConvictNeedsTwoSignatures(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	e := m.fork(1).play(toy.Pass(0, 1)).equivocation(m.fork(1).play(toy.Pass(0, 2)), 1)
	e.Signatures[1] = protocol.Signature{63: 1, 64: 27} // r is 0
	tb.refused(codec.ErrBadSignature, m.convict(e))
}

// The seats of a match are the channel's, each once, ascending.
func TestMatchSeatsAscend(t *testing.T) {
	tb, m := newMatch(t, 3)
	for _, seats := range [][]uint8{{1, 0, 2}, {0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {0, 1, 3}, {0, 1, 255}} {
		other := *m
		other.terms.Seats = seats
		other.id = other.terms.ID(tb.domain)
		tb.ledger(3, slices.Repeat([]uint64{stake / 2}, 3), &other)
		tb.refused(codec.ErrBadTerms, other.advance(m.support(0, 0, m.everyone(0))))
	}
}
