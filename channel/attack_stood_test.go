package channel_test

import (
	"bytes"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// TestAttack_CollusionFork_LastMinute: seat 1 signs two moves at a turn, and the fork is recorded.
// What all signed takes its place in the last minute of its window, and is not final when that is
// over: seat 2 stays on the line that the Arena holds, and loses it only if the answer is undone.
func TestAttack_CollusionFork_LastMinute(t *testing.T) {
	for name, undone := range map[string]bool{"final": false, "undone": true} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 3)
			id := tb.match(0)
			tb.mustMove(0, id, Pass)
			tb.deliverAll()
			base := tb.view(2, id)
			// seat 1 goes on and on from its other move
			fork, state := protocol.Support{Turn: 1, Base: base.State, Signatures: base.Support.Signatures}, base.State
			var longer protocol.Support
			for i := range uint16(3) {
				longer = protocol.Support{Turn: 1 + protocol.Turn(i), Base: state, Moves: [][]byte{{Keep, 9}}}
				turn := longer.Turn + 1
				state = play(t, state, Keep, 9)
				tb.audit.position(id, turn, state)
				sig := tb.signPosition(1, id, turn, state)
				longer.Signatures = []protocol.SeatSignature{{At: 1, Seat: 1, Signature: sig}}
				if i < 2 {
					fork.Moves = append(fork.Moves, longer.Moves[0])
					fork.Signatures = append(fork.Signatures, protocol.SeatSignature{At: i + 1, Seat: 1, Signature: sig})
				}
			}
			tb.mustMove(1, id, Keep)
			tb.deliverAll()
			tb.mustMove(1, id, Pass)
			tb.deliverAll()
			agreed := tb.view(2, id)

			record := tb.recorded(2, id, &fork, 10)
			tb.seen(2, record)
			answer := tb.posted(2, id, 10+tb.terms.Window-1)
			tb.must(2, channel.ChainSeen{Event: answer})
			tb.must(2, channel.ClockAt{Now: 10 + tb.terms.Window})
			stays := func() {
				t.Helper()
				if v := tb.view(2, id); v.Turn != agreed.Turn || !bytes.Equal(v.State, agreed.State) {
					t.Fatalf("seat 2 gives up turn %s, which all signed, for turn %s of the fork", agreed.Turn, v.Turn)
				}
			}
			stays()
			if err := tb.says(1, 2, message.SyncReply{MatchID: id, Support: &longer}); err != nil {
				t.Fatal(err)
			}
			stays()
			if undone {
				tb.must(2, channel.ChainUndone{Event: answer})
				tb.must(2, channel.ClockAt{Now: 11 + tb.terms.Window})
				if v := tb.view(2, id); bytes.Equal(v.State, agreed.State) {
					t.Fatal("seat 2 does not go on from what stood")
				}
				return
			}
			tb.must(2, channel.ChainSeen{Event: answer, Final: true})
			stays()
		})
	}
}

// TestAttack_CollusionFork_OlderConsent: seat 1 moves on while seat 2 signs nothing, and offers
// seat 0 everything, who agrees by itself. Then another position of an older turn is recorded, and
// stands for a window; everything is offered again. Shown what it agreed to first, seat 0 knows its
// own signature, and plays on.
func TestAttack_CollusionFork_OlderConsent(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	e, base := tb.evidence(id), tb.view(0, id)
	agrees := func() (own []message.AgreementSignature) {
		t.Helper()
		a := protocol.Agreement{MatchID: id, Turn: tb.view(0, id).Turn, Payouts: numbers(300, 0, 0)}
		tb.must(0, channel.Received{From: 1, Message: message.AgreementSignature{Agreement: a, Seat: 1, Signature: tb.sign(1, a.Digest(tb.domain))}})
		return only[message.AgreementSignature](tb.answers(0))
	}
	tb.must(0, channel.Received{From: 1, Message: message.SyncReply{MatchID: id, Support: e.support(1, base.State, []int{0, 1, 2}, by(Keep, 1), by(Keep, 1))}})
	first := agrees()
	fork := e.support(1, base.State, []int{0, 1, 2}, signedMove{[]byte{Keep, 9}, []int{1}})
	tb.chain(tb.recorded(0, id, fork, 10), 0)
	tb.must(0, channel.ClockAt{Now: 10 + tb.terms.Window})
	agrees()
	if v := tb.view(0, id); v.Turn != 2 || len(first) == 0 || first[0].Turn != 3 {
		t.Fatalf("at turn %s after it agreed to %v", v.Turn, first)
	}
	tb.must(0, channel.Received{From: 1, Message: first[0]})
	if tb.seats[0].m.Restored() {
		t.Error("it takes its own signature for another copy's, and signs nothing any more")
	}
}
