package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func TestAttack_LateAgreement(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	stakes := tb.view(0, id).Terms.Stakes
	tb.must(0, channel.OfferAgreement{MatchID: id, Turn: 0, Payouts: stakes})
	held := only[message.AgreementSignature](tb.answers(0))[0]
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	late := held
	late.Seat, late.Signature = 1, tb.sign(1, held.Digest(tb.domain))
	if err := tb.says(1, 0, late); err != nil {
		t.Fatal(err)
	}
	if v := tb.view(0, id); v.Agreement != nil {
		t.Fatal("a dead agreement counts")
	}
	full := tb.seats[0].m.Ledger()
	back := protocol.Ledger{ChannelID: tb.id, Version: 3, Balances: tb.terms.Deposits}
	agreement := protocol.SignedAgreement{Agreement: held.Agreement, Signatures: []protocol.Signature{held.Signature, late.Signature}}
	if err := tb.says(1, 0, tb.propose(back, full.Version, nil, []protocol.Booking{{MatchID: id, Payouts: stakes, Agreement: &agreement}})); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(0)); len(r) != 1 || r[0].Code != message.UnknownMatch {
		t.Fatalf("a booking by a dead agreement: %v", r)
	}
}

func TestAgreementEndsMatch(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	stakes := tb.view(0, id).Terms.Stakes
	tb.must(1, channel.OfferAgreement{MatchID: id, Turn: 0, Payouts: stakes})
	tb.deliverAll()
	if got := happened[channel.AgreementOffered](tb.seats[0]); len(got) != 1 || got[0].Seat != 1 {
		t.Fatalf("offers told: %v", got)
	}
	tb.must(0, channel.AcceptAgreement{MatchID: id, Turn: 0, Seat: 1, Payouts: offeredBy(tb.view(0, id), 1)})
	if err := tb.move(0, id, Win); err == nil {
		t.Fatal("a move after the agreement")
	}
	if err := tb.step(0, channel.OfferAgreement{MatchID: id, Turn: 0, Payouts: stakes}); !errors.Is(err, channel.ErrOver) {
		t.Fatalf("another agreement after the agreement: %v", err)
	}
	tb.deliverAll()
	for i, s := range tb.seats {
		if l := s.m.Ledger(); len(l.Locks) != 0 || l.Balances[i].Uint64() != deposit {
			t.Fatalf("seat %d: the draw isn't booked", i)
		}
	}
}

func TestConcede(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.must(1, channel.Concede{MatchID: id, Turn: 0})
	tb.deliverAll()
	for i, s := range tb.seats {
		if l := s.m.Ledger(); len(l.Locks) != 0 || l.Balances[0].Uint64() != deposit+100 {
			t.Fatalf("seat %d: the concession isn't booked: %v", i, balances(l))
		}
	}
}

// brokenAgreement is a channel of three in which two agreed to end their match. Seat 1, on move,
// signed the ledger that books it, so that seat 0 did as well, and went on before the third signed.
func brokenAgreement(t *testing.T) (*table, common.Hash) {
	t.Helper()
	tb, id, _ := halfBooked(t)
	tb.breaks(id)
	return tb, id
}

// halfBooked is that channel before seat 1 went on, and the proposal that books the agreement.
func halfBooked(t *testing.T) (tb *table, id common.Hash, p message.Propose) {
	t.Helper()
	tb = openTable(t, 3)
	id = tb.locked(0, tb.proposal(100, 0, 1))
	for i := range 2 {
		tb.must(i, channel.Idle{})
	}
	tb.deliverAll()
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	v := tb.view(0, id)
	a := tb.signedAgreement(protocol.Agreement{MatchID: id, Turn: 1, Payouts: v.Terms.Stakes}, 0, 1)
	tb.must(0, channel.OfferAgreement{MatchID: id, Turn: 1, Payouts: a.Payouts})
	if err := tb.says(1, 0, message.AgreementSignature{Agreement: a.Agreement, Seat: 1, Signature: a.Signatures[1]}); err != nil {
		t.Fatal(err)
	}
	version := tb.seats[0].m.Ledger().Version + 1
	for version%3 != 1 {
		version++
	}
	p = tb.booking(version, protocol.Booking{MatchID: id, Turn: 1, Payouts: a.Payouts, Agreement: a})
	if err := tb.says(1, 0, p); err != nil {
		t.Fatal(err)
	}
	if signed, _ := tb.seats[0].m.Signed(); signed != version {
		t.Fatal("the agreement isn't being booked")
	}
	return tb, id, p
}

// breaks has seat 1 go on after it agreed to end a match.
func (tb *table) breaks(id common.Hash) {
	tb.t.Helper()
	next := play(tb.t, tb.view(0, id).State, Pass)
	if err := tb.says(1, 0, message.Move{MatchID: id, Turn: 2, Move: []byte{Pass}, State: protocol.StateHash(next), Signature: tb.signPosition(1, id, 2, next)}); err != nil {
		tb.t.Fatal(err)
	}
}

func TestAttack_LateAgreement_Broken(t *testing.T) {
	tb, id := brokenAgreement(t)
	if v := tb.view(0, id); v.Agreement != nil || v.MayMove {
		t.Fatal("a broken agreement still binds, or its booking is forgotten")
	}
	proposed := only[message.Propose](tb.answers(0)) // what takes its place, to both
	last := proposed[len(proposed)-1]
	digest := last.Ledger.Digest(tb.domain)
	for _, seat := range []int{1, 2} {
		if err := tb.says(seat, 0, message.Approve{Version: last.Ledger.Version, Digest: digest, Signature: tb.sign(seat, digest)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(proposed) != 2 || !tb.view(0, id).MayMove {
		t.Fatal("the match doesn't go on after a broken agreement")
	}
}

// The peer breaks an agreement that is being booked, and is gone for good. The booking is dead only
// once the channel is paid out by another ledger: then the match goes on.
func TestAttack_LateAgreement_Gone(t *testing.T) {
	tb, id := brokenAgreement(t)
	l := tb.seats[0].m.Ledger()
	settled := onchain.Settled{ChannelID: tb.id, Version: l.Version}
	for _, e := range []channel.ChainSeen{
		{Event: onchain.Contested{ChannelID: tb.id, Ledger: l, Deadline: 100}},
		{Event: onchain.Contested{ChannelID: tb.id, Ledger: l, Deadline: 100}, Final: true},
		{Event: settled},
	} {
		if v := tb.view(0, id); v.MayMove || !v.Bound {
			t.Fatalf("before %T (final %v): a seat moves on while its peer can still have the match booked", e.Event, e.Final)
		}
		tb.must(0, e)
	}
	told := len(happened[channel.YourTurn](tb.seats[0]))
	tb.must(0, channel.ChainSeen{Event: settled, Final: true})
	if len(happened[channel.YourTurn](tb.seats[0])) == told {
		t.Error("nobody was told that the match goes on")
	}
	tb.restart(0)
	if v := tb.view(0, id); !v.MayMove || v.Bound {
		t.Fatal("the match doesn't go on although the booking is dead")
	}
	tb.mustMove(0, id, Pass)
}

func TestAttack_LateAgreement_Forged(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	steal := []uint256.Int{*uint256.NewInt(0), *uint256.NewInt(200)}
	a := protocol.Agreement{MatchID: id, Payouts: steal}
	forged := protocol.SignedAgreement{Agreement: a, Signatures: []protocol.Signature{tb.sign(1, a.Digest(tb.domain)), tb.sign(1, a.Digest(tb.domain))}}
	l := protocol.Ledger{ChannelID: tb.id, Version: 3, Balances: []uint256.Int{*uint256.NewInt(900), *uint256.NewInt(1100)}}
	if err := tb.says(1, 0, tb.propose(l, 2, nil, []protocol.Booking{{MatchID: id, Payouts: steal, Agreement: &forged}})); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(0)); len(r) != 1 || r[0].Code != message.UnknownMatch {
		t.Fatalf("answered %v", r)
	}
}

// offeredBy returns what a seat of a match would end it with.
func offeredBy(v channel.MatchView, seat uint8) []uint256.Int {
	for i := range v.Offers {
		if v.Offers[i].Seat == seat {
			return v.Offers[i].Payouts
		}
	}
	return nil
}

// A seat replaces its offer by another one while the user answers the first.
func TestAttack_LateAgreement_Replaced(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.must(1, channel.OfferAgreement{MatchID: id, Turn: 0, Payouts: tb.view(1, id).Terms.Stakes})
	tb.deliverAll()
	seen := offeredBy(tb.view(0, id), 1)
	tb.must(1, channel.OfferAgreement{MatchID: id, Turn: 0, Payouts: []uint256.Int{*uint256.NewInt(1), *uint256.NewInt(199)}})
	tb.deliverAll()
	if err := tb.step(0, channel.AcceptAgreement{MatchID: id, Turn: 0, Seat: 1, Payouts: seen}); !errors.Is(err, channel.ErrStale) {
		t.Fatalf("the answer to the first offer signs the second: %v", err)
	}
}

// TestAttack_LateAgreement_Approved: one proposal books an agreement and locks another match, about
// which the user is asked. The proposer plays on meanwhile, which kills the agreement: the proposal
// can't be approved any more.
func TestAttack_LateAgreement_Approved(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.seats[0].cfg.Policy.Approve = nil // from now on the user is asked
	tb.restart(0)
	v := tb.view(0, id)
	tb.must(0, channel.OfferAgreement{MatchID: id, Turn: v.Turn, Payouts: v.Terms.Stakes})
	tb.queue = nil
	draw := tb.signedAgreement(protocol.Agreement{MatchID: id, Turn: v.Turn, Payouts: v.Terms.Stakes}, 0, 1)
	full := tb.seats[0].m.Ledger()
	booked := protocol.Ledger{ChannelID: tb.id, Balances: tb.terms.Deposits}
	l, terms := tb.lockLedger(booked, full.Version+1+full.Version%2, 10)
	p := tb.propose(l, full.Version, []protocol.MatchTerms{terms},
		[]protocol.Booking{{MatchID: id, Turn: v.Turn, Payouts: draw.Payouts, Agreement: draw}})
	tb.must(0, channel.Received{From: 1, Message: p})
	asked := happened[channel.ProposalAsked](tb.seats[0])
	if len(asked) != 1 || asked[0].Version != l.Version {
		t.Fatalf("asked %+v", asked)
	}
	next := play(t, v.State, Pass)
	tb.must(0, channel.Received{From: 1, Message: message.Move{MatchID: id, Turn: v.Turn + 1, Move: []byte{Pass},
		State: protocol.StateHash(next), Signature: tb.signPosition(1, id, v.Turn+1, next)}})
	tb.quiet("approved", 0, channel.ApproveProposal{Version: l.Version}, channel.ErrStale)
	tb.mustMove(0, id, Win)
}

// Three seats agreed, two of them to nothing. One of those had made the last move; the other kept
// its signature of it back. They post another move in its place, and start no clock: once that
// stands, seat 0 is on move, and what all agreed to at this turn still counts.
func TestAttack_ClockBeatsAgreement_Fork(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	base := tb.view(0, id)
	shown, posted := play(t, base.State, Pass, 1), play(t, base.State, Pass, 2)
	if err := tb.says(2, 0, message.Move{MatchID: id, Turn: 3, Move: []byte{Pass, 1}, State: protocol.StateHash(shown), Signature: tb.signPosition(2, id, 3, shown)}); err != nil {
		t.Fatal(err)
	}
	a := protocol.Agreement{MatchID: id, Turn: 3, Payouts: []uint256.Int{*uint256.NewInt(300), {}, {}}}
	for _, seat := range []int{2, 1} {
		if err := tb.says(seat, 0, message.AgreementSignature{Agreement: a, Seat: uint8(seat), Signature: tb.sign(seat, a.Digest(tb.domain))}); err != nil {
			t.Fatal(err)
		}
	}
	support := *base.Support
	support.Moves = append(support.Moves, []byte{Pass, 2})
	support.Signatures = append(support.Signatures, protocol.SeatSignature{At: uint16(len(support.Moves)), Seat: 2, Signature: tb.signPosition(2, id, 3, posted)})
	tb.must(0, channel.ChainSeen{Event: tb.recorded(0, id, &support, 10), Final: true})
	tb.must(0, channel.ClockAt{Now: 10 + tb.terms.Window})
	tb.restart(0)
	if v := tb.view(0, id); protocol.StateHash(v.State) != protocol.StateHash(posted) || v.Agreement == nil || v.MayMove {
		t.Errorf("turn %s, taken %v, agreement %v, may move: %v", v.Turn, protocol.StateHash(v.State) == protocol.StateHash(posted), v.Agreement, v.MayMove)
	}
}

// TestAttack_LateAgreement_Settled: two seats hold a ledger back that books an agreement which one
// of them broke. When the third seat leaves the channel by an older ledger, which locks the match,
// they show it, lest that seat goes on, although it pays nobody.
func TestAttack_LateAgreement_Settled(t *testing.T) {
	for name, settled := range map[string]bool{"while it is contested": false, "once it is settled": true} {
		t.Run(name, func(t *testing.T) {
			tb, id, p := halfBooked(t)
			l := tb.seats[0].m.Ledger()
			shows := func(now bool) {
				if now {
					tb.must(0, channel.Received{From: 2, Message: tb.completed(p)})
				}
			}
			tb.contested(&l)
			tb.breaks(id)
			shows(!settled)
			if v := tb.view(0, id); v.MayMove || !v.Bound {
				t.Fatal("a seat moves on while the others can still have the match booked")
			}
			tb.chain(onchain.Settled{ChannelID: tb.id, Version: l.Version}, 0)
			shows(settled)
			tb.restart(0)
			if v, _ := tb.seats[0].m.Match(id); !v.MayMove {
				t.Fatalf("the match is given up, which the chain goes on with: %+v", v.Locked)
			}
			e := withClock(tb.posted(0, id, 120), 120, tb.terms.Window)
			tb.chain(e, 0)
			tb.mustMove(0, id, Pass)
			tb.chain(onchain.LockPaid{ChannelID: tb.id, MatchID: id, Payouts: l.Locks[0].Stakes}, 0)
			if tb.seats[0].m.Phase() != channel.Ended {
				t.Error("the channel has not ended")
			}
		})
	}
}
