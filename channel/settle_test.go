package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// forked is a channel of two whose ledger 3 books a match, and whose ledger 5, of which ledger 3
// knew nothing, locks it still: both are signed by all, and seat 0 holds ledger 5. Ledger 2 locked
// it first.
func forked(t *testing.T) (tb *table, id common.Hash, booked, locks *protocol.SignedLedger) {
	t.Helper()
	tb = openTable(t, 2)
	id = tb.match(0)
	first := tb.seats[0].m.Ledger()
	booked = tb.signedByAll(protocol.Ledger{ChannelID: tb.id, Version: first.Version + 1, Balances: tb.terms.Deposits})
	next := first.Ledger
	next.Version += 3
	locks = tb.signedByAll(next)
	tb.shows(0, next)
	return tb, id, booked, locks
}

// contested has the chain tell seat 0 of a contest.
func (tb *table) contested(l *protocol.SignedLedger) {
	tb.t.Helper()
	tb.chain(onchain.Contested{ChannelID: tb.id, Ledger: *l, Deadline: 100}, 0)
}

// A ledger that leaves a match out settles the channel, although a newer one, which nobody posted
// in time, locks the match as an even older one did. The match is over, and with it the channel.
func TestAttack_StaleLedger_Settled(t *testing.T) {
	tb, id, booked, locks := forked(t)
	if tb.seats[0].m.Ledger().Version != locks.Version || !tb.view(0, id).Locked {
		t.Fatal("the newer ledger isn't held")
	}
	tb.contested(booked)
	settled := onchain.Settled{ChannelID: tb.id, Version: booked.Version}
	tb.must(0, channel.ChainSeen{Event: settled})
	tb.restart(0)
	if len(tb.seats[0].m.Matches()) != 1 || tb.seats[0].m.Phase() == channel.Ended {
		t.Fatal("a match is given up before the settlement is final")
	}
	tb.must(0, channel.ChainSeen{Event: settled, Final: true})
	if got := happened[channel.MatchReleased](tb.seats[0]); len(got) != 1 || got[0].MatchID != id || got[0].Payouts != nil {
		t.Fatalf("told %v", got)
	}
	if tb.seats[0].m.Phase() != channel.Ended || len(happened[channel.ChannelEnded](tb.seats[0])) != 1 {
		t.Fatal("the channel has not ended")
	}
}

// It is the last ledger to be contested that counts: its locks are waited for, and what it leaves
// out is not.
func TestSettledByTheLastContest(t *testing.T) {
	tb, id, booked, locks := forked(t)
	tb.contested(booked)
	tb.contested(locks)
	tb.chain(onchain.Settled{ChannelID: tb.id, Version: locks.Version}, 0)
	if tb.seats[0].m.Phase() == channel.Ended || !tb.view(0, id).MayMove {
		t.Fatal("a match that the settled ledger locks is given up")
	}
	tb.chain(onchain.LockPaid{ChannelID: tb.id, MatchID: id, Payouts: tb.terms.Deposits}, 0)
	if tb.seats[0].m.Phase() != channel.Ended || tb.view(0, id).Locked {
		t.Fatal("the channel has not ended")
	}
}

// A contest that the chain takes back, or that is not final, or whose ledger not all signed, says
// nothing of what is locked.
func TestSettledNotByOthers(t *testing.T) {
	tb, id, booked, locks := forked(t)
	tb.contested(locks)
	tb.must(0, channel.ChainSeen{Event: onchain.Contested{ChannelID: tb.id, Ledger: *booked, Deadline: 100}})
	spoilt := *booked
	spoilt.Signatures = slices.Clone(booked.Signatures[:1])
	tb.contested(&spoilt)
	tb.chain(onchain.Settled{ChannelID: tb.id, Version: booked.Version}, 0)
	if tb.seats[0].m.Phase() == channel.Ended || !tb.view(0, id).Locked {
		t.Fatal("a match is given up for a ledger that is not known")
	}
}

// A ledger settles the channel that locks a match which a newer one, that nobody posted in time,
// had booked. Its stakes are in that lock: the channel is not over before it is paid, and where the
// match is still known it is played on.
func TestSettledWithTheMatch(t *testing.T) {
	for _, loose := range []bool{false, true} {
		tb := openTable(t, 2)
		id := tb.match(0)
		first := tb.seats[0].m.Ledger()
		// seat 0 signs a ledger that seat 1 keeps from it, as it does with the one that books the
		// match
		if loose {
			tb.must(0, tb.proposal(10))
			tb.queue = nil
			tb.must(1, tb.proposal(20))
			tb.deliverAll()
		}
		booked := protocol.Ledger{ChannelID: tb.id, Version: first.Version + 1, Balances: tb.terms.Deposits}
		if err := tb.says(1, 0, message.SyncReply{Ledger: tb.signedByAll(booked)}); err != nil {
			t.Fatal(err)
		}
		if _, known := tb.seats[0].m.Match(id); known != loose {
			t.Fatalf("loose %v: the match is known: %v", loose, known)
		}
		tb.contested(&first)
		tb.chain(onchain.Settled{ChannelID: tb.id, Version: first.Version}, 0)
		tb.restart(0)
		if tb.seats[0].m.Phase() == channel.Ended {
			t.Fatalf("loose %v: the channel has ended with a lock unpaid", loose)
		}
		if loose {
			tb.mustMove(0, id, Pass)
		}
		other := onchain.LockPaid{ChannelID: tb.id, MatchID: common.Hash{1}}
		for _, in := range []channel.Input{channel.ChainSeen{Event: other, Final: true}, channel.ChainSeen{Event: onchain.LockPaid{ChannelID: tb.id, MatchID: id}}} {
			if tb.must(0, in); tb.seats[0].m.Phase() == channel.Ended {
				t.Fatalf("loose %v: %+v ends the channel", loose, in)
			}
		}
		tb.must(0, channel.ChainSeen{Event: onchain.LockPaid{ChannelID: tb.id, MatchID: id}, Final: true})
		if tb.seats[0].m.Phase() != channel.Ended || len(happened[channel.ChannelEnded](tb.seats[0])) != 1 {
			t.Fatalf("loose %v: the channel has not ended", loose)
		}
	}
}

// A ledger that others complete once the channel is paid out by another brings no match back.
func TestSettledForGood(t *testing.T) {
	tb := openTable(t, 2)
	tb.match(0)
	id := tb.match(0)
	first := tb.seats[0].m.Ledger()
	tb.must(0, tb.proposal(10)) // which locks both matches still
	later := only[message.Propose](tb.answers(0))[0]
	booked := protocol.Ledger{ChannelID: tb.id, Version: first.Version + 1, Balances: slices.Clone(first.Balances)}
	for i := range first.Locks {
		if l := first.Locks[i]; l.MatchID == id {
			booked.Locks = append(booked.Locks, l)
			continue
		}
		for seat := range booked.Balances {
			booked.Balances[seat].AddUint64(&booked.Balances[seat], 100)
		}
	}
	tb.shows(0, booked)
	tb.contested(tb.signedByAll(booked))
	tb.chain(onchain.Settled{ChannelID: tb.id, Version: booked.Version}, 0)
	tb.must(0, channel.Received{From: 1, Message: tb.completed(later)})
	tb.chain(onchain.LockPaid{ChannelID: tb.id, MatchID: id}, 0)
	if tb.seats[0].m.Ledger().Version != booked.Version || tb.seats[0].m.Phase() != channel.Ended {
		t.Errorf("it holds ledger %d, and waits for what that locks", tb.seats[0].m.Ledger().Version)
	}
}

// While the channel is contested no ledger takes a match away, since an older one may be paid out.
// Once it is contested no more, or closed by all, the newest that all signed does.
func TestReleasedOnceUncontested(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	booked := tb.signedByAll(protocol.Ledger{ChannelID: tb.id, Version: tb.seats[0].m.Ledger().Version + 1, Balances: tb.terms.Deposits})
	contest := onchain.Contested{ChannelID: tb.id, Ledger: *booked, Deadline: 100}
	tb.must(0, channel.ChainSeen{Event: contest})
	if v := tb.view(0, id); !v.Locked || v.MayMove || tb.seats[0].m.Ledger().Version != booked.Version {
		t.Fatalf("locked %v, may move %v", v.Locked, v.MayMove)
	}
	contested := tb.records(0)
	closed := onchain.Closed{ChannelID: tb.id, Version: booked.Version}
	for name, in := range map[string]channel.Input{"undone": channel.ChainUndone{Event: contest}, "closed": channel.ChainSeen{Event: closed, Final: true}} {
		tb.reload(0, contested)
		tb.must(0, in)
		_, kept := tb.seats[0].m.Match(id)
		if got := happened[channel.MatchReleased](tb.seats[0]); len(got) != 1 || got[0].MatchID != id || kept != (name == "closed") {
			t.Errorf("%s: told %v, kept %v", name, got, kept)
		}
	}
}

// A closing ledger that books the last match may close a channel while it is contested: then the
// match is released, as none is locked any more.
func TestReleasedOnceClosed(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	first := tb.seats[0].m.Ledger()
	tb.contested(&first)
	tb.shows(0, protocol.Ledger{ChannelID: tb.id, Version: first.Version + 1, Closing: true, Balances: tb.terms.Deposits})
	closed := onchain.Closed{ChannelID: tb.id, Version: first.Version + 1}
	tb.must(0, channel.ChainSeen{Event: closed})
	if len(tb.seats[0].m.Matches()) != 1 {
		t.Fatal("a match is given up before the closing is final")
	}
	tb.must(0, channel.ChainSeen{Event: closed, Final: true})
	got := happened[channel.MatchReleased](tb.seats[0])
	if len(got) != 1 || got[0].MatchID != id || tb.view(0, id).Locked || tb.seats[0].m.Phase() != channel.Ended {
		t.Errorf("told %v, and it is in phase %d", got, tb.seats[0].m.Phase())
	}
}

// What was stored before posted ledgers were kept can be read, and goes by when matches were
// locked.
func TestSettledByAnOldRecord(t *testing.T) {
	tb, id, booked, _ := forked(t)
	tb.contested(booked)
	var r antev1.ChannelRecord
	if err := proto.Unmarshal(tb.seats[0].store["channel"], &r); err != nil {
		t.Fatal(err)
	}
	if r.Posted == nil || r.Posted.Version != booked.Version || len(r.Posted.Unpaid) != 0 {
		t.Fatalf("kept %v", r.Posted)
	}
	r.Posted = nil
	b, err := proto.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	tb.seats[0].store["channel"] = b
	tb.restart(0)
	tb.chain(onchain.Settled{ChannelID: tb.id, Version: booked.Version}, 0)
	if tb.seats[0].m.Phase() == channel.Ended || !tb.view(0, id).Locked {
		t.Fatal("a match is given up for a ledger that is not known")
	}
	tb.mustMove(0, id, Pass)
}
