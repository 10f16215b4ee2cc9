package channel_test

import (
	"reflect"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/internal/toyrules"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestAttack_Reorg_Unpaid: a deep reorganisation undoes that a match's lock was paid, or that a
// ledger paid the channel out which does not lock it. The match goes on, with all that was held of
// it, also after a restart.
func TestAttack_Reorg_Unpaid(t *testing.T) {
	for name, c := range map[string]func(tb *table, l protocol.SignedLedger, booked *protocol.SignedLedger) []onchain.Event{
		"paid": func(tb *table, l protocol.SignedLedger, _ *protocol.SignedLedger) []onchain.Event {
			tb.contested(&l)
			tb.chain(onchain.Settled{ChannelID: tb.id, Version: l.Version}, 0)
			return []onchain.Event{onchain.LockPaid{ChannelID: tb.id, MatchID: l.Locks[0].MatchID, Payouts: tb.terms.Deposits}}
		},
		"paid with the balances": func(tb *table, l protocol.SignedLedger, _ *protocol.SignedLedger) []onchain.Event {
			tb.contested(&l)
			return []onchain.Event{onchain.Settled{ChannelID: tb.id, Version: l.Version}, onchain.LockPaid{ChannelID: tb.id, MatchID: l.Locks[0].MatchID, Payouts: tb.terms.Deposits}}
		},
		"settled without it": func(tb *table, _ protocol.SignedLedger, booked *protocol.SignedLedger) []onchain.Event {
			tb.contested(booked)
			return []onchain.Event{onchain.Settled{ChannelID: tb.id, Version: booked.Version}}
		},
		"closed without it": func(tb *table, l protocol.SignedLedger, _ *protocol.SignedLedger) []onchain.Event {
			tb.contested(&l)
			tb.shows(0, protocol.Ledger{ChannelID: tb.id, Version: l.Version + 3, Closing: true, Balances: tb.terms.Deposits})
			return []onchain.Event{onchain.Closed{ChannelID: tb.id, Version: l.Version + 3}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb, id, booked, _ := forked(t)
			v := tb.view(0, id)
			tb.must(0, channel.MakeMove{MatchID: id, Turn: v.Turn, Move: []byte{toyrules.Pass}, Secret: commit.Load([]byte("secret"))})
			tb.deliverAll()
			v = tb.view(0, id)
			list := c(tb, tb.seats[0].m.Ledger(), booked)
			for _, e := range list {
				tb.chain(e, 0)
			}
			if tb.seats[0].m.Phase() != channel.Ended || tb.view(0, id).Locked {
				t.Fatal("the channel has not ended")
			}
			tb.restart(0)
			for i := range list {
				tb.must(0, channel.ChainUndone{Event: list[len(list)-1-i], Final: true})
			}
			tb.restart(0)
			got := tb.view(0, id)
			if tb.seats[0].m.Phase() != channel.InContest || !got.Locked || got.Turn != v.Turn || len(got.Support.Signatures) != len(v.Support.Signatures) {
				t.Errorf("phase %d, %+v, want %+v", tb.seats[0].m.Phase(), got, v)
			}
			if string(tb.seats[0].m.Secret(id).Expose()) != "secret" {
				t.Error("the secret is gone")
			}
			for _, e := range list {
				tb.chain(e, 0)
			}
			if tb.seats[0].m.Phase() != channel.Ended {
				t.Error("it does not end again")
			}
		})
	}
}

// TestAttack_Reorg_Expired: a deep reorganisation undoes that the other seat's time ran out, and it
// answers. This seat moves on from that, also after a restart. When the time runs out after all,
// that counts.
func TestAttack_Reorg_Expired(t *testing.T) {
	for name, long := range map[string]bool{"": false, "after a long turn": true} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			id := tb.match(0)
			if long {
				tb.mustMove(0, id, toyrules.Keep)
				tb.deliverAll()
				for since := uint64(1); since < 5; since++ {
					tb.keepOn(id, protocol.MaxRun)
					tb.chain(tb.posted(0, id, since), 0, 1)
				}
			}
			tb.mustMove(0, id, toyrules.Pass)
			tb.deliverAll()
			posted := tb.posted(0, id, 10)
			tb.chain(posted, 0, 1)
			tb.chain(withClock(posted, 10, tb.terms.Window), 0, 1)
			v := tb.view(0, id)
			state, err := toyrules.Rules{}.Expire(nil, v.State)
			if err != nil {
				t.Fatal(err)
			}
			over := tb.expired(id, state)
			over.Record.Status, over.Record.Payouts = protocol.MatchFinal, numbers(200, 0)
			tb.chain(over, 0)
			if got := tb.view(0, id); !got.Decided || got.Turn.Epoch() != 1 {
				t.Fatalf("turn %s, decided %v", got.Turn, got.Decided)
			}
			tb.restart(0)
			tb.must(0, channel.ChainUndone{Event: over, Final: true})
			if got := tb.view(0, id); got.Turn != v.Turn || got.Decided || !reflect.DeepEqual(got.Support, v.Support) {
				t.Errorf("turn %s, decided %v, support %+v", got.Turn, got.Decided, got.Support)
			}
			ended := tb.records(0)
			tb.chain(over, 0)
			if got := tb.view(0, id); !got.Decided {
				t.Error("it is not decided again")
			}
			tb.reload(0, ended)
			tb.mustMove(1, id, toyrules.Pass)
			answer := tb.posted(1, id, 20)
			answer.Record.Clock, answer.Record.Deadline = 20, 20+tb.terms.Window
			tb.chain(answer, 0, 1)
			tb.mustMove(0, id, toyrules.Win)
		})
	}
}

// TestFormerLinesAreFew: what is kept from before expiries, in case they are undone, does not grow
// with their number.
func TestFormerLinesAreFew(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	var held []int
	for epoch := range uint32(30) {
		tb.mustMove(0, id, toyrules.Keep)
		tb.mustMove(0, id, toyrules.Keep)
		tb.deliverAll()
		turn := protocol.Turn(epoch+1) << 32
		e := tb.expired(id, tb.view(0, id).State)
		e.Record.Turn, e.Record.Since = protocol.MarkOf(turn), uint64(200+epoch)
		e.Record.Marks = []protocol.Mark{e.Record.Turn, e.Record.Turn}
		tb.chain(e, 0, 1)
		tb.restart(0)
		if got := tb.view(0, id).Turn; got != turn {
			t.Fatalf("turn %s, want %s", got, turn)
		}
		held = append(held, tb.held(0))
	}
	if held[29] > held[9]+100 || held[29] == held[0] {
		t.Errorf("it holds %v bytes", held)
	}
}
