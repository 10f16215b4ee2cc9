package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// A peer shows what it held back, the signature of a position that we have moved on from, in
// evidence that starts before all that we keep. It counts, and our own move after it stays:
// forgotten, it could not be made again, and the clock would run out on us.
func TestOlderEvidenceKeepsOurMoves(t *testing.T) {
	for name, shown := range map[string]func(*table, message.SyncReply) channel.Input{
		"a peer": func(_ *table, r message.SyncReply) channel.Input { return channel.Received{From: 1, Message: r} },
		"the chain": func(tb *table, r message.SyncReply) channel.Input {
			return channel.ChainSeen{Event: tb.recorded(0, r.MatchID, r.Support, 10)}
		},
	} {
		tb := openTable(t, 2)
		id := tb.match(0)
		v := tb.view(0, id)
		older := protocol.Support{Base: v.State, Signatures: v.Support.Signatures}
		for turn := protocol.Turn(1); turn <= 4; turn++ {
			tb.mustMove(0, id, Keep)
			if turn > 2 {
				tb.answers(0) // seat 1 signs no more
			}
			tb.deliverAll()
			if v = tb.view(0, id); turn == 4 {
				break
			}
			older.Moves = append(older.Moves, []byte{Keep})
			older.Signatures = append(older.Signatures, protocol.SeatSignature{At: uint16(turn), Signature: tb.signPosition(0, id, turn, v.State)})
			if turn == 3 {
				older.Signatures = append(older.Signatures, protocol.SeatSignature{At: 3, Seat: 1, Signature: tb.signPosition(1, id, turn, v.State)})
			}
		}
		if v.Rank != (protocol.Rank{Agreed: protocol.MarkOf(2), Turn: protocol.MarkOf(4)}) || v.Mark != protocol.MarkOf(4) {
			t.Fatalf("rank %v, mark %d", v.Rank, v.Mark)
		}
		tb.must(0, shown(tb, message.SyncReply{MatchID: id, Support: &older}))
		v = tb.view(0, id)
		if v.Rank != (protocol.Rank{Agreed: protocol.MarkOf(3), Turn: protocol.MarkOf(4)}) || !v.MayMove {
			t.Errorf("%s: rank %v, may move %v: our move to turn 4 is forgotten", name, v.Rank, v.MayMove)
		}
		if r, err := tb.seats[0].m.Judge(id).Replay(v.Support, v.Record, 20); err != nil || r.Turn != 4 {
			t.Errorf("%s: turn %s can be posted: %v", name, r.Turn, err)
		}
		if err := tb.move(0, id, Pass); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
