package channel_test

import (
	"errors"
	"reflect"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// What a tower holds of a match is what was put in last; of a match that it was never given,
// nothing.
func TestHoldingOfAMatch(t *testing.T) {
	var h message.Holding
	mark := func(id byte, turn protocol.Mark) message.TowerMark {
		return message.TowerMark{MatchID: common.Hash{id}, Rank: protocol.Rank{Agreed: turn, Turn: turn}}
	}
	for _, m := range []message.TowerMark{mark(3, 1), mark(1, 2), mark(3, 4)} {
		h.SetMatch(m)
	}
	for id, turn := range map[byte]protocol.Mark{0: 0, 1: 2, 2: 0, 3: 4, 4: 0} {
		if got := h.Match(common.Hash{id}); got != mark(id, turn) {
			t.Errorf("match %d: %+v, want %+v", id, got, mark(id, turn))
		}
	}
	if len(h.Matches) != 2 {
		t.Errorf("%d marks of two matches", len(h.Matches))
	}
}

// What seats and towers say arrives as it was said.
func TestTowerMessages(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	v := tb.view(0, id)
	mark, err := message.SignStoreMark(tb.domain, tb.id, 7, tb.keys[0])
	if err != nil {
		t.Fatal(err)
	}
	held := message.Holding{Version: 2, Mark: mark, Time: 5, Expiry: 6, Matches: []message.TowerMark{
		{MatchID: common.Hash{1}, Rank: protocol.Rank{Agreed: 1, Turn: 2}, Agreement: 3}, {MatchID: common.Hash{2}}}}
	for _, said := range []message.Message{
		message.TowerEvidence{Mark: mark, Ledger: tb.seats[0].m.Ledger(), Matches: []protocol.MatchTerms{v.Terms}},
		message.TowerEvidence{Mark: mark, Ledger: tb.seats[0].m.Ledger(), Matches: []protocol.MatchTerms{v.Terms}, MatchID: id,
			Support: v.Support, Agreement: tb.agreedByAll(id, v.Turn)},
		message.TowerAsk{},
		message.TowerAsk{Mark: mark, Show: true},
		message.TowerReceipt{Holding: held, Signature: tb.sign(1, common.Hash{1})},
		message.TowerReceipt{Refusal: "no room"},
	} {
		if heard := overTheWire(t, tb.id, said); !reflect.DeepEqual(heard, said) {
			t.Errorf("said %+v, heard %+v", said, heard)
		}
	}
}

// An envelope that a program made may hold nothing where there should be something.
func TestAttack_Garbage_EmptyTowerMessages(t *testing.T) {
	id := make([]byte, 32)
	for name, e := range map[string]*antev1.Envelope{
		"evidence": {ChannelId: id, Body: &antev1.Envelope_TowerEvidence{}},
		"question": {ChannelId: id, Body: &antev1.Envelope_TowerAsk{}},
		"receipt":  {ChannelId: id, Body: &antev1.Envelope_TowerReceipt{}},
		"a mark":   {ChannelId: id, Body: &antev1.Envelope_TowerReceipt{TowerReceipt: &antev1.TowerReceipt{Matches: []*antev1.TowerMark{nil}}}},
	} {
		if _, msg, err := message.FromEnvelope(e); !errors.Is(err, encoding.ErrMessage) {
			t.Errorf("%s: %+v, %v", name, msg, err)
		}
	}
}
