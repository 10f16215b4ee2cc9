package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/holiman/uint256"
)

// TestAttack_FreeLook: all agree to end a match while seat 1 is on move. Nobody else signs the
// ledger that books it before seat 1 has: else seat 1 could go on, see how the match ends, and
// complete the ledger only if it loses. Once seat 1 signed, the others do.
func TestAttack_FreeLook(t *testing.T) {
	for name, c := range map[string]struct {
		seats int
		end   func(tb *table, in channel.OfferAgreement)
	}{
		"a draw of two": {2, func(tb *table, in channel.OfferAgreement) { tb.must(0, in) }},
		"a concession by the seat on move": {2, func(tb *table, in channel.OfferAgreement) {
			tb.must(1, channel.Concede{MatchID: in.MatchID, Turn: in.Turn})
		}},
		"a concession to the seat on move": {2, func(tb *table, in channel.OfferAgreement) {
			tb.must(0, channel.Concede{MatchID: in.MatchID, Turn: in.Turn})
		}},
		"a draw of three": {3, func(tb *table, in channel.OfferAgreement) { tb.must(2, in) }},
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, c.seats)
			id := tb.match(0)
			tb.mustMove(0, id, Pass)
			tb.deliverAll()
			v := tb.view(0, id)
			c.end(tb, channel.OfferAgreement{MatchID: id, Turn: v.Turn, Payouts: v.Terms.Stakes})
			tb.agreeAll(t, protocol.Agreement{MatchID: id, Turn: v.Turn})
			for i := range tb.seats {
				if i == 1 {
					continue
				}
				_ = tb.step(i, channel.BookMatch{MatchID: id})
				tb.must(i, channel.Tick{})
				if p := only[message.Propose](tb.answers(i)); len(p) > 0 {
					t.Fatalf("seat %d signs first: %+v", i, p[0].Bookings)
				}
			}
			tb.must(1, channel.BookMatch{MatchID: id})
			tb.deliverAll()
			tb.heal()
			for i, s := range tb.seats {
				if n := len(s.m.Ledger().Locks); n != 0 {
					t.Errorf("seat %d: %d matches are locked", i, n)
				}
			}
		})
	}
}

// agreeAll has every seat but the one on move, seat 1, hear and accept what is offered. Nothing
// else is delivered to it.
func (tb *table) agreeAll(t *testing.T, at protocol.Agreement) {
	t.Helper()
	for range 2 * len(tb.seats) {
		for i := range tb.queue {
			p := tb.queue[i]
			if _, ok := p.msg.(message.AgreementSignature); ok {
				if err := tb.step(p.to, channel.Received{From: p.from, Message: p.msg}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range tb.seats {
			for _, o := range tb.view(i, at.MatchID).Offers {
				_ = tb.step(i, channel.AcceptAgreement{MatchID: at.MatchID, Turn: at.Turn, Seat: o.Seat, Payouts: o.Payouts})
			}
		}
	}
	for i := range tb.seats {
		if tb.view(i, at.MatchID).Agreement == nil {
			t.Fatalf("seat %d knows of no agreement", i)
		}
	}
	for _, p := range tb.queue {
		if m, ok := p.msg.(message.Propose); ok && p.from != 1 {
			t.Fatalf("seat %d signs first: %+v", p.from, m.Bookings)
		}
	}
	tb.queue = nil
}

// TestAttack_FreeLook_OtherProposer: a seat that is not on move proposes to book an agreement,
// without the signature of the one that is: nobody signs that.
func TestAttack_FreeLook_OtherProposer(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	v := tb.view(0, id)
	for seat := range 3 {
		tb.must(seat, channel.OfferAgreement{MatchID: id, Turn: 1, Payouts: v.Terms.Stakes})
	}
	a := tb.signedAgreement(protocol.Agreement{MatchID: id, Turn: 1, Payouts: v.Terms.Stakes}, 0, 1, 2)
	b := protocol.Booking{MatchID: id, Turn: 1, Payouts: a.Payouts, Agreement: a}
	version := tb.seats[0].m.Ledger().Version + 1
	for version%3 != 2 {
		version++
	}
	p := tb.booking(version, b)
	tb.rejected("without the mover", 2, 0, p, message.UnknownMatch)
	tb.queue = nil
	p = tb.booking(version+3, b)
	p.Signatures[1] = tb.sign(1, p.Ledger.Digest(tb.domain))
	if err := tb.says(2, 0, p); err != nil {
		t.Fatal(err)
	}
	if signed, _ := tb.seats[0].m.Signed(); signed != version+3 {
		t.Errorf("signed %d with the mover's signature, want %d", signed, version+3)
	}
}

// TestAttack_FreeLook_Draw: while the chain is on move, whoever holds an agreement could wait for
// what it draws, and choose. So nothing is agreed then: not even a concession, which the chain's
// move would undo.
func TestAttack_FreeLook_Draw(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Fate)
	tb.deliverAll()
	v := tb.view(0, id)
	for _, in := range []channel.Input{
		channel.OfferAgreement{MatchID: id, Turn: 1, Payouts: v.Terms.Stakes},
		channel.Concede{MatchID: id, Turn: 1},
		channel.AcceptAgreement{MatchID: id, Turn: 1, Seat: 1, Payouts: v.Terms.Stakes},
	} {
		if err := tb.step(0, in); !errors.Is(err, channel.ErrChainMoves) {
			t.Errorf("%T while the chain is on move: %v", in, err)
		}
	}
	for _, payouts := range [][]uint256.Int{v.Terms.Stakes, {*uint256.NewInt(200), {}}} {
		a := protocol.Agreement{MatchID: id, Turn: 1, Payouts: payouts}
		if err := tb.says(1, 0, message.AgreementSignature{Agreement: a, Seat: 1, Signature: tb.sign(1, a.Digest(tb.domain))}); err != nil {
			t.Fatal(err)
		}
		if n := len(tb.view(0, id).Offers) + len(tb.answers(0)); n != 0 {
			t.Errorf("an offer while the chain is on move is kept or answered: %d", n)
		}
	}
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.OfferAgreement{MatchID: id, Turn: 2, Payouts: v.Terms.Stakes})
	tb.deliverAll()
	if n := len(tb.view(1, id).Offers); n != 1 {
		t.Errorf("%d offers after the chain's move", n)
	}
}

// TestAttack_FreeLook_Outcome: seat 1 ends a match of three, and seat 0 signs the ledger that books
// that. Nobody completes it, and the Arena records another move of seat 1 instead, which stands:
// the match goes on. The others could see how, and complete the ledger only if they lose.
func TestAttack_FreeLook_Outcome(t *testing.T) {
	e, v := waitingThree(t)
	if err := e.says(1, 0, message.SyncReply{MatchID: v.ID, Support: e.support(1, v.State, nil, by(Win, 1))}); err != nil {
		t.Fatal(err)
	}
	booked, _ := e.seats[0].m.Signed()
	if full := e.seats[0].m.Ledger(); booked <= full.Version {
		t.Fatal("the end isn't being booked")
	}
	posted := e.recorded(0, v.ID, e.support(1, v.State, []int{0, 1, 2}, by(Pass, 1, 2)), 10)
	for _, final := range []bool{false, true} {
		e.must(0, channel.ChainSeen{Event: posted, Final: final})
	}
	e.answers(0)
	e.must(0, channel.ClockAt{Now: 10 + e.table.terms.Window})
	stands := e.view(0, v.ID)
	if stands.Turn != 2 || stands.Outcome != nil {
		t.Fatalf("the match doesn't go on: turn %s", stands.Turn)
	}
	if err := e.says(2, 0, message.SyncReply{MatchID: v.ID, Support: e.support(2, stands.State, []int{1, 2}, by(Pass, 2))}); err != nil {
		t.Fatal(err)
	}
	e.restart(0)
	if v := e.view(0, v.ID); v.Turn != 3 || v.Mark > protocol.MarkOf(2) || v.MayMove || !v.Bound {
		t.Fatalf("a match goes on that a signed ledger books: turn %s, mark %d", v.Turn, v.Mark)
	}
	again := only[message.Propose](e.answers(0))
	if len(again) == 0 {
		t.Fatal("no higher ledger is proposed")
	}
	l := again[len(again)-1].Ledger
	if err := e.says(1, 0, message.SyncReply{Ledger: e.signedByAll(l)}); err != nil {
		t.Fatal(err)
	}
	e.must(0, channel.Idle{})
	if v := e.view(0, v.ID); l.Version <= booked || v.Bound || v.Mark != protocol.MarkOf(3) {
		t.Fatalf("the match doesn't go on once ledger %d locks it: mark %d", l.Version, v.Mark)
	}
}
