package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// convicted is what the Arena says when a seat of a match of three or more is convicted: the record
// stays what it was.
func (tb *table) convicted(v channel.MatchView, seat int) onchain.Recorded {
	return onchain.Recorded{ChannelID: tb.id, MatchID: v.ID, Record: protocol.Record{Flagged: 1 << seat}, Guilty: 1 << seat}
}

// While a clock runs, a seat has its own second seat convicted. That changes neither the record nor
// its clock, so nothing is signed off-chain.
func TestAttack_LateAnswer_Convicted(t *testing.T) {
	for _, final := range []bool{false, true} {
		tb := openTable(t, 3)
		id := tb.match(0)
		tb.mustMove(0, id, Pass)
		tb.deliverAll()
		clock := withClock(tb.posted(0, id, 10), 10, tb.terms.Window)
		conviction := tb.convicted(tb.view(0, id), 2)
		tb.must(0, channel.ChainSeen{Event: clock, Final: final})
		tb.must(0, channel.ChainSeen{Event: conviction, Final: final})
		if v := tb.view(0, id); !v.OnChain || v.Record.Deadline != clock.Record.Deadline || v.Record.Flagged != 1<<2 {
			t.Fatalf("final %v: a conviction hides the running clock: %+v", final, v.Record)
		}
		answer := tb.posted(0, id, 20) // the clock is answered: the conviction stands
		answer.Record.Turn++
		tb.must(0, channel.ChainSeen{Event: answer, Final: final})
		if v := tb.view(0, id); v.OnChain || v.Record.Flagged != 1<<2 {
			t.Fatalf("final %v: %+v after the answer", final, v.Record)
		}
		if final {
			continue
		}
		tb.must(0, channel.ChainUndone{Event: answer})
		tb.must(0, channel.ChainUndone{Event: conviction})
		if v := tb.view(0, id); !v.OnChain || v.Record.Flagged != 0 {
			t.Fatalf("%+v after the conviction is undone", v.Record)
		}
		tb.must(0, channel.ChainUndone{Event: clock})
		if v := tb.view(0, id); v.OnChain {
			t.Fatal("frozen although nothing is recorded")
		}
	}
}

// A seat that signed two positions at one turn, and so forfeits the match, plays on, wins by the
// rules, and has that booked before it is convicted.
func TestAttack_EarlyTerminal_Booked(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	other := play(t, tb.view(0, id).State, Keep)
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	if err := tb.says(1, 0, message.Move{MatchID: id, Turn: 2, Move: []byte{Keep}, State: protocol.StateHash(other), Signature: tb.signPosition(1, id, 2, other)}); err != nil {
		t.Fatal(err)
	}
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Win)
	for range 3 {
		tb.heal()
	}
	if v := tb.view(0, id); v.Outcome == nil || len(v.Proofs) != 1 || !v.Locked {
		t.Fatalf("over %v, %d proofs, locked %v: want the match left to the Arena", v.Outcome != nil, len(v.Proofs), v.Locked)
	}
	if version, _ := tb.seats[0].m.Signed(); version != tb.seats[0].m.Ledger().Version {
		t.Fatal("signs the booking of a match that it can convict the other seat of")
	}
}

// A conviction in a match of three gives the convicted seat's payout to the others. Only the Arena
// does that: a match that is decided on-chain with a convicted seat is not booked off-chain for
// what the rules alone say.
func TestAttack_EarlyTerminal_Convicted(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	final := tb.posted(0, id, 10)
	final.Support, final.Record.Status, final.Record.Payouts = nil, protocol.MatchFinal, tb.view(0, id).Terms.Stakes
	tb.must(0, channel.ChainSeen{Event: tb.convicted(tb.view(0, id), 2), Final: true})
	tb.must(0, channel.ChainSeen{Event: final, Final: true})
	tb.must(0, channel.Tick{})
	if got := only[message.Propose](tb.answers(0)); len(got) > 0 {
		t.Fatal("books the convicted seat's payout")
	}
}

// Seat 2 signs two positions at one turn, gives seat 0 one of them, and has the other recorded with
// the help of seat 1. Neither ranks above the other, so the recorded one comes to count as signed
// by all, with seat 0 on move: it moves on from there, although it had signed the other one.
func TestAttack_CollusionFork_Stood(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	base := tb.view(0, id)
	shown, hidden := play(t, base.State, Pass, 1), play(t, base.State, Pass, 2)
	if err := tb.says(2, 0, message.Move{MatchID: id, Turn: 3, Move: []byte{Pass, 1}, State: protocol.StateHash(shown), Signature: tb.signPosition(2, id, 3, shown)}); err != nil {
		t.Fatal(err)
	}
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(3) {
		t.Fatalf("seat 0 signed up to mark %d", v.Mark)
	}
	support := *base.Support
	support.Moves = append(support.Moves, []byte{Pass, 2})
	support.Signatures = append(support.Signatures, protocol.SeatSignature{At: uint16(len(support.Moves)), Seat: 2, Signature: tb.signPosition(2, id, 3, hidden)})
	r, err := tb.seats[0].m.Judge(id).Replay(&support, nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	record := onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: &support, Record: protocol.Record{Status: protocol.MatchLive,
		Turn: protocol.MarkOf(r.Turn), State: r.Hash, Mover: r.Mover, Marks: r.Marks, Spent: make([]uint64, 3), Since: 10, Block: 10}}
	clock := withClock(record, 10+tb.terms.Window, tb.terms.Window)
	for _, final := range []bool{false, true} {
		tb.must(0, channel.ChainSeen{Event: record, Final: final})
		tb.must(0, channel.ChainSeen{Event: clock, Final: final})
	}
	tb.restart(0)
	tb.must(0, channel.ClockAt{Now: 9 + tb.terms.Window})
	if v := tb.view(0, id); v.MayMove || protocol.StateHash(v.State) == r.Hash {
		t.Fatal("leaves its own line before the other one counts")
	}
	tb.must(0, channel.ClockAt{Now: 10 + tb.terms.Window})
	v := tb.view(0, id)
	if !v.MayMove || protocol.StateHash(v.State) != r.Hash {
		t.Fatalf("turn %s, may move %v: the recorded position can't be answered", v.Turn, v.MayMove)
	}
	tb.mustMove(0, id, Pass)
	v = tb.view(0, id)
	end, err := tb.seats[0].m.Judge(id).Replay(v.Support, &clock.Record, 20+tb.terms.Window)
	if err != nil || end.Turn != 4 {
		t.Fatalf("turn %s: %v", end.Turn, err)
	}
}
