package node_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol/message"
	"github.com/holiman/uint256"
)

// A channel that is paid out is let go: nothing is done in it any more, whoever asks, and a start
// doesn't read it. What there is to say of it is still said, and results of it can still be signed.
func TestPaidOutChannelIsLetGo(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	id := tb.won(t)
	tb.close(t)
	for range 2 {
		for i, p := range tb.players {
			tb.wait(t, p, func() bool { return tb.letGo(t, p) && p.Running() == 0 })
			c, err := p.Channel(tb.channel)
			must(t, err)
			if c.Status != node.ChannelEnded || c.Seat != i || !c.Ledger.Closing || len(p.Channels()) != 1 || p.Channels()[0].Status != node.ChannelEnded {
				t.Errorf("seat %d: %+v, of %d channels", i, c, len(p.Channels()))
			}
			must(t, p.Closed(tb.ctx, tb.channel))
			for what, err := range map[string]error{
				"close":   p.CloseChannel(tb.channel),
				"exit":    p.Exit(tb.ctx, tb.channel),
				"propose": p.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}),
			} {
				if !errors.Is(err, node.ErrEnded) {
					t.Errorf("seat %d: %s: %v", i, what, err)
				}
			}
			r, err := p.Result(id)
			must(t, err)
			if !r.Paid {
				t.Errorf("seat %d: the result is not paid", i)
			}
		}
		// A word of a peer that has not heard of it is passed over.
		must(t, bob.Network().Send(alice.Account(), message.Envelope(tb.channel, message.Sync{Version: 99, Signed: 99})))
		alice.restart(t)
		must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	}
	if err := alice.Err(); err != nil {
		t.Error(err)
	}
}

// letGo reports whether a player's store holds nothing of the channel that a start reads.
func (tb *table) letGo(t *testing.T, p *player) bool {
	t.Helper()
	running, past := 0, 0
	must(t, p.memory.Scan("", "", func(key string, _ []byte) error {
		switch {
		case strings.HasPrefix(key, "channel/"+tb.channel.Hex()):
			running++
		case strings.HasPrefix(key, "past/"+tb.channel.Hex()):
			past++
		}
		return nil
	}))
	return running == 0 && past > 0
}
