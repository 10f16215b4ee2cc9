package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// A tower that shows what we never signed doesn't make us believe that our records are an old copy,
// which would end our play: it shows a position that we know and haven't signed yet, with a
// signature of ours that it made up.
func TestAttack_LyingTower_ForgedSignature(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.ChainSeen{Event: withClock(tb.posted(0, id, 10), 10, tb.terms.Window)})
	tb.mustMove(1, id, Keep)
	tb.deliverAll()
	v := tb.view(0, id)
	if v.Turn != 2 || v.Mark != protocol.MarkOf(1) {
		t.Fatalf("turn %s, mark %d: want turn 2 known and unsigned", v.Turn, v.Mark)
	}
	forged := *v.Support
	forged.Signatures = slices.Concat([]protocol.SeatSignature{}, forged.Signatures,
		[]protocol.SeatSignature{{At: uint16(len(forged.Moves)), Seat: 0, Signature: tb.signPosition(1, id, 2, v.State)}})
	_ = tb.step(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: tb.seats[0].m.Ledger(), MatchID: id, Support: &forged}})
	tb.must(0, channel.ChainSeen{Event: tb.posted(0, id, 20)})
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.Mark != protocol.MarkOf(2) {
		t.Fatalf("mark %d: the store is taken for an old copy", v.Mark)
	}
}
