package node_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_OfferStream_Notes: a peer says ever new things about one position. What is written
// down for it has an end.
func TestAttack_OfferStream_Notes(t *testing.T) {
	t.Parallel()
	began := time.Now()
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Now = func() time.Time { return began }
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	view, err := alice.Match(id)
	must(t, err)
	const said = 200
	for i := range said {
		note := message.Envelope(tb.channel, message.Note{MatchID: id, Turn: view.Turn, Text: fmt.Appendf(nil, "%d", i)})
		tb.wait(t, bob, func() bool {
			err := bob.Network().Send(alice.Account(), note)
			if !errors.Is(err, transport.ErrQueueFull) {
				must(t, err)
			}
			return err == nil
		})
	}
	// An offer is answered after all of that was handled: messages of one peer come in order.
	offer, err := bob.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{{}, *ether}, Window: 20})
	must(t, err)
	tb.event(t, alice, node.OfferReceived)
	must(t, alice.Decline(offer, "busy"))
	view, err = alice.Match(id)
	must(t, err)
	if len(view.Notes) != 1 || string(view.Notes[0].Text) != "127" {
		t.Errorf("heard %q, want the first 128 of %d", view.Notes, said)
	}
}
