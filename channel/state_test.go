package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// What the chain said and is final is not changed by the same or another event of its kind that is
// not, nor when that is undone.
func TestFinalEventsStay(t *testing.T) {
	tb := openTable(t, 2)
	l := tb.seats[0].m.Ledger()
	for _, e := range []onchain.Event{
		onchain.Opened{ChannelID: tb.id, Terms: tb.terms},
		onchain.Contested{ChannelID: tb.id, Ledger: l, Deadline: 5},
		onchain.Settled{ChannelID: tb.id, Version: l.Version},
		onchain.Closed{ChannelID: tb.id, Version: l.Version},
	} {
		tb.must(0, channel.ChainSeen{Event: e, Final: true})
		tb.queue = nil
		tb.unchanged("seen again", 0, channel.ChainSeen{Event: e}, nil)
		tb.unchanged("undone", 0, channel.ChainUndone{Event: e}, nil)
	}
}

// TestUndoneThoughFinal: a channel goes on when a deep reorganisation takes back what ended it.
func TestUndoneThoughFinal(t *testing.T) {
	tb := openTable(t, 2)
	for _, e := range []onchain.Event{
		onchain.Settled{ChannelID: tb.id, Version: 1}, onchain.Closed{ChannelID: tb.id, Version: 2},
	} {
		tb.must(0, channel.ChainSeen{Event: e, Final: true})
		if tb.must(0, channel.ChainUndone{Event: e}); tb.seats[0].m.Phase() != channel.Ended {
			t.Errorf("%T: undone elsewhere, it is %v", e, tb.seats[0].m.Phase())
		}
		if tb.must(0, channel.ChainUndone{Event: e, Final: true}); tb.seats[0].m.Phase() != channel.Running {
			t.Errorf("%T: undone, it is %v", e, tb.seats[0].m.Phase())
		}
	}
}

// A channel that is paid out is not one that waits for its opening.
func TestRefusedAfterTheEnd(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, channel.ChainSeen{Event: onchain.Closed{ChannelID: tb.id, Version: 2}, Final: true})
	for _, in := range []channel.Input{tb.proposal(10), channel.CloseChannel{}, channel.WithdrawMatches{}, channel.Shown{},
		channel.Received{From: 1, Message: message.Sync{Version: 1}}} {
		tb.quiet("paid out", 0, in, channel.ErrFrozen)
	}
}
