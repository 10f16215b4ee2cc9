package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
)

// TestAttack_OldBackup_Claimed: a peer says that it holds a ledger which an old copy of a seat's
// data signed since, and shows it only later. The copy signs no ledger in between: a higher one
// would make the forgotten one look like one that it knows, and the same version would be signed
// twice.
func TestAttack_OldBackup_Claimed(t *testing.T) {
	for name, c := range map[string]struct {
		seats     int
		forgotten func(tb *table)
	}{
		"signed by all": {2, func(tb *table) { tb.match(0) }},
		"pending": {3, func(tb *table) {
			tb.must(0, tb.proposal(1))
			for _, m := range only[message.Propose](tb.answers(0))[:1] {
				tb.must(1, channel.Received{From: 0, Message: m})
			}
			tb.answers(1)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, c.seats)
			old := tb.records(0)
			c.forgotten(tb)
			tb.reload(0, old)
			was, _ := tb.seats[0].m.Signed()
			tb.must(1, channel.Connected{Seat: 0})
			for _, m := range only[message.Sync](tb.answers(1)) {
				tb.must(0, channel.Received{From: 1, Message: m})
			}
			if err := tb.step(0, tb.proposal(1)); !errors.Is(err, channel.ErrUnshown) {
				t.Errorf("a match is proposed: %v", err)
			}
			tb.must(0, channel.Tick{})
			if v, _ := tb.seats[0].m.Signed(); v != was {
				t.Errorf("signed ledger %d, was at %d", v, was)
			}
			tb.deliverAll()
			if !tb.seats[0].m.Restored() || len(happened[channel.OldCopyFound](tb.seats[0])) != 1 {
				t.Error("the copy goes on")
			}
		})
	}
}

// TestAttack_OldBackup_Claimed_Booking: nor does it sign a booking that falls due in between.
func TestAttack_OldBackup_Claimed_Booking(t *testing.T) {
	c := newCopied(t)
	c.mustMove(0, c.id, Pass)
	c.deliverAll()
	old := c.records(0)
	was, _ := c.seats[0].m.Signed()
	c.mustMove(1, c.id, Win)
	win := only[message.Move](c.answers(1))[0]
	c.must(0, channel.Received{From: 1, Message: win})
	c.deliverAll()
	c.reload(0, old)
	full := c.seats[1].m.Ledger().Version
	c.must(0, channel.Received{From: 1, Message: message.Sync{Version: full, Signed: full}})
	c.must(0, channel.Received{From: 1, Message: win})
	c.must(0, channel.Tick{})
	if v, _ := c.seats[0].m.Signed(); v != was || full <= was {
		t.Errorf("signed ledger %d, was at %d, and %d is forgotten", v, was, full)
	}
	c.deliverAll()
	if !c.seats[0].m.Restored() {
		t.Error("the copy goes on")
	}
}

// TestUnshown: who says that it holds more than there is, and shows nothing, gets no ledger signed
// until it says otherwise. What is played goes on.
func TestUnshown(t *testing.T) {
	for name, claim := range map[string]func(full uint64) message.Sync{
		"all signed more":           func(full uint64) message.Sync { return message.Sync{Version: full + 3, Signed: full + 3} },
		"its table has a signature": func(full uint64) message.Sync { return message.Sync{Version: full, Signed: full + 3, SignedBy: 0b11} },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCopied(t)
			full := c.seats[0].m.Ledger().Version
			c.must(0, channel.Received{From: 1, Message: claim(full)})
			c.must(1, c.proposal(1))
			p := only[message.Propose](c.answers(1))[0]
			c.must(0, channel.Received{From: 1, Message: p})
			if list := only[message.Reject](c.answers(0)); len(list) != 0 {
				t.Errorf("refused: %+v", list)
			}
			if err := c.step(0, c.proposal(1)); !errors.Is(err, channel.ErrUnshown) {
				t.Errorf("a match is proposed: %v", err)
			}
			c.mustMove(0, c.id, Pass)
			c.must(0, channel.Received{From: 1, Message: message.Sync{Version: full, Signed: full + 1, SignedBy: 0b10}})
			c.must(0, c.proposal(1))
			if len(only[message.Propose](c.answers(0))) != 1 {
				t.Error("nothing is proposed")
			}
		})
	}
}
