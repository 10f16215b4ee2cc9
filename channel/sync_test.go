package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/holiman/uint256"
)

// The first seat of a channel can be reached as any other.
func TestConnectedToTheFirst(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(1, channel.Connected{Seat: 0})
	if got := only[message.Sync](tb.answers(1)); len(got) != 1 {
		t.Errorf("seat 0 is told %d times how far we are", len(got))
	}
}

// Nothing is repeated to anybody about a channel that is paid out, although our user still waits
// for it to be closed by consent.
func TestNothingToRepeatAfterTheEnd(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, channel.CloseChannel{})
	tb.queue = nil
	tb.must(0, channel.Tick{})
	if len(tb.answers(0)) == 0 {
		t.Error("nothing is repeated before the end")
	}
	tb.must(0, channel.ChainSeen{Event: onchain.Closed{ChannelID: tb.id, Version: 2}, Final: true})
	tb.quiet("ended", 0, channel.Tick{}, nil)
}

// A seat that has signed the pending proposal, and shows no more than that, gets our signature of
// it, and is asked for its own.
func TestSyncOfAProposal(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	tb.must(0, channel.Received{From: 1, Message: message.Sync{Version: 1, Signed: p.Ledger.Version, SignedDigest: p.Ledger.Digest(tb.domain), SignedBy: 0b10}})
	said := tb.answers(0)
	if got := only[message.SyncReply](said); len(got) != 1 || got[0].Pending == nil {
		t.Errorf("answered %+v", got)
	}
	if got := only[message.Sync](said); len(got) != 1 || !got[0].Reply {
		t.Errorf("asked %+v", got)
	}
}

// What is wrong in one part of an answer is refused, and with it all that came along; what is right
// is taken from every part.
func TestSyncReplies(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(1, tb.proposal(10))
	pending := only[message.Propose](tb.answers(1))[0]
	tb.mustMove(1, id, Keep)
	tb.queue = nil // seat 0 has heard of neither
	reply := message.SyncReply{Pending: &pending, MatchID: id, Support: tb.view(1, id).Support,
		Agreements: []message.AgreementSignature{tb.agreed(id, 2, 1, 50, 150)}}

	forged := reply
	forged.Pending = &message.Propose{Ledger: pending.Ledger, Base: pending.Base, Matches: pending.Matches,
		Signatures: []protocol.Signature{{}, tb.sign(1, tb.id)}}
	tb.heard("a forged proposal", 1, 0, forged, channel.ErrPeer)
	forged = reply
	forged.Agreements = []message.AgreementSignature{tb.agreed(id, 2, 1, 50, 150)}
	forged.Agreements[0].Signature = tb.sign(1, tb.id)
	tb.heard("a forged agreement", 1, 0, forged, channel.ErrPeer)

	forged.Agreements = nil
	forged.Pending = nil
	forged.MatchID = tb.id
	tb.heard("of a match that we have forgotten", 1, 0, forged, nil)
	forged.MatchID = id
	tb.loseSigner(0, 0)
	tb.heard("no signer to countersign with", 1, 0, forged, errNoSigner)

	tb.must(0, channel.Received{From: 1, Message: reply})
	v := tb.view(0, id)
	if tb.seats[0].m.Ledger().Version != pending.Ledger.Version || v.Turn != 2 || len(v.Offers) != 1 {
		t.Errorf("ledger %d, turn %s, %d offers", tb.seats[0].m.Ledger().Version, v.Turn, len(v.Offers))
	}
}

// Every agreement of an answer counts, not the first alone.
func TestSyncOfAgreements(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.must(1, channel.OfferAgreement{MatchID: id, Payouts: numbers(0, 150, 150)})
	for tb.queue[0].to != 2 {
		tb.queue = slices.Delete(tb.queue, 0, 1)
	}
	if err := tb.deliver(0); err != nil {
		t.Fatal(err)
	}
	tb.must(2, channel.AcceptAgreement{MatchID: id, Seat: 1, Payouts: numbers(0, 150, 150)})
	tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Agreements: []message.AgreementSignature{
		tb.agreed(id, 0, 1, 0, 150, 150), tb.agreed(id, 0, 2, 0, 150, 150)}}})
	tb.must(0, channel.AcceptAgreement{MatchID: id, Seat: 1, Payouts: numbers(0, 150, 150)})
	if tb.view(0, id).Agreement == nil {
		t.Error("seat 2's signature is not taken")
	}
}

// Two offers cross, and the answer to one of them is lost: each side holds a signature of each
// seat. At the next tick the other side hears that all agreed, and the match is booked.
func TestAnswerToACrossedOfferIsRepeated(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	for seat, payouts := range [][]uint256.Int{numbers(120, 80), numbers(90, 110)} {
		tb.must(seat, channel.OfferAgreement{MatchID: id, Turn: 1, Payouts: payouts})
	}
	tb.deliverAll()
	tb.must(0, channel.AcceptAgreement{MatchID: id, Turn: 1, Seat: 1, Payouts: numbers(90, 110)})
	tb.queue = nil
	tb.heal()
	for i, s := range tb.seats {
		if l := s.m.Ledger(); len(l.Locks) != 0 {
			t.Errorf("seat %d: the match is not booked", i)
		}
	}
}

// A ledger that an answer shows is adopted whole or not at all: without a signer, turn 0 of what it
// locks can't be signed.
func TestSyncOfALedgerWithoutSigner(t *testing.T) {
	tb, full := unheardLedger(t)
	tb.loseSigner(1, 0)
	tb.heard("a new ledger", 0, 1, message.SyncReply{Ledger: &full}, errNoSigner)
}

// unheardLedger is signed by all; seat 1 proposed it and has not heard that. It locks a match in
// which seat 0 moves first.
func unheardLedger(t *testing.T) (*table, protocol.SignedLedger) {
	t.Helper()
	tb := openTable(t, 2)
	tb.must(1, tb.proposal(100))
	p := only[message.Propose](tb.answers(1))[0]
	full := protocol.SignedLedger{Ledger: p.Ledger, Signatures: []protocol.Signature{tb.sign(0, p.Ledger.Digest(tb.domain)), p.Signatures[1]}}
	return tb, full
}
