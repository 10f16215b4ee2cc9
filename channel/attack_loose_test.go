package channel_test

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/holiman/uint256"
)

func TestAttack_LooseLock(t *testing.T) {
	tb := openTable(t, 2)
	booked := tb.match(0)
	tb.mustMove(0, booked, Pass)
	tb.deliverAll()
	tb.must(0, tb.proposal(10)) // signed, and not answered yet
	late := only[message.Propose](tb.answers(0))[0]
	lateID := late.Matches[0].ID(tb.domain)

	// The match ends, and its booking, with a higher version and without the new lock, overtakes
	// the proposal.
	tb.mustMove(1, booked, Win)
	for _, m := range tb.answers(1) {
		if err := tb.says(1, 0, m); err != nil {
			t.Fatal(err)
		}
	}
	overtaking := only[message.Propose](tb.answers(0))
	if len(overtaking) == 0 || len(overtaking[0].Bookings) != 1 {
		t.Fatal("the booking doesn't overtake the proposal")
	}
	// Now the first proposal is completed.
	digest := late.Ledger.Digest(tb.domain)
	state, err := tb.judge(late.Matches[0]).Start()
	if err != nil {
		t.Fatal(err)
	}
	full := protocol.SignedLedger{Ledger: late.Ledger, Signatures: []protocol.Signature{late.Signatures[0], tb.sign(1, digest)}}
	start := protocol.Support{Base: state, Signatures: []protocol.SeatSignature{{Seat: 1, Signature: tb.signPosition(1, lateID, 0, state)}}}
	if err := tb.says(1, 0, message.SyncReply{Ledger: &full, MatchID: lateID, Support: &start}); err != nil {
		t.Fatal(err)
	}
	if v := tb.seats[0].m.Ledger().Version; v != late.Ledger.Version {
		t.Fatalf("newest ledger is %d, want %d", v, late.Ledger.Version)
	}
	if v := tb.view(0, lateID); v.Mark != 0 || v.MayMove {
		t.Fatal("a match is started whose lock the peer can still undo")
	}
	// What is proposed now locks it and lies above all that was signed; after that it starts.
	again := only[message.Propose](tb.answers(0))
	if len(again) == 0 {
		t.Fatal("no higher ledger is proposed")
	}
	p := again[len(again)-1]
	if p.Ledger.Version <= overtaking[0].Ledger.Version || p.Ledger.Lock(lateID) == nil {
		t.Fatalf("version %d doesn't repeat the lock above version %d", p.Ledger.Version, overtaking[0].Ledger.Version)
	}
	digest = p.Ledger.Digest(tb.domain)
	if err := tb.says(1, 0, message.Approve{Version: p.Ledger.Version, Digest: digest, Signature: tb.sign(1, digest)}); err != nil {
		t.Fatal(err)
	}
	if !tb.view(0, lateID).MayMove {
		t.Fatal("the match doesn't start after its lock is repeated")
	}
}

func TestAttack_LooseLock_Evidence(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	full := tb.seats[0].m.Ledger()
	tb.mustMove(0, id, Win)
	for len(tb.queue) > 0 { // the booking is proposed, and nobody answers it
		if _, booking := tb.queue[0].msg.(message.Propose); booking {
			break
		}
		if err := tb.deliver(0); err != nil {
			t.Fatal(err)
		}
	}
	booking := only[message.Propose](tb.answers(0))[0]
	tb.queue = nil
	// Another seat, which doesn't know of the end, proposes a match with a higher version; it stays
	// incomplete.
	l, terms := tb.lockLedger(full.Ledger, 7, 10)
	other := tb.propose(l, full.Version, []protocol.MatchTerms{terms}, nil)
	if err := tb.says(1, 0, other); err != nil {
		t.Fatal(err)
	}
	if v, _ := tb.seats[0].m.Signed(); v < 7 {
		t.Fatalf("signed %d", v)
	}
	if err := tb.says(1, 0, message.SyncReply{Ledger: tb.signedByAll(booking.Ledger)}); err != nil {
		t.Fatal(err)
	}
	if v := tb.view(0, id); v.Locked || v.Support == nil || v.Outcome == nil {
		t.Fatalf("the booked match is locked %v, its evidence there: %v", v.Locked, v.Support != nil)
	}
	if err := tb.says(1, 0, message.SyncReply{Ledger: tb.signedByAll(l)}); err != nil {
		t.Fatal(err)
	}
	if v := tb.view(0, id); !v.Locked || v.Outcome == nil {
		t.Fatal("the match is back in the ledger without its evidence")
	}
}

func TestAttack_LooseLock_SignedAgain(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(0, tb.proposal(10, 0, 1))
	p := only[message.Propose](tb.answers(0))[0]
	tb.queue = nil
	terms := protocol.MatchTerms{ChannelID: tb.id, Nonce: 4 << 8, Rules: toyAddress, Seats: []uint8{1, 2}, Stakes: p.Matches[0].Stakes}
	l := protocol.Ledger{ChannelID: tb.id, Version: 4, Locks: []protocol.Lock{{MatchID: terms.ID(tb.domain), Stakes: terms.Stakes}}}
	for _, b := range []uint64{deposit, deposit - 10, deposit - 10} {
		l.Balances = append(l.Balances, *uint256.NewInt(b))
	}
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if v, _ := tb.seats[0].m.Signed(); v != 4 {
		t.Fatalf("signed %d, want 4", v)
	}
	tb.queue = nil
	if err := tb.says(1, 0, message.SyncReply{Ledger: tb.signedByAll(p.Ledger)}); err != nil {
		t.Fatal(err)
	}
	again := only[message.Propose](tb.answers(0))
	if len(again) == 0 || again[0].Ledger.Version != 6 || len(again[0].Matches)+len(again[0].Bookings) > 0 || again[0].Ledger.Closing {
		t.Fatalf("proposed %+v", again)
	}
	if again[0].Ledger.Lock(p.Matches[0].ID(tb.domain)) == nil {
		t.Fatal("the lock isn't in it")
	}
}

// Two seats of three complete the ledger that books an agreement, have the third sign one on top of
// it, and then complete one that does not book it. They could still complete the other, once they
// see how the match goes on: nothing is signed in it before a higher ledger locks it.
func TestAttack_LooseLock_BookedBefore(t *testing.T) {
	tb, id, booking := halfBooked(t)
	full := tb.seats[0].m.Ledger()
	unbooked, onTop := full.Ledger, booking.Ledger
	unbooked.Version, onTop.Version = booking.Ledger.Version+1, booking.Ledger.Version+3
	for _, c := range []struct {
		from int
		says message.Message
	}{
		{2, tb.propose(unbooked, full.Version, nil, nil)},
		{1, tb.completed(booking)},
		{1, tb.propose(onTop, booking.Ledger.Version, nil, nil)},
		{1, message.SyncReply{Ledger: tb.signedByAll(unbooked)}},
	} {
		if err := tb.says(c.from, 0, c.says); err != nil {
			t.Fatal(err)
		}
	}
	if v, _ := tb.seats[0].m.Signed(); v != onTop.Version || tb.seats[0].m.Ledger().Version != unbooked.Version {
		t.Fatalf("ledger %d, signed %d", tb.seats[0].m.Ledger().Version, v)
	}
	tb.queue = nil
	tb.breaks(id)
	tb.restart(0)
	if v := tb.view(0, id); !v.Locked || v.MayMove || !v.Bound || v.Mark != protocol.MarkOf(1) {
		t.Fatalf("a match goes on that a signed ledger does not lock: turn %s, mark %d", v.Turn, v.Mark)
	}
	again := only[message.Propose](tb.answers(0))
	if len(again) == 0 {
		t.Fatal("no higher ledger is proposed")
	}
	l := again[len(again)-1].Ledger
	if err := tb.says(1, 0, message.SyncReply{Ledger: tb.signedByAll(l)}); err != nil {
		t.Fatal(err)
	}
	if l.Version <= onTop.Version || !tb.view(0, id).MayMove {
		t.Fatalf("the match doesn't go on once ledger %d locks it", l.Version)
	}
}
