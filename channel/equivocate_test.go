package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/channel/internal/toyrules"
)

// A peer shows that a seat has signed two positions of one turn. That is kept as a proof against another seat, and never against
// ourselves, whose key may have been used elsewhere: the match would be booked by nobody any more.
func TestAttack_Equivocation_Ours(t *testing.T) {
	for signer, proofs := range map[int]int{0: 0, 1: 1} {
		tb := openTable(t, 2)
		id := tb.match(0)
		start := tb.view(0, id)
		tb.mustMove(0, id, toyrules.Pass)
		tb.deliverAll()
		tb.must(1, channel.Idle{})
		tb.deliverAll()
		other := play(t, start.State, toyrules.Keep)
		fork := channel.Support{Base: start.State, Moves: [][]byte{{toyrules.Keep}}, Signatures: []channel.SeatSignature{
			{At: 1, Seat: uint8(signer), Signature: tb.signPosition(signer, id, 1, other)}}}
		tb.must(0, channel.Received{From: 1, Message: channel.SyncReply{MatchID: id, Support: &fork}})
		if v := tb.view(0, id); len(v.Proofs) != proofs || len(happened[channel.SeatEquivocated](tb.seats[0])) != proofs {
			t.Errorf("signed twice by seat %d: proofs %+v", signer, v.Proofs)
		}
	}
}
