package channel_test

import (
	"reflect"
	"testing"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// Messages come from other seats, and count once the channel is open.
func TestReceiveRefuses(t *testing.T) {
	tb := newTable(t, 2)
	tb.refuses(0, channel.Received{From: 1, Message: message.Sync{}}, channel.ErrNotOpen)
	tb = openTable(t, 2)
	for _, from := range []int{-1, 0, 2} {
		tb.refuses(0, channel.Received{From: from, Message: message.Sync{Version: 9}}, channel.ErrPeer)
	}
	tb.refuses(0, channel.Received{From: 1, Message: message.ResultSignature{}}, channel.ErrPeer)
}

// What can't be signed isn't done: neither a proposal, nor a move, nor a countersignature, and no
// mark is raised.
func TestUnsignedNothingHappens(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.loseSigner(1, 0)
	turn := tb.view(1, id).Turn
	tb.refuses(1, tb.proposal(10), errNoSigner)
	tb.refuses(1, channel.MakeMove{MatchID: id, Turn: turn, Move: []byte{Pass}}, errNoSigner)
	tb.refuses(1, channel.Idle{}, errNoSigner)
	tb.must(1, channel.Idle{})
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	if v := tb.view(0, id); v.Turn != turn+1 {
		t.Errorf("with the signer back, turn %s", v.Turn)
	}
}

// A seat that doesn't play in a match has no part in it: what is said to it about the match is
// passed over, and what happens around changes nothing.
func TestMatchOfOthers(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(0, tb.proposal(100, 0, 1))
	tb.deliverAll()
	tb.must(0, channel.Idle{})
	tb.deliverAll()
	id := newest(tb.seats[2].m)
	v := tb.view(2, id)
	if v.Seat != -1 || v.Support != nil || v.State != nil || v.MayMove || !v.Locked {
		t.Errorf("the view of a match of others: %+v", v)
	}
	if all := tb.seats[2].m.Matches(); len(all) != 1 || all[0].ID != id {
		t.Errorf("all matches: %+v", all)
	}
	state := tb.view(0, id).State
	sig := tb.signPosition(0, id, 0, state)
	tb.heard("of others", 0, 2, message.Countersign{MatchID: id, Signature: sig}, nil)
	tb.heard("of others", 0, 2, message.Note{MatchID: id, Text: []byte("hello")}, nil)
	tb.refuses(2, channel.SayNote{MatchID: id, Text: []byte("hello")}, channel.ErrNoMatch)
	tb.refuses(2, channel.Idle{}, nil)
	told := len(tb.seats[2].events)
	if tb.must(2, channel.ClockAt{Now: 5, Block: 5}); len(tb.queue) != 0 || len(tb.seats[2].events) != told {
		t.Errorf("as time passes, it says %+v", tb.queue)
	}
}

// Notes are about the newest position of a match that runs: others are not said, nor heard.
func TestNotesRefuse(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	unknown := common.Hash{1}
	tb.refuses(0, channel.SayNote{MatchID: unknown, To: 1}, channel.ErrNoMatch)
	tb.refuses(0, channel.SayNote{MatchID: id, Turn: 1, To: 1}, channel.ErrStale)
	tb.heard("of no match", 1, 0, message.Note{MatchID: unknown, Text: []byte("hello")}, nil)
	tb.heard("of no position", 1, 0, message.Note{MatchID: id, Turn: 1, Text: []byte("hello")}, nil)
	if v := tb.view(0, id); v.Notes != nil {
		t.Errorf("heard %+v", v.Notes)
	}
}

// releasedTable is a table at which seat 0 keeps a match that the newest ledger no longer locks,
// because it has signed a higher one that may be completed and locks it still. Seat 1 has moved
// last, and seat 0 hasn't signed that position.
func releasedTable(t *testing.T) (*table, common.Hash) {
	t.Helper()
	tb := openTable(t, 3)
	full := tb.seats[0].m.Ledger()
	tb.must(0, tb.proposal(100, 0, 1))
	tb.deliverAll()
	tb.must(0, channel.Idle{})
	tb.deliverAll()
	id := newest(tb.seats[0].m)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	locked := tb.seats[0].m.Ledger()
	high, terms := tb.lockLedger(locked.Ledger, 7, 10)
	if err := tb.says(1, 0, tb.propose(high, locked.Version, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	without := full.Ledger
	without.Version = 5
	tb.shows(0, without)
	tb.queue = nil
	if v := tb.view(0, id); v.Locked || v.Turn != 2 || v.Mark != protocol.MarkOf(1) {
		t.Fatalf("locked %v, turn %s, mark %d: want it released, and its newest position not signed", v.Locked, v.Turn, v.Mark)
	}
	return tb, id
}

// In a match that is no longer locked nothing is signed or said any more, though its evidence is
// kept.
func TestReleasedMatchIsSilent(t *testing.T) {
	tb, id := releasedTable(t)
	v := tb.view(0, id)
	if tb.must(0, channel.Idle{}); len(tb.queue) != 0 || tb.view(0, id).Mark != v.Mark {
		t.Errorf("its newest position is signed: %+v", tb.queue)
	}
	tb.refuses(0, channel.SayNote{MatchID: id, Turn: v.Turn, To: 1, Text: []byte("hello")}, channel.ErrNoMatch)
	tb.refuses(0, channel.MakeMove{MatchID: id, Turn: v.Turn, Move: []byte{Pass}}, channel.ErrNoMatch)
	tb.heard("of a match released", 1, 0, message.Note{MatchID: id, Turn: v.Turn, Text: []byte("hello")}, nil)
}

// After its channel is paid out by consent, a match that an old record still runs is not signed in
// any more.
func TestEndedChannelIsSilent(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(1, channel.ChainSeen{Event: onchain.Closed{ChannelID: tb.id, Version: 9}, Final: true})
	if tb.refuses(1, channel.Idle{}, nil); tb.view(1, id).Mark != protocol.MarkOf(0) {
		t.Error("a position is signed after the channel's end")
	}
}

// Idle signs the newest position of every match.
func TestIdleSignsInEveryMatch(t *testing.T) {
	tb := openTable(t, 2)
	ids := []common.Hash{tb.match(0), tb.match(1)}
	for _, id := range ids {
		tb.mustMove(0, id, Pass)
	}
	tb.deliverAll()
	tb.must(1, channel.Idle{})
	tb.deliverAll()
	for _, id := range ids {
		if v := tb.view(0, id); v.Turn != 1 || !v.Agreed {
			t.Errorf("turn %s of match %s is signed by %b", v.Turn, id, v.Signed)
		}
	}
}

// A move of the chain follows at once, as a rule, and acknowledges what was before: until Idle
// nobody of two seats signs the position that it is made from.
func TestChanceIsNotSignedAtOnce(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Fate)
	tb.deliverAll()
	if v := tb.view(0, id); v.Agreed {
		t.Error("it is signed before anybody is idle")
	}
	tb.must(1, channel.Idle{})
	tb.deliverAll()
	if v := tb.view(0, id); !v.Agreed {
		t.Error("it is not signed when nobody makes the move")
	}
}

// Countersignatures that are held, or of a match that the chain has decided, change nothing.
func TestCountersignaturesOfNoUse(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	v := tb.view(1, id)
	held := message.Countersign{MatchID: id, Turn: 1, Seat: 0, State: protocol.StateHash(v.State), Signature: tb.signPosition(0, id, 1, v.State)}
	tb.heard("held", 0, 1, held, nil)
	forged := held
	forged.Signature = tb.signPosition(0, id, 2, v.State)
	tb.heard("forged", 0, 1, forged, nil)

	ours := message.Countersign{MatchID: id, Turn: 1, Seat: 1, State: protocol.StateHash(v.State), Signature: tb.signPosition(1, id, 1, v.State)}
	tb.must(0, channel.ChainSeen{Event: tb.decided(id), Final: true})
	tb.queue = nil
	tb.heard("decided", 1, 0, ours, nil)
	later := ours
	later.Turn = 9
	tb.heard("decided", 1, 0, later, nil)
	if v := tb.view(0, id); v.Signed != 1 {
		t.Errorf("signed by %b", v.Signed)
	}
}

// The position at the high-water mark is signed again if its signature got lost, with the same
// signature. Another one of that turn, or an older one, never is: not even where the records say
// that it is the newest.
func TestSignedAgainOrNever(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(1, channel.Idle{})
	tb.deliverAll()
	v := tb.view(1, id)
	whole := tb.records(1)
	for name, x := range map[string]struct {
		spoil func(*antev1.MatchRecord)
		again bool
	}{
		"the same":      {func(*antev1.MatchRecord) {}, true},
		"another state": {func(r *antev1.MatchRecord) { r.MarkState = make([]byte, 32) }, false},
		"a higher mark": {func(r *antev1.MatchRecord) { r.Mark++ }, false},
	} {
		tb.reload(1, change(t, whole, "match/"+common.Bytes2Hex(id[:]), &antev1.MatchRecord{}, func(r *antev1.MatchRecord) {
			r.Links[len(r.Links)-1].Signatures[1] = nil
			x.spoil(r)
		}))
		tb.must(1, channel.Idle{})
		signed := only[message.Countersign](tb.answers(1))
		want := []message.Countersign(nil)
		if x.again {
			want = []message.Countersign{{MatchID: id, Turn: 1, Seat: 1, State: protocol.StateHash(v.State), Signature: tb.signPosition(1, id, 1, v.State)}}
		}
		if !reflect.DeepEqual(signed, want) {
			t.Errorf("%s: signed %+v, want %+v", name, signed, want)
		}
	}
}
