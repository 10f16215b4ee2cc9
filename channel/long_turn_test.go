package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// keepOn has seat 0 move as often as it may, at most so many times, and returns how often it did.
// Nobody hears of it.
func (tb *table) keepOn(id common.Hash, most int) int { return tb.keepOnBy(id, most, 1) }

// keepOnBy is keepOn by moves of so many bytes.
func (tb *table) keepOnBy(id common.Hash, most, size int) int {
	tb.t.Helper()
	for n := range most {
		err := tb.move(0, id, keep(size)...)
		if tb.queue = nil; errors.Is(err, channel.ErrWaiting) {
			return n
		}
		if err != nil {
			tb.t.Fatal(err)
		}
	}
	return most
}

// held returns the bytes of what a seat has durable.
func (tb *table) held(i int) (bytes int) {
	for _, entry := range tb.records(i) {
		bytes += len(entry.Value)
	}
	return bytes
}

func keep(size int) []byte { return append([]byte{Keep}, make([]byte, size-1)...) }

// runs holds, by the bytes of a move, how many such moves in a row a seat makes and hears before
// another signs: each takes 2 bytes more, all of them at most 65,535, and another of 4,096 must
// fit.
var runs = map[int]int{1: 32, 1979: 32, 1980: 31, 2045: 31, 2046: 30, games.MaxMove: 15}

// chain tells seats of an event, as it is seen and as it is final.
func (tb *table) chain(e onchain.Event, seats ...int) {
	tb.t.Helper()
	for _, i := range seats {
		tb.must(i, channel.ChainSeen{Event: e})
		tb.must(i, channel.ChainSeen{Event: e, Final: true})
	}
}

// As long as the peer is there, a seat moves as often in a row as the rules let it: the peer signs
// as it goes.
func TestLongTurn_PeerThere(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	for range 3*protocol.MaxRun + 1 {
		tb.mustMove(0, id, Keep)
		tb.deliverAll()
	}
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	if v := tb.view(0, id); v.Turn != 3*protocol.MaxRun+3 || !v.MayMove || v.Record != nil {
		t.Fatalf("turn %s, may move %v, recorded %v", v.Turn, v.MayMove, v.Record)
	}
	// Behind by as many moves as it follows, the peer still signs, and says so.
	if n := tb.keepOn(id, 2*protocol.MaxRun); n != protocol.MaxRun {
		t.Fatalf("%d moves that the peer has not heard of", n)
	}
	told := len(happened[channel.YourTurn](tb.seats[0]))
	tb.heal()
	if v := tb.view(0, id); !v.MayMove || !v.Agreed || len(happened[channel.YourTurn](tb.seats[0])) != told+1 {
		t.Fatalf("may move %v, agreed %v, told %d times of a turn", v.MayMove, v.Agreed, len(happened[channel.YourTurn](tb.seats[0]))-told)
	}
}

// A peer that is gone signs nothing: the seat goes on from what the Arena has recorded for good, as
// long as the rules let it, and holds evidence that the Arena takes. Back again, the peer follows
// by what the chain says.
func TestAttack_Withhold_LongTurn(t *testing.T) {
	for name, learns := range map[string]bool{"the peer sees the chain": true, "the peer sees it late": false} {
		tb := openTable(t, 2)
		id := tb.match(0)
		tb.mustMove(0, id, Keep)
		tb.deliverAll()
		var said []onchain.Event
		for since := uint64(10); since < 40; since += 10 {
			if n := tb.keepOn(id, 2*protocol.MaxRun); n != protocol.MaxRun {
				t.Fatalf("%s: %d moves from what is recorded", name, n)
			}
			v := tb.view(0, id)
			e := tb.posted(0, id, since)
			if len(e.Support.Moves) != protocol.MaxRun || !v.Support.Full() || since > 10 && e.Record.Marks[1] != protocol.MarkOf(1) {
				t.Fatalf("%s: %d moves to post, marks %v", name, len(e.Support.Moves), e.Record.Marks)
			}
			tb.must(0, channel.ChainSeen{Event: e})
			if tb.view(0, id).MayMove {
				t.Fatalf("%s: it goes on from what may leave the chain", name)
			}
			told := len(happened[channel.YourTurn](tb.seats[0]))
			tb.must(0, channel.ChainSeen{Event: e, Final: true})
			if v = tb.view(0, id); !v.MayMove || v.OnChain || v.Support.Full() || v.Rank.Agreed != protocol.MarkOf(1) {
				t.Fatalf("%s: may move %v, on chain %v, agreed %v", name, v.MayMove, v.OnChain, v.Rank.Agreed)
			}
			if got := happened[channel.YourTurn](tb.seats[0])[told:]; len(got) != 1 || got[0].Turn != v.Turn || got[0].OnChain {
				t.Fatalf("%s: told %v", name, got)
			}
			if said = append(said, e); learns {
				tb.chain(e, 1)
			}
		}
		tb.mustMove(0, id, Keep)
		tb.mustMove(0, id, Pass)
		tb.heal()
		if v := tb.view(1, id); v.MayMove != learns {
			t.Fatalf("%s: turn %s, may move %v", name, v.Turn, v.MayMove)
		}
		if !learns {
			for _, e := range said {
				tb.chain(e, 1)
			}
			tb.heal()
		}
		tb.mustMove(1, id, Pass)
		tb.deliverAll()
		if v := tb.view(0, id); v.Turn != 3*protocol.MaxRun+4 || !v.MayMove || v.Rank.Agreed != protocol.MarkOf(v.Turn)-1 {
			t.Fatalf("%s: turn %s, may move %v, rank %v", name, v.Turn, v.MayMove, v.Rank)
		}
	}
}

// However long its moves are, what a seat makes before a silent peer signs fits into one call, and
// so does what it makes once that is recorded.
func TestAttack_Withhold_LongMoves(t *testing.T) {
	for size, want := range runs {
		tb := openTable(t, 2)
		id := tb.match(0)
		tb.mustMove(0, id, Keep)
		tb.deliverAll()
		for since := uint64(10); since < 30; since += 10 {
			if n := tb.keepOnBy(id, 2*protocol.MaxRun, size); n != want {
				t.Errorf("%d moves of %d bytes, want %d", n, size, want)
			}
			v := tb.view(0, id)
			e := tb.posted(0, id, since)
			if v.Support.Last() != v.Turn || !v.Support.Full() || e.Record.Turn != protocol.MarkOf(v.Turn) {
				t.Fatalf("moves of %d bytes: at turn %s it can post turn %s", size, v.Turn, v.Support.Last())
			}
			tb.chain(e, 0)
		}
	}
}

// As long as it fits into a message, evidence starts at what both signed, also when what follows is
// recorded: a peer that does not hear from the chain follows it.
func TestLongTurn_ShownFromWhatBothSigned(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	tb.keepOn(id, 5)
	tb.chain(tb.posted(0, id, 10), 0)
	tb.keepOn(id, 5)
	tb.heal()
	if v := tb.view(1, id); v.Turn != 11 || !v.Agreed {
		t.Fatalf("turn %s, agreed %v", v.Turn, v.Agreed)
	}
}

// A seat that signs two positions has the other one recorded. What it sent is no base for evidence:
// what both signed still is.
func TestLongTurn_AnotherIsRecorded(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	e, v := tb.evidence(id), tb.view(0, id)
	other := e.support(1, v.State, []int{0, 1}, by(Keep, 1))
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	tb.chain(tb.recorded(0, id, other, 10), 0)
	v = tb.view(0, id)
	if r, err := tb.seats[0].m.Judge(id).Replay(v.Support, v.Record, 20); err != nil || r.Turn != 2 || v.Turn != 2 {
		t.Fatalf("turn %s is held, turn %s can be posted: %v", v.Turn, r.Turn, err)
	}
}

// Evidence of before a long turn was recorded, which is all that the peer signed, takes nothing of
// it back.
func TestLongTurn_OlderEvidence(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	older := *tb.view(0, id).Support
	tb.keepOn(id, protocol.MaxRun)
	tb.chain(tb.posted(0, id, 10), 0)
	tb.keepOn(id, 3)
	tb.unchanged("older evidence", 0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: &older}}, nil)
	if v := tb.view(0, id); v.Turn != protocol.MaxRun+4 || !v.MayMove {
		t.Fatalf("turn %s, may move %v", v.Turn, v.MayMove)
	}
}

// While the seat's own clock runs, it moves on as often as it must, however long the chain takes to
// make what is recorded final; what becomes of it can be read again, and said.
func TestLongTurn_UnderItsClock(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	for since := uint64(10); since < 10+2*protocol.MaxRun; since++ {
		e := tb.posted(0, id, since)
		e.Record.Clock, e.Record.Deadline = since, since+tb.terms.Window
		tb.must(0, channel.ChainSeen{Event: e})
		v := tb.view(0, id)
		if !v.MayMove || !v.OnChain {
			t.Fatalf("turn %s, whose clock runs, can't be answered", v.Turn)
		}
		tb.mustMove(0, id, Keep)
		if s := tb.view(0, id).Support; s.Turn != v.Turn || len(s.Moves) != 1 {
			t.Fatalf("%d moves from turn %s to post", len(s.Moves), s.Turn)
		}
		tb.must(0, channel.Tick{})
		tb.must(0, channel.Received{From: 1, Message: message.Sync{Version: tb.seats[0].m.Ledger().Version}})
	}
}

// A peer that was gone signs a turn from the middle of what is recorded for good, and posts that
// with a Demand: since all signed it, the Arena takes the record back to it. The seat holds all
// that it moved since, and answers with that in as many steps as it takes.
func TestAttack_Rollback_LongTurn(t *testing.T) {
	for size, run := range runs {
		rollback(t, size, run)
	}
}

func rollback(t *testing.T, size, run int) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	tb.keepOn(id, 4)
	middle := tb.view(0, id)
	back := middle.Support
	back.Signatures = append(back.Signatures, protocol.SeatSignature{
		At: uint16(len(back.Moves)), Seat: 1, Signature: tb.signPosition(1, id, middle.Turn, middle.State)})
	for since := uint64(10); since < 30; since += 10 {
		tb.keepOnBy(id, protocol.MaxRun, size)
		tb.chain(tb.posted(0, id, since), 0)
	}
	newest := tb.view(0, id).Turn
	e := tb.recorded(0, id, back, 30)
	e.Record.Clock, e.Record.Deadline = 30, 30+tb.terms.Window
	tb.chain(e, 0)

	s := tb.view(0, id).Support
	r, err := tb.seats[0].m.Judge(id).Replay(s, &e.Record, 31)
	if s.Turn != middle.Turn || err != nil || !r.Rank().Above(e.Record.Rank()) {
		t.Fatalf("moves of %d bytes, from turn %s, recorded is turn %s: %+v, %v", size, s.Turn, middle.Turn, r.Rank(), err)
	}
	for since := uint64(31); s.Last() != newest; since++ {
		if n := len(s.Moves); n < run {
			t.Fatalf("%d moves of %d bytes at once", n, size)
		}
		tb.chain(tb.recorded(0, id, s, since), 0)
		s = tb.view(0, id).Support
	}
}

// A seat whose clock runs answers it by a long turn, which the other one does not sign meanwhile.
// What only that one could still sign is not kept by it once it is no evidence any more: else a
// long turn would fill its store.
func TestAttack_Rollback_KeepsLittle(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	post := func(since uint64) onchain.Recorded {
		e := tb.posted(0, id, since)
		tb.chain(e, 0) // which is not told of the clock, or it would move less at once
		e.Record.Clock, e.Record.Deadline = since, since+tb.terms.Window
		tb.chain(e, 1)
		return e
	}
	post(10)
	kept := 0
	for since := uint64(11); since < 17; since++ {
		tb.keepOnBy(id, protocol.MaxRun, games.MaxMove)
		post(since)
		tb.restart(1)
		kept = max(kept, tb.held(1))
	}
	if kept > 3*protocol.MaxRunBytes {
		t.Errorf("it keeps %d bytes", kept)
	}
	tb.mustMove(0, id, Pass)
	e := post(17)
	tb.mustMove(1, id, Pass)
	end, err := tb.seats[1].m.Judge(id).Replay(tb.view(1, id).Support, &e.Record, 18)
	if err != nil || end.Turn != e.Record.Turn.Turn()+1 || !end.Rank().Above(e.Record.Rank()) {
		t.Fatalf("turn %s: %v", end.Turn, err)
	}
}

// The seat that goes on from what is recorded while its peer is silent keeps all that it moved,
// since the peer may still sign any of it. What a step writes doesn't grow with that: else a long
// turn would outgrow what a store commits at once, and the seat could neither move nor take in what
// the chain says. Once the peer signs, it goes.
func TestAttack_Withhold_WritesLittle(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	most := 0
	step := func(in channel.Input) {
		t.Helper()
		fx, err := tb.seats[0].m.Step(in)
		if err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, entry := range tb.persist(0, fx).Entries {
			bytes += len(entry.Key) + len(entry.Value)
		}
		most = max(most, bytes)
	}
	for since := uint64(10); since < 16; since++ {
		for tb.view(0, id).MayMove {
			step(channel.MakeMove{MatchID: id, Turn: tb.view(0, id).Turn, Move: keep(games.MaxMove)})
		}
		e := tb.posted(0, id, since)
		step(channel.ChainSeen{Event: e})
		step(channel.ChainSeen{Event: e, Final: true})
		tb.restart(0)
	}
	v := tb.view(0, id)
	if held := tb.held(0); v.Turn != 6*15+1 || held < int(v.Turn-1)*games.MaxMove || most > 3*protocol.MaxRunBytes {
		t.Errorf("at turn %s it holds %d bytes, and wrote %d at once", v.Turn, held, most)
	}

	tb.must(0, channel.Received{From: 1, Message: message.Countersign{MatchID: id, Turn: v.Turn, Seat: 1, State: protocol.StateHash(v.State),
		Signature: tb.signPosition(1, id, v.Turn, v.State)}})
	if n := len(tb.records(0)); n != 3 {
		t.Errorf("%d records of a channel and its match", n)
	}
}

// A seat that may not sign, as its store was restored, still hears the other one's long turn out
// from what is recorded.
func TestLongTurn_HeardFromTheRecord(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.deliverAll()
	tb.must(1, channel.StoreRestored{})
	for since := uint64(10); since < 30; since += 10 {
		for range protocol.MaxRun {
			tb.mustMove(0, id, Keep)
			tb.deliverAll()
		}
		tb.chain(tb.posted(0, id, since), 0, 1)
	}
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	if v := tb.view(1, id); v.Turn != 2*protocol.MaxRun+2 || v.Mover != 1 {
		t.Fatalf("turn %s, mover %d", v.Turn, v.Mover)
	}
}

// In a match of three a record proves nothing before it stood for a window: nobody goes on from it.
func TestLongTurn_Three(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	if n := tb.keepOn(id, protocol.MaxRun); n != 1 {
		t.Fatalf("%d moves that nobody signed", n)
	}
	e := tb.posted(0, id, 10)
	tb.chain(e, 0)
	if tb.view(0, id).MayMove {
		t.Fatal("it goes on from what others may outrank")
	}
	tb.must(0, channel.ClockAt{Now: 10 + tb.terms.Window})
	if !tb.view(0, id).MayMove {
		t.Fatal("what stood for a window doesn't count as signed by all")
	}
}
