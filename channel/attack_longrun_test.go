package channel_test

import (
	"fmt"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// The other seats post more moves than anybody follows off-chain before a seat has signed any of
// them, at once or bit by bit, and start its clock with the last or later. It takes over the
// recorded position and answers it; or it had the time to sign as far as it follows, which outranks
// the record and leaves the move to the others.
func TestAttack_LongFork_Posted(t *testing.T) {
	for _, seats := range []int{2, 3} {
		for _, run := range []int{1, protocol.MaxRun - 1, protocol.MaxRun, protocol.MaxRun + 1, 3 * protocol.MaxRun} {
			for _, piece := range []int{run + 2, 20} {
				for _, later := range []bool{false, true} {
					t.Run(fmt.Sprintf("%d seats, %d moves, by %d, clock later %v", seats, run, piece, later), func(t *testing.T) {
						longRun(t, seats, run, piece, later)
					})
				}
			}
		}
	}
}

func longRun(t *testing.T, seats, run, piece int, later bool) {
	tb := openTable(t, seats)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	judge := tb.seats[0].m.Judge(id)
	window := tb.terms.Window
	moves := []byte{}
	for range run {
		moves = append(moves, Keep)
	}
	for range seats - 1 {
		moves = append(moves, Pass)
	}
	var record *protocol.Record
	support := *tb.view(0, id).Support
	since := uint64(10)
	for from := 0; from < len(moves); from += piece {
		state, turn := support.Base, support.Turn
		for _, m := range support.Moves {
			state, turn = play(t, state, m...), turn+1
		}
		for _, m := range moves[from:min(len(moves), from+piece)] {
			by, err := judge.Mover(state)
			if err != nil {
				t.Fatal(err)
			}
			state, turn = play(t, state, m), turn+1
			support.Moves = append(support.Moves, []byte{m})
			support.Signatures = append(support.Signatures, protocol.SeatSignature{
				At: uint16(len(support.Moves)), Seat: by, Signature: tb.signPosition(int(by), id, turn, state)})
		}
		r, err := judge.Replay(&support, record, since)
		if err != nil {
			t.Fatal(err)
		}
		posted := support
		e := onchain.Recorded{ChannelID: tb.id, MatchID: id, Support: &posted, Record: protocol.Record{Status: protocol.MatchLive,
			Turn: protocol.MarkOf(r.Turn), State: r.Hash, Mover: r.Mover, Marks: r.Marks, Spent: make([]uint64, seats), Since: since, Block: since}}
		if from+piece >= len(moves) && !later {
			e.Record = running(e.Record, seats, window)
		}
		for _, final := range []bool{false, true} {
			tb.must(0, channel.ChainSeen{Event: e, Final: final})
		}
		if v := tb.view(0, id); seats > 2 && from+piece < len(moves) && v.Mark > protocol.MarkOf(2) {
			t.Fatalf("signed turn %s, which another seat has not come to", v.Mark.Turn())
		}
		record = &e.Record
		support, since = protocol.Support{Turn: turn, Base: state}, since+1
	}
	last := onchain.Recorded{ChannelID: tb.id, MatchID: id, Record: running(*record, seats, window)}
	for _, final := range []bool{false, true} {
		tb.must(0, channel.ChainSeen{Event: last, Final: final})
	}
	tb.restart(0)
	tb.must(0, channel.ClockAt{Now: last.Record.Clock})
	v := tb.view(0, id)
	if s, err := judge.Replay(v.Support, &last.Record, last.Record.Clock); err == nil && later && seats == 2 && s.Mover == 1 && s.Rank().Above(record.Rank()) {
		return
	}
	if !v.MayMove || protocol.StateHash(v.State) != record.State {
		t.Fatalf("turn %s, may move %v: turn %s, whose clock runs, can't be answered", v.Turn, v.MayMove, record.Turn.Turn())
	}
	tb.mustMove(0, id, Pass)
	end, err := judge.Replay(tb.view(0, id).Support, &last.Record, last.Record.Clock+1)
	if err != nil || end.Turn != record.Turn.Turn()+1 || !end.Rank().Above(last.Record.Rank()) {
		t.Fatalf("turn %s: %v", end.Turn, err)
	}
}

// running returns a record whose mover's clock a Demand started at once.
func running(r protocol.Record, seats int, window uint64) protocol.Record {
	r.Clock = r.Since
	if seats > 2 { // not all have signed the position: it stands first
		r.Clock += window
	}
	r.Deadline = r.Clock + window
	return r
}
