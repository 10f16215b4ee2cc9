package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// agreed is what a seat of a table of two says when it signs an agreement.
func (tb *table) agreed(id common.Hash, turn protocol.Turn, seat uint8, payouts ...uint64) message.AgreementSignature {
	tb.t.Helper()
	a := protocol.Agreement{MatchID: id, Turn: turn, Payouts: numbers(payouts...)}
	return message.AgreementSignature{Agreement: a, Seat: seat, Signature: tb.sign(int(seat), a.Digest(tb.domain))}
}

func numbers(list ...uint64) (out []uint256.Int) {
	for _, v := range list {
		out = append(out, *uint256.NewInt(v))
	}
	return out
}

// overtakenLock is a match that a ledger signed by all locks and the next one, which does not
// follow from it, does not: seat 1 has kept seat 0's signatures of both. Nothing has happened in
// the match, and a third ledger may lock it again.
func overtakenLock(t *testing.T) (*table, common.Hash) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(100))
	tb.must(0, channel.Received{From: 1, Message: message.Sync{Version: 1, Signed: 3}})
	tb.must(0, channel.Tick{})
	kept := only[message.Propose](tb.answers(0))
	first, second := kept[0], kept[len(kept)-1]
	id := first.Matches[0].ID(tb.domain)
	for _, p := range []message.Propose{first, second} {
		p.Signatures[1] = tb.sign(1, p.Ledger.Digest(tb.domain))
		full := protocol.SignedLedger{Ledger: p.Ledger, Signatures: p.Signatures}
		if err := tb.says(1, 0, message.SyncReply{Ledger: &full, Matches: p.Matches}); err != nil {
			t.Fatal(err)
		}
	}
	if v := tb.view(0, id); v.Locked || v.Turn != 0 || second.Ledger.Lock(id) != nil || len(tb.seats[0].m.Matches()) != 2 {
		t.Fatalf("the second ledger still locks it, or is the first: %+v", v)
	}
	return tb, id
}

// When nothing can be agreed off-chain: whatever our user wants to sign is refused, and what a peer
// signed is passed over, so that the user isn't asked about it. At each of these times the
// agreement would pay each seat its stake.
func TestAgreementsRefused(t *testing.T) {
	playing := func(t *testing.T) (*table, common.Hash) {
		tb := openTable(t, 2)
		return tb, tb.match(0)
	}
	wait := func(tb *table) { tb.queue = nil } // seat 1 answers nothing
	for name, c := range map[string]struct {
		want  error
		table func(t *testing.T) (*table, common.Hash)
	}{
		"no such match": {channel.ErrNoMatch, func(t *testing.T) (*table, common.Hash) {
			return openTable(t, 2), common.Hash{1}
		}},
		"not locked any more": {channel.ErrNoMatch, overtakenLock},
		"over": {channel.ErrOver, func(t *testing.T) (*table, common.Hash) {
			tb, id := playing(t)
			tb.mustMove(0, id, Win)
			wait(tb)
			return tb, id
		}},
		"decided on-chain": {channel.ErrOver, func(t *testing.T) (*table, common.Hash) {
			tb, id := playing(t)
			tb.must(0, channel.ChainSeen{Event: tb.decided(id), Final: true})
			wait(tb)
			return tb, id
		}},
		"agreed": {channel.ErrOver, func(t *testing.T) (*table, common.Hash) {
			tb, id := playing(t)
			tb.must(0, channel.OfferAgreement{MatchID: id, Payouts: numbers(50, 150)})
			tb.must(0, channel.Received{From: 1, Message: tb.agreed(id, 0, 1, 50, 150)})
			wait(tb)
			return tb, id
		}},
	} {
		t.Run(name, func(t *testing.T) {
			tb, id := c.table(t)
			v, known := tb.seats[0].m.Match(id)
			tb.quiet("offered", 0, channel.OfferAgreement{MatchID: id, Turn: v.Turn, Payouts: numbers(100, 100)}, c.want)
			tb.quiet("conceded", 0, channel.Concede{MatchID: id, Turn: v.Turn}, c.want)
			tb.quiet("accepted", 0, channel.AcceptAgreement{MatchID: id, Turn: v.Turn, Seat: 1, Payouts: numbers(100, 100)}, c.want)
			if known {
				tb.heard("of a peer", 1, 0, tb.agreed(id, v.Turn, 1, 100, 100), nil)
			}
		})
	}
}

// An offer is signed as it was seen, at the turn at which it was seen, and not while a clock runs.
func TestOffersRefused(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.must(0, channel.Received{From: 1, Message: tb.agreed(id, 0, 1, 50, 150)})
	all := func(name string, turn protocol.Turn, want error) {
		t.Helper()
		tb.quiet(name, 0, channel.OfferAgreement{MatchID: id, Turn: turn, Payouts: numbers(100, 100)}, want)
		tb.quiet(name, 0, channel.Concede{MatchID: id, Turn: turn}, want)
		tb.quiet(name, 0, channel.AcceptAgreement{MatchID: id, Turn: turn, Seat: 1, Payouts: numbers(50, 150)}, want)
	}
	all("another turn", 1, channel.ErrStale)
	tb.quiet("another offer", 0, channel.AcceptAgreement{MatchID: id, Seat: 1, Payouts: numbers(150, 50)}, channel.ErrStale)
	tb.quiet("nobody's offer", 0, channel.AcceptAgreement{MatchID: id, Seat: 0, Payouts: numbers(50, 150)}, channel.ErrStale)
	tb.quiet("too few payouts", 0, channel.OfferAgreement{MatchID: id, Payouts: numbers(200)}, protocol.ErrTerms)
	tb.quiet("too many payouts", 0, channel.OfferAgreement{MatchID: id, Payouts: numbers(100, 50, 50)}, protocol.ErrTerms)
	tb.must(0, channel.ChainSeen{Event: withClock(tb.posted(0, id, 10), 10, tb.terms.Window)})
	all("a clock runs", 0, channel.ErrFrozen)
	// the whole pot: told, and not signed now
	tb.must(0, channel.Received{From: 1, Message: tb.agreed(id, 0, 1, 200, 0)})
	if got := only[message.AgreementSignature](tb.answers(0)); len(got) != 0 || len(happened[channel.AgreementOffered](tb.seats[0])) != 2 {
		t.Errorf("while a clock runs %d agreements are signed", len(got))
	}
}

// Without a signer nothing is agreed, and nothing unsigned is sent.
func TestAgreementsWithoutSigner(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.must(0, channel.Received{From: 1, Message: tb.agreed(id, 0, 1, 50, 150)})
	tb.loseSigner(0, 0)
	tb.quiet("offer", 0, channel.OfferAgreement{MatchID: id, Payouts: numbers(100, 100)}, errNoSigner)
	tb.quiet("concede", 0, channel.Concede{MatchID: id}, errNoSigner)
	tb.quiet("accept", 0, channel.AcceptAgreement{MatchID: id, Seat: 1, Payouts: numbers(50, 150)}, errNoSigner)
	tb.heard("the whole pot", 1, 0, tb.agreed(id, 0, 1, 200, 0), errNoSigner)
}

// What a peer says of an agreement counts when it is of a seat of the match, shares out its stakes
// and is signed by that seat.
func TestAttack_Garbage_Agreements(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	for name, c := range map[string]func(*message.AgreementSignature){
		"of the seat after the last": func(a *message.AgreementSignature) { a.Seat = 2 },
		"of no seat at all":          func(a *message.AgreementSignature) { a.Seat = 15 },
		"too few payouts":            func(a *message.AgreementSignature) { *a = tb.agreed(id, 0, 1, 200) },
		"too many payouts":           func(a *message.AgreementSignature) { *a = tb.agreed(id, 0, 1, 100, 50, 50) },
		"more than the stakes":       func(a *message.AgreementSignature) { *a = tb.agreed(id, 0, 1, 200, 200) },
		"forged":                     func(a *message.AgreementSignature) { a.Signature = tb.agreed(id, 0, 0, 100, 100).Signature },
		"of another agreement":       func(a *message.AgreementSignature) { a.Signature = tb.agreed(id, 0, 1, 99, 101).Signature },
	} {
		a := tb.agreed(id, 0, 1, 100, 100)
		c(&a)
		tb.heard(name, 1, 0, a, channel.ErrPeer)
	}
	tb.heard("of a past turn", 1, 0, func() message.AgreementSignature {
		tb.mustMove(0, id, Pass)
		return tb.agreed(id, 0, 1, 100, 100)
	}(), nil)
}

// An offer that is said again asks the user nothing again. Once all have signed one, it stands,
// whatever else a seat signs, and even if that takes nothing from us.
func TestAttack_LateAgreement_Another(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	offer := tb.agreed(id, 0, 1, 50, 150)
	tb.must(0, channel.Received{From: 1, Message: offer})
	tb.heard("again", 1, 0, offer, nil)
	tb.must(0, channel.AcceptAgreement{MatchID: id, Seat: 1, Payouts: offer.Payouts})
	tb.heard("once more", 1, 0, offer, nil)
	tb.heard("another", 1, 0, tb.agreed(id, 0, 1, 100, 100), nil)
	tb.heard("all for us", 1, 0, tb.agreed(id, 0, 1, 200, 0), nil)
	if a := tb.view(0, id).Agreement; a == nil || a.Payouts[0].Uint64() != 50 {
		t.Errorf("what all signed is gone: %+v", a)
	}
}

// A user who changes its mind without end signs so many agreements at a turn and no more: each must
// be remembered. Those that it has signed it can sign again, and after a move it is free.
func TestAgreementsOfATurnAreBounded(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	offer := func(turn protocol.Turn, ours uint64) channel.OfferAgreement {
		return channel.OfferAgreement{MatchID: id, Turn: turn, Payouts: numbers(ours, 200-ours)}
	}
	const most = 64
	for i := range uint64(most) {
		tb.must(0, offer(0, i))
	}
	tb.answers(0)
	tb.quiet("one more", 0, offer(0, most), protocol.ErrBusy)
	tb.must(0, offer(0, 1))
	if again := only[message.AgreementSignature](tb.answers(0)); len(again) != 1 || again[0].Payouts[0].Uint64() != 1 {
		t.Errorf("said again: %+v", again)
	}
	tb.mustMove(0, id, Pass)
	tb.must(0, offer(1, most))
}

// What we signed and have forgotten comes back from a peer: it is kept, and our user is not asked
// about it as about an offer.
func TestOwnOfferComesBack(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	for _, ours := range []message.AgreementSignature{tb.agreed(id, 0, 0, 50, 150), tb.agreed(id, 0, 0, 200, 0)} {
		tb.must(0, channel.Received{From: 1, Message: ours})
		if v := tb.view(0, id); len(v.Offers) != 1 || v.Offers[0].Payouts[0] != ours.Payouts[0] || v.Offers[0].Seat != 0 {
			t.Errorf("kept %+v", v.Offers)
		}
	}
	if told, sent := happened[channel.AgreementOffered](tb.seats[0]), tb.answers(0); len(told)+len(sent) != 0 {
		t.Errorf("told %+v, sent %+v", told, sent)
	}
}

// Only who plays in a match agrees on it; one of three seats can't be conceded, for it isn't known
// to whom.
func TestAgreementsOfPlayersOnly(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.locked(0, tb.proposal(100, 0, 1))
	tb.quiet("offer", 2, channel.OfferAgreement{MatchID: id, Payouts: numbers(100, 100)}, channel.ErrNoMatch)
	tb.quiet("concede", 2, channel.Concede{MatchID: id}, channel.ErrNoMatch)
	tb.quiet("accept", 2, channel.AcceptAgreement{MatchID: id, Payouts: numbers(100, 100)}, channel.ErrNoMatch)
	tb.heard("of a player", 0, 2, tb.agreed(id, 0, 0, 100, 100), nil)
	three := openTable(t, 3)
	id = three.match(0)
	for seat := range three.seats {
		three.quiet("three seats", seat, channel.Concede{MatchID: id}, protocol.ErrTerms)
	}
}

// TestAttack_ForgedScore_Draw: in a match without stakes every agreement shares out nothing, and is
// a draw for the score board. Who is losing offers one: it takes the user's word. Nobody concedes
// by one.
func TestAttack_ForgedScore_Draw(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.locked(0, tb.proposal(0))
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.refuses(1, channel.Concede{MatchID: id, Turn: 1}, protocol.ErrTerms)
	tb.must(1, channel.OfferAgreement{MatchID: id, Turn: 1, Payouts: numbers(0, 0)})
	tb.deliverAll()
	if v := tb.view(0, id); v.Agreement != nil {
		t.Fatalf("nobody was asked: %+v", v.Agreement)
	}
	tb.must(0, channel.AcceptAgreement{MatchID: id, Turn: 1, Seat: 1, Payouts: numbers(0, 0)})
	tb.deliverAll()
	if l := tb.seats[0].m.Ledger(); len(l.Locks) != 0 {
		t.Fatalf("what both want isn't booked: %+v", l)
	}
}
