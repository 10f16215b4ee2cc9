package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// The price of gas is what it was last set to: what costs more than it saves is left, and sent when
// gas is cheap again.
func TestWatcherHeedsThePrice(t *testing.T) {
	box := &mailbox{}
	w, e := attacked(box)
	w.Price(*uint256.NewInt(1e18))
	w.Step(t.Context(), 20, e, disputes.Wishes{})
	if len(box.got) != 0 {
		t.Errorf("50 wei are defended at any price: %v", box.got)
	}
	w.Price(uint256.Int{})
	w.Step(t.Context(), 21, e, disputes.Wishes{})
	if len(box.got) != 1 {
		t.Errorf("submitted %d times once gas is cheap", len(box.got))
	}
}

// TestACloseThatWaits: what all signed to close a channel can be sent later, and makes way for
// answers in other channels, unless a ledger is posted.
func TestACloseThatWaits(t *testing.T) {
	for _, contested := range []bool{false, true} {
		for _, now := range []uint64{99, 100} { // before the deadline, and after it
			box := &mailbox{}
			b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
			w := disputes.NewWatcher(disputes.Case{Domain: b.domain, Terms: b.terms, Rules: b.find}, b.keys[0], box)
			w.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
			if contested {
				w.Happened(2, onchain.Contested{ChannelID: b.id, Ledger: protocol.SignedLedger{Ledger: protocol.FirstLedger(b.id, &b.terms)}, Deadline: 100})
			}
			w.Step(t.Context(), now, disputes.Evidence{Closing: b.ledger(2, true, []uint64{150, 50})}, disputes.Wishes{Close: true})
			if len(box.got) != 1 || box.got[0].Waits == contested {
				t.Errorf("contested %t, at %d: %+v", contested, now, box.got)
			}
		}
	}
}

// What happens to a copy of a view leaves the view as it is.
func TestViewCloneIsApart(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	var v disputes.View
	v.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	id := common.Hash{7}
	recorded := func(turn protocol.Turn) onchain.Recorded {
		return onchain.Recorded{ChannelID: b.id, MatchID: id, Record: protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(turn)}}
	}
	v.Happened(2, recorded(1))
	c := v.Clone()
	c.Happened(2, recorded(2))
	if got := v.Record(id).Turn; got != protocol.MarkOf(1) {
		t.Errorf("the view holds turn %v", got)
	}
	if got := c.Record(id).Turn; got != protocol.MarkOf(2) {
		t.Errorf("its copy holds turn %v", got)
	}
}
