package channel_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// posted is what the Arena records when a seat's best support is posted at a time.
func (tb *table) posted(i int, id common.Hash, since uint64) onchain.Recorded {
	tb.t.Helper()
	return tb.recorded(i, id, tb.view(i, id).Support, since)
}

// recorded is what the Arena records when a support is posted at a time, as a seat sees it.
func (tb *table) recorded(i int, id common.Hash, s *protocol.Support, since uint64) onchain.Recorded {
	tb.t.Helper()
	r, err := tb.seats[i].m.Judge(id).Replay(s, tb.view(i, id).Record, since)
	if err != nil {
		tb.t.Fatal(err)
	}
	return onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: s, Record: protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(r.Turn),
		State: r.Hash, Mover: r.Mover, Marks: r.Marks, Spent: make([]uint64, len(r.Marks)), Since: since, Block: since}}
}

// withClock is the same record with the mover's clock running.
func withClock(e onchain.Recorded, now, window uint64) onchain.Recorded {
	e.Record.Clock, e.Record.Deadline, e.Support = now, now+window, nil
	return e
}

// An answer comes off-chain just before the deadline, to land too late: while a clock runs, what
// comes is kept for the chain and not signed.
func TestAttack_LateAnswer(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	record := tb.posted(0, id, 10)
	tb.must(0, channel.ChainSeen{Event: record})
	clock := withClock(record, 10, tb.terms.Window)
	tb.must(0, channel.ChainSeen{Event: clock})
	if !tb.view(0, id).OnChain {
		t.Fatal("a running clock doesn't freeze the match")
	}
	tb.mustMove(1, id, Keep) // seat 1 doesn't know of the clock
	tb.deliverAll()
	v := tb.view(0, id)
	if v.Turn != 2 || v.Mark != protocol.MarkOf(1) {
		t.Fatalf("turn %s, mark %d: want the answer kept and unsigned", v.Turn, v.Mark)
	}
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(1) {
		t.Fatal("signed while the clock runs")
	}
	r, err := tb.seats[0].m.Judge(id).Replay(v.Support, &clock.Record, 20)
	if err != nil || r.Turn != 2 {
		t.Fatalf("the answer can't be posted: turn %s, %v", r.Turn, err)
	}
	if v.Support.Turn != 1 || len(v.Support.Moves) != 1 {
		t.Fatal("the support doesn't start at the recorded position")
	}
	// It is recorded: play goes on off-chain.
	tb.must(0, channel.ChainSeen{Event: tb.posted(0, id, 20)})
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.OnChain || v.Mark != protocol.MarkOf(2) {
		t.Fatalf("frozen %v, mark %d after the answer is recorded", v.OnChain, v.Mark)
	}
}

// The answer that comes while a clock runs ends the match. It isn't booked either, at anybody's
// word, before it is recorded: whoever signs the booking has signed the answer.
func TestAttack_LateAnswer_Booked(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.ChainSeen{Event: withClock(tb.posted(0, id, 10), 10, tb.terms.Window)})
	before, _ := tb.seats[0].m.Signed()
	tb.mustMove(1, id, Win) // seat 1 doesn't know of the clock
	tb.deliverAll()
	if v := tb.view(0, id); v.Turn != 2 || v.Mark != protocol.MarkOf(1) {
		t.Fatalf("turn %s, mark %d: want the answer kept and unsigned", v.Turn, v.Mark)
	}
	if err := tb.step(0, channel.BookMatch{MatchID: id}); !errors.Is(err, channel.ErrWaiting) {
		t.Fatalf("our own booking: %v", err)
	}
	tb.must(1, channel.BookMatch{MatchID: id})
	if proposed, _ := tb.seats[1].m.Signed(); proposed == before {
		t.Fatal("seat 1 proposes nothing")
	}
	tb.deliverAll()
	for range 2 {
		tb.must(0, channel.Tick{})
		tb.deliverAll()
	}
	if after, _ := tb.seats[0].m.Signed(); after != before {
		t.Fatalf("signed ledger %d while the clock runs, %d before", after, before)
	}
}

// With three seats a countersignature that comes while a clock runs would make a turn signable: it
// is kept, and nothing is signed on it.
func TestAttack_LateAnswer_Three(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	silence := func(p packet) bool { return p.to == 2 } // seat 2 hears nothing of the move
	for len(tb.queue) > 0 {
		if tb.queue = slices.DeleteFunc(tb.queue, silence); len(tb.queue) > 0 {
			if err := tb.deliver(0); err != nil {
				t.Fatal(err)
			}
		}
	}
	record := tb.posted(0, id, 10)
	tb.must(2, channel.ChainSeen{Event: withClock(record, 10, tb.terms.Window)})
	state := tb.view(0, id).State
	for seat := range 2 {
		if err := tb.says(0, 2, message.Countersign{MatchID: id, Turn: 1, Seat: uint8(seat), State: protocol.StateHash(state), Signature: tb.signPosition(seat, id, 1, state)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := tb.says(0, 2, message.SyncReply{MatchID: id, Support: tb.view(0, id).Support}); err != nil {
		t.Fatal(err)
	}
	if v := tb.view(2, id); v.Turn != 1 || v.Mark != protocol.MarkOf(0) {
		t.Fatalf("turn %s, mark %d: want turn 1 known and unsigned", v.Turn, v.Mark)
	}
}

// Our own clock runs: the move is signed and kept for the chain, and sent to nobody.
func TestForcedMove(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	clock := withClock(tb.posted(0, id, 10), 10, tb.terms.Window)
	tb.must(1, channel.ChainSeen{Event: clock})
	turns := happened[channel.YourTurn](tb.seats[1])
	if last := turns[len(turns)-1]; !last.OnChain || last.Turn != 1 {
		t.Fatalf("told %+v", turns)
	}
	tb.must(1, channel.MakeMove{MatchID: id, Turn: 1, Move: []byte{Pass}, Secret: commit.Load([]byte("s"))})
	if len(tb.queue) != 0 {
		t.Fatalf("%d messages leave while the clock runs", len(tb.queue))
	}
	v := tb.view(1, id)
	r, err := tb.seats[1].m.Judge(id).Replay(v.Support, &clock.Record, 20)
	if err != nil || r.Turn != 2 || !r.Rank().Above(clock.Record.Rank()) {
		t.Fatalf("the forced move can't be posted: turn %s, rank %v, %v", r.Turn, r.Rank(), err)
	}
	if err := tb.move(1, id, Pass); !errors.Is(err, channel.ErrNotYourTurn) {
		t.Fatalf("a second forced move: %v", err)
	}
}

// The chain expires a mover: nothing is signed on it before it is final; then a new epoch begins,
// in which nothing that was signed before collides.
func TestAttack_ExpiryCollision(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	old := tb.view(1, id)
	// The toy's own expiry ends the match; these rules let the next seat go on instead.
	next := play(t, old.State, Pass, 9)
	expired := onchain.Recorded{ChannelID: tb.id, MatchID: id, State: next, Record: protocol.Record{Status: protocol.MatchLive,
		Turn: protocol.MarkOf(protocol.Turn(1).NextEpoch()), State: protocol.StateHash(next), Mover: 0,
		Marks: []protocol.Mark{1<<32 + 1, 1<<32 + 1}, Since: 200, Block: 200}}
	for i := range 2 {
		tb.must(i, channel.ChainSeen{Event: expired})
		tb.must(i, channel.Idle{})
	}
	if err := tb.move(1, id, Pass); !errors.Is(err, channel.ErrFrozen) {
		t.Fatalf("a move before the expiry is final: %v", err)
	}
	if len(tb.queue) != 0 {
		t.Fatal("something is sent before the expiry is final")
	}
	// A reorganisation takes it back, and it comes again.
	tb.must(1, channel.ChainUndone{Event: expired})
	tb.must(1, channel.ChainUndone{Event: expired})
	if v := tb.view(1, id); v.OnChain || !v.MayMove {
		t.Fatal("the match stays frozen after the expiry is undone")
	}
	tb.must(1, channel.ChainSeen{Event: expired})
	other := expired // an event whose state is not the recorded one tells nothing
	other.State = old.State
	before := tb.seats[0].m.Records()
	twin, err := channel.Restore(tb.seats[0].cfg, before)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := twin.Step(channel.ChainSeen{Event: other, Final: true}); err != nil {
		t.Fatal(err)
	}
	if v, _ := twin.Match(id); v.Turn.Epoch() != 0 {
		t.Fatal("a state is taken that isn't the recorded one")
	}
	for i := range 2 {
		tb.must(i, channel.ChainSeen{Event: expired, Final: true})
		tb.must(i, channel.ChainSeen{Event: expired, Final: true})
	}
	v := tb.view(0, id)
	if v.Turn.Epoch() != 1 || v.Turn.Moves() != 0 || !v.MayMove || len(happened[channel.MatchExpired](tb.seats[0])) != 1 {
		t.Fatalf("after the expiry: turn %s, may move %v", v.Turn, v.MayMove)
	}
	if err := tb.says(1, 0, message.Move{MatchID: id, Turn: 2, Move: []byte{Pass}, State: protocol.StateHash(play(t, old.State, Pass)), Signature: tb.signPosition(1, id, 2, play(t, old.State, Pass))}); err != nil {
		t.Fatal(err)
	}
	if tb.view(0, id).Turn != v.Turn {
		t.Fatal("a move of the old epoch is taken")
	}
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Win)
	tb.deliverAll()
	if l := tb.seats[0].m.Ledger(); len(l.Locks) != 0 || l.Balances[1].Uint64() != deposit+100 {
		t.Fatalf("the match isn't booked in the new epoch: %v", balances(l))
	}
}

// A position that nobody else has seen is posted: the event carries it, and it is learnt, confirmed
// or not.
func TestAttack_HiddenPosition(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Keep)
	tb.mustMove(0, id, Pass)
	tb.queue = nil // seat 1 gets none of it
	record := tb.posted(0, id, 10)
	if record.Support.Last() != 2 {
		t.Fatal("nothing is hidden")
	}
	tb.must(1, channel.ChainSeen{Event: record})
	v := tb.view(1, id)
	if v.Support.Turn != 2 || len(v.Support.Moves) != 0 {
		t.Fatalf("support to post starts at turn %s, with the recorded position at hand", v.Support.Turn)
	}
	tb.must(1, channel.ChainUndone{Event: record})
	v = tb.view(1, id)
	if v.Turn != 2 || !v.MayMove || v.Support.Turn != 0 {
		t.Fatalf("seat 1 is at turn %s, with support from turn %s", v.Turn, v.Support.Turn)
	}
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	if tb.view(0, id).Turn != 3 {
		t.Fatal("play doesn't go on from a position learnt from the chain")
	}
}

// The chain shows a ledger that we don't hold fully signed: it is taken over.
func TestAttack_WithheldLedger(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(100))
	p := only[message.Propose](tb.answers(0))[0]
	full := protocol.SignedLedger{Ledger: p.Ledger, Signatures: []protocol.Signature{p.Signatures[0], tb.sign(1, p.Ledger.Digest(tb.domain))}}
	tb.must(0, channel.ChainSeen{Event: onchain.Contested{ChannelID: tb.id, Ledger: full, Deadline: 300}})
	if v := tb.seats[0].m.Ledger().Version; v != 2 {
		t.Fatalf("newest ledger is %d", v)
	}
	v := tb.view(0, p.Matches[0].ID(tb.domain))
	if !v.Locked || v.Ledger == nil || v.Support == nil {
		t.Fatal("the match of a withheld ledger can't be defended")
	}
}

// In a match of three a record that stood for a window counts as signed by all, though a seat keeps
// silent.
func TestStoodRecord(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	for len(tb.queue) > 0 { // seat 2 is silent from now on
		if tb.queue[0].to == 2 {
			tb.queue = tb.queue[1:]
			continue
		}
		if err := tb.deliver(0); err != nil {
			t.Fatal(err)
		}
	}
	if err := tb.move(1, id, Pass); !errors.Is(err, channel.ErrWaiting) {
		t.Fatalf("a move before all have signed: %v", err)
	}
	record := tb.posted(1, id, 10)
	tb.must(1, channel.ChainSeen{Event: record})
	tb.must(1, channel.ChainSeen{Event: record, Final: true})
	tb.must(1, channel.ClockAt{Now: 10 + tb.terms.Window - 1})
	if err := tb.move(1, id, Pass); !errors.Is(err, channel.ErrWaiting) {
		t.Fatalf("a move before the window is over: %v", err)
	}
	tb.must(1, channel.ClockAt{Now: 10 + tb.terms.Window})
	tb.mustMove(1, id, Pass)
	v := tb.view(1, id)
	if _, err := tb.seats[1].m.Judge(id).Replay(v.Support, &record.Record, 10+tb.terms.Window); err != nil {
		t.Fatal(err)
	}
	if v.Rank.Agreed != protocol.MarkOf(1) {
		t.Fatalf("rank %v", v.Rank)
	}
}

// An unsigned turn 0 is recorded: who may start, signs for the chain; a window later the match
// would be void.
func TestUnsignedStartIsAnswered(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.locked(1, tb.proposal(100))
	if v := tb.view(0, id); v.Mark == 0 {
		t.Fatal("the approver hasn't signed turn 0")
	}
	tb = openTable(t, 2)
	tb.must(0, tb.proposal(100)) // seat 0 moves first: its turn 0 waits for its first move
	tb.deliverAll()
	id = newest(tb.seats[0].m)
	v := tb.view(0, id)
	if v.Mark != 0 {
		t.Fatal("the first mover has signed turn 0")
	}
	unsigned := onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: v.Support, Record: protocol.Record{Status: protocol.MatchUnsigned,
		Turn: 1, State: protocol.StateHash(v.State), Mover: 0, Marks: []protocol.Mark{0, 1}, Clock: 10, Since: 10, Deadline: 110}}
	tb.must(0, channel.ChainSeen{Event: unsigned})
	v = tb.view(0, id)
	r, err := tb.seats[0].m.Judge(id).Replay(v.Support, &unsigned.Record, 20)
	if err != nil || r.Rank().Agreed != 1 {
		t.Fatalf("the answer to an unsigned turn 0: rank %v, %v", r.Rank(), err)
	}
	if len(tb.queue) != 0 {
		t.Fatal("something is sent while the clock runs")
	}
}

// The Arena's final word on a match can be booked, so that the channel lives on.
func TestDecidedMatchIsBooked(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	stakes := tb.view(0, id).Terms.Stakes
	void := onchain.Recorded{ChannelID: tb.id, MatchID: id, Record: protocol.Record{Status: protocol.MatchFinal, Turn: 1, Payouts: stakes}}
	for i := range 2 {
		tb.must(i, channel.ChainSeen{Event: void})
	}
	tb.deliverAll()
	if len(tb.seats[0].m.Ledger().Locks) != 1 {
		t.Fatal("booked before it is final")
	}
	for i := range 2 {
		tb.must(1-i, channel.ChainSeen{Event: void, Final: true})
	}
	tb.deliverAll()
	tb.heal()
	for i := range 2 {
		if l := tb.seats[i].m.Ledger(); len(l.Locks) != 0 || l.Balances[0].Uint64() != deposit {
			t.Fatalf("seat %d: not booked", i)
		}
	}
}

// The life of a channel as the chain tells it, every event twice.
func TestPhases(t *testing.T) {
	tb := newTable(t, 2)
	m := tb.seats[0].m
	twice := func(in channel.Input) {
		t.Helper()
		tb.must(0, in)
		before := tb.seats[0].m.Records()
		n := len(tb.seats[0].events)
		tb.must(0, in)
		if !reflect.DeepEqual(before, tb.seats[0].m.Records()) || len(tb.seats[0].events) != n {
			t.Fatalf("%+v twice is not the same as once", in)
		}
	}
	opened := onchain.Opened{ChannelID: tb.id, Terms: tb.terms}
	if err := tb.step(0, tb.proposal(1)); !errors.Is(err, channel.ErrNotOpen) {
		t.Fatal(err)
	}
	twice(channel.ChainSeen{Event: opened})
	if m.Phase() != channel.Opening {
		t.Fatal("an unconfirmed opening counts")
	}
	twice(channel.ChainUndone{Event: opened})
	twice(channel.ChainSeen{Event: opened})
	twice(channel.ChainSeen{Event: opened, Final: true})
	if m.Phase() != channel.Running {
		t.Fatal("not running")
	}
	contested := onchain.Contested{ChannelID: tb.id, Ledger: m.Ledger(), Deadline: 5}
	twice(channel.ChainSeen{Event: contested})
	if m.Phase() != channel.InContest {
		t.Fatal("not contested")
	}
	twice(channel.ChainUndone{Event: contested})
	if m.Phase() != channel.Running {
		t.Fatal("still contested")
	}
	twice(channel.ChainSeen{Event: contested})
	twice(channel.ChainSeen{Event: contested, Final: true})
	settled := onchain.Settled{ChannelID: tb.id, Version: 1}
	twice(channel.ChainSeen{Event: settled})
	twice(channel.ChainSeen{Event: settled, Final: true})
	if m.Phase() != channel.Ended || len(happened[channel.ChannelEnded](tb.seats[0])) != 1 {
		t.Fatal("not ended")
	}
}
