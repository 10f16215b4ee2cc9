package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
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
			tb.must(0, channel.MakeMove{MatchID: id, Turn: v.Turn, Move: []byte{Pass}, Secret: commit.Load([]byte("secret"))})
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

// TestAttack_Reorg_Contest: a deep reorganisation undoes a contest, and ledgers are signed again.
// If another contest came before it, that one counts, and what its ledger locks.
func TestAttack_Reorg_Contest(t *testing.T) {
	tb, id, booked, locks := forked(t)
	undone := func(l, before *protocol.SignedLedger) {
		t.Helper()
		tb.restart(0)
		tb.must(0, channel.ChainUndone{Event: onchain.Contested{ChannelID: tb.id, Ledger: *l, Deadline: 100}, Final: true, Ledger: before})
		tb.restart(0)
	}
	tb.contested(booked)
	tb.contested(locks)
	undone(locks, booked)
	if tb.seats[0].m.Phase() != channel.InContest {
		t.Error("it is not contested any more")
	}
	contested := tb.records(0)
	if tb.chain(onchain.Settled{ChannelID: tb.id, Version: booked.Version}, 0); tb.seats[0].m.Phase() != channel.Ended || tb.view(0, id).Locked {
		t.Error("it waits for what the ledger of the first contest does not lock")
	}
	tb.reload(0, contested)
	undone(booked, nil)
	tb.must(0, tb.proposal(10))
	if len(only[message.Propose](tb.answers(0))) == 0 || !tb.view(0, id).MayMove {
		t.Error("it signs no ledger, or does not go on with the match")
	}
}
