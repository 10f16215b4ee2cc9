package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// evidence builds supports of a running match.
func (tb *table) evidence(id common.Hash) *evidence {
	tb.t.Helper()
	return tb.evidenceOf(tb.view(0, id).Terms)
}

// illegal adds a move that the rules refuse, with a seat's signature of something.
func illegal(s *protocol.Support, seat uint8) *protocol.Support {
	s.Moves = append(s.Moves, []byte{99})
	s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(len(s.Moves)), Seat: seat, Signature: protocol.Signature{64: 27}})
	return s
}

// run is so many moves of seat 1's in a row.
func run(moves int) (out []signedMove) {
	for range moves {
		out = append(out, by(Keep, 1))
	}
	return out
}

// waiting is a match of two in which seat 0 has moved once, and waits for seat 1: seat 1 has signed
// that, or not.
func waiting(t *testing.T, signed bool) (*evidence, channel.MatchView) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	if signed {
		tb.must(1, channel.Idle{})
		tb.deliverAll()
	}
	return tb.evidence(id), tb.view(0, id)
}

// waitingThree is a match of three in which seat 0 has moved once, which all have signed.
func waitingThree(t *testing.T) (*evidence, channel.MatchView) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.heal()
	return tb.evidence(id), tb.view(0, id)
}

// Evidence on what we hold is taken as far as it holds, and what adds nothing is passed over:
// nothing is kept of it, and nobody is told.
func TestSupportOnOurLine(t *testing.T) {
	for name, c := range map[string]struct {
		signed bool // seat 1 has signed the position that seat 0 moved to
		show   func(e *evidence, v channel.MatchView) *protocol.Support
		turn   protocol.Turn // where it leads
		ours   bool          // what is not this seat's to sign carries its signature
	}{
		"a move": {false, func(e *evidence, v channel.MatchView) *protocol.Support {
			return e.support(1, v.State, nil, by(Keep, 1))
		}, 2, false},
		"by a seat that is none": {false, func(e *evidence, v channel.MatchView) *protocol.Support {
			s := e.support(1, v.State, nil)
			s.Signatures = append(s.Signatures, protocol.SeatSignature{Seat: 2})
			return s
		}, 1, false},
		"after a forged word": {false, func(e *evidence, v channel.MatchView) *protocol.Support {
			s := e.support(1, v.State, []int{0}, by(Keep, 1))
			s.Signatures[0].Seat = 1
			return s
		}, 1, false},
		"after a forged word in the place of a known one": {true, func(e *evidence, v channel.MatchView) *protocol.Support {
			s := e.support(1, v.State, []int{0}, by(Keep, 1))
			s.Signatures[0].Seat = 1
			return s
		}, 2, false},
		"a move that nobody signed": {false, func(e *evidence, v channel.MatchView) *protocol.Support {
			return e.support(1, v.State, nil, by(Keep))
		}, 1, false},
		"a move that this seat signed": {false, func(e *evidence, v channel.MatchView) *protocol.Support {
			return e.support(1, v.State, nil, by(Keep, 0))
		}, 1, true},
		"an illegal move": {false, func(e *evidence, v channel.MatchView) *protocol.Support {
			return illegal(e.support(1, v.State, nil), 0)
		}, 1, false},
		"as many moves as we follow": {true, func(e *evidence, v channel.MatchView) *protocol.Support {
			return e.support(1, v.State, nil, run(protocol.MaxRun)...)
		}, 1 + protocol.MaxRun, false},
		"more than that": {true, func(e *evidence, v channel.MatchView) *protocol.Support {
			return e.support(1, v.State, nil, run(protocol.MaxRun+1)...)
		}, 1 + protocol.MaxRun, false},
	} {
		e, v := waiting(t, c.signed)
		in := channel.Received{From: 1, Message: message.SyncReply{MatchID: v.ID, Support: c.show(e, v)}}
		if c.ours {
			e.must(0, in)
			if !e.seats[0].m.Restored() || e.view(0, v.ID).Turn != c.turn {
				t.Errorf("%s: taken", name)
			}
		} else if c.turn == v.Turn {
			e.quiet(name, 0, in, nil)
		} else if e.must(0, in); e.view(0, v.ID).Turn != c.turn {
			t.Errorf("%s: turn %s, want %s", name, e.view(0, v.ID).Turn, c.turn)
		}
		if fx, err := e.seats[0].m.Step(in); err != nil || len(fx.Entries) != 0 {
			t.Errorf("%s, again: keeps %v, %v", name, fx.Entries, err)
		}
	}
}

// The first move is taken also from evidence that doesn't repeat what all have signed before it.
func TestSupportOfTheFirstMove(t *testing.T) {
	tb := openTable(t, 2)
	e := tb.evidence(tb.match(0))
	tb.must(1, channel.Received{From: 0, Message: message.SyncReply{MatchID: e.judge.MatchID(), Support: e.support(0, e.start, nil, by(Pass, 0))}})
	if v := tb.view(1, e.judge.MatchID()); v.Turn != 1 || !v.MayMove {
		t.Errorf("turn %s, may move %v", v.Turn, v.MayMove)
	}
}

// A word for a position of ours counts, though the move that is said to lead there is illegal.
func TestSupportByAnIllegalMove(t *testing.T) {
	e, v := waiting(t, false)
	s := &protocol.Support{Base: e.start, Moves: [][]byte{{99}}, Signatures: []protocol.SeatSignature{
		{At: 1, Seat: 1, Signature: e.signPosition(1, v.ID, 1, v.State)}}}
	e.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: v.ID, Support: s}})
	if v = e.view(0, v.ID); !v.Agreed {
		t.Errorf("signed by %b", v.Signed)
	}
}

// Two moves may lead to the same position: that is no other line, and what follows counts.
func TestSupportByAnotherMoveToTheSame(t *testing.T) {
	tb := openTable(t, 2)
	tb.rules(terse{})
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	v := tb.view(0, id)
	start := tb.evidence(id).start
	next := play(t, v.State, Keep)
	s := &protocol.Support{Base: start, Moves: [][]byte{{Pass, 9}, {Keep}}, Signatures: []protocol.SeatSignature{
		{At: 2, Seat: 1, Signature: tb.signPosition(1, id, 2, next)}}}
	tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: s}})
	if v = tb.view(0, id); v.Turn != 2 || len(v.Proofs) != 0 {
		t.Errorf("turn %s, %d proofs", v.Turn, len(v.Proofs))
	}
}

// A seat shows a line that leaves ours and outranks it. That is what the Arena would go by, so that
// it takes the place of ours; and the proof that the seat has moved twice is kept.
func TestAttack_Equivocation_Outranked(t *testing.T) {
	e, v := waiting(t, true)
	fork := func(moves ...signedMove) channel.Received {
		return channel.Received{From: 1, Message: message.SyncReply{MatchID: v.ID, Support: e.support(1, v.State, []int{0, 1}, moves...)}}
	}
	e.must(0, fork(by(Pass, 1)))
	e.must(0, fork(by(Keep, 1), by(Pass, 1)))
	got := e.view(0, v.ID)
	if got.Turn != 3 || !got.MayMove || len(got.Proofs) != 1 || got.Proofs[0].Seat != 1 || got.Proofs[0].Turn != 2 {
		t.Fatalf("turn %s, may move %v, proofs %v", got.Turn, got.MayMove, got.Proofs)
	}
}

// The Arena has recorded a move for good, and the peer shows a longer line that agrees to no more
// than that record: the Arena would refuse it, so that ours goes on from the record.
func TestAttack_Equivocation_Recorded(t *testing.T) {
	e, v := waitingThree(t)
	tb, id := e.table, v.ID
	line := func(moves ...signedMove) *protocol.Support { return e.support(1, v.State, []int{0, 1, 2}, moves...) }
	recorded := tb.recorded(0, id, line(by(Keep, 1)), 10)
	tb.must(0, channel.ChainSeen{Event: recorded, Final: true})
	s := line(signedMove{[]byte{Keep, 1}, []int{1}}, by(Pass, 1))
	tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: s}})
	if got := tb.view(0, id); got.Turn != 2 || protocol.StateHash(got.State) != recorded.Record.State || len(got.Proofs) != 1 {
		t.Errorf("turn %s, %d proofs: the line of the record is given up", got.Turn, len(got.Proofs))
	}
}

// While a clock runs the peer says two moves and records another. What we can post stays evidence
// by itself: it does not start at our position of the record's turn, which all must have signed for
// that.
func TestAttack_Equivocation_RecordedOther(t *testing.T) {
	e, v := waiting(t, true)
	clock := withClock(e.posted(0, v.ID, 10), 10, e.table.terms.Window)
	e.must(0, channel.ChainSeen{Event: clock, Final: true})
	next := v.State
	for turn := protocol.Turn(2); turn <= 3; turn++ {
		next = play(t, next, Keep)
		e.must(0, channel.Received{From: 1, Message: message.Move{MatchID: v.ID, Turn: turn, Move: []byte{Keep},
			State: protocol.StateHash(next), Signature: e.signPosition(1, v.ID, turn, next)}})
	}
	recorded := e.recorded(0, v.ID, e.support(1, v.State, []int{0, 1}, signedMove{[]byte{Keep, 1}, []int{1}}), 20)
	recorded.Record.Clock, recorded.Record.Deadline = 20, 20+e.table.terms.Window
	e.must(0, channel.ChainSeen{Event: recorded})
	got := e.view(0, v.ID)
	if got.Mark != protocol.MarkOf(1) || got.Turn != 3 || protocol.StateHash(got.State) != protocol.StateHash(next) {
		t.Fatalf("signed up to %s, turn %s", upTo(got.Mark), got.Turn)
	}
	if r, err := e.seats[0].m.Judge(v.ID).Replay(got.Support, &recorded.Record, 20); err != nil || r.Turn != 3 {
		t.Errorf("turn %s can be posted: %v", r.Turn, err)
	}
}

// Evidence that starts before what we keep counts as a whole: it is valid to its end, and no longer
// than what can be kept.
func TestSupportFromBeforeOurLine(t *testing.T) {
	for name, c := range map[string]struct {
		more int // moves of seat 1's after what both know
		end  func(*protocol.Support) *protocol.Support
		turn protocol.Turn
	}{
		"a move":                {1, nil, 4},
		"an illegal move":       {1, func(s *protocol.Support) *protocol.Support { return illegal(s, 1) }, 3},
		"as many as we keep":    {protocol.MaxRun - 3, nil, protocol.MaxRun},
		"one more than we keep": {protocol.MaxRun - 2, nil, 3},
	} {
		tb := openTable(t, 2)
		id := tb.match(0)
		for turn := range 3 {
			tb.mustMove(turn%2, id, Pass)
			tb.deliverAll()
		}
		tb.must(1, channel.Idle{})
		tb.deliverAll()
		e := tb.evidence(id)
		line := []signedMove{by(Pass, 0), by(Pass, 1), by(Pass, 0, 1)}
		s := e.support(0, e.start, []int{0, 1}, append(line, run(c.more)...)...)
		if c.end != nil {
			s = c.end(s)
		}
		in := channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: s}}
		if c.turn == 3 {
			tb.quiet(name, 0, in, nil)
		} else if tb.must(0, in); tb.view(0, id).Turn != c.turn {
			t.Errorf("%s: turn %s, want %s", name, tb.view(0, id).Turn, c.turn)
		}
		tb.restart(0) // what was taken can be read again
	}
}

// A seat learns nothing of a match in which it does not play.
func TestSupportForOthers(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.locked(0, tb.proposal(10, 0, 1))
	tb.heard("of others", 0, 2, message.SyncReply{MatchID: id, Support: tb.view(0, id).Support}, nil)
}

// When the signer does not answer, evidence that would have to be countersigned is not taken.
func TestSupportWithoutSigner(t *testing.T) {
	e, v := waiting(t, true)
	e.loseSigner(0, 0)
	e.heard("a move", 1, 0, message.SyncReply{MatchID: v.ID, Support: e.support(1, v.State, nil, by(Keep, 1))}, errNoSigner)
}

// The chain has expired a mover, and the event that told so came without the state: the position is
// learnt from whoever shows it.
func TestSupportOnARecordUnseen(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	next := play(t, tb.view(0, id).State, Pass)
	epoch := protocol.Turn(0).NextEpoch()
	expired := protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(epoch), State: protocol.StateHash(next), Mover: 1,
		Marks: []protocol.Mark{protocol.MarkOf(epoch), protocol.MarkOf(epoch)}, Since: 200, Block: 200}
	tb.must(0, channel.ChainSeen{Event: onchain.Recorded{ChannelID: tb.id, MatchID: id, Record: expired}, Final: true})
	e := tb.evidence(id)
	tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: e.support(epoch, next, nil, by(Pass, 1))}})
	if v := tb.view(0, id); v.Turn != epoch+1 || !v.MayMove || v.OnChain {
		t.Errorf("turn %s, may move %v, on-chain %v", v.Turn, v.MayMove, v.OnChain)
	}
}
