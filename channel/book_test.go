package channel_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// generous are rules that say an outcome of any position: everybody gets their stakes back.
type generous struct{ toyRules }

func (generous) Outcome(_ []byte, stakes []uint256.Int) (games.Outcome, error) {
	return games.Outcome{Payouts: slices.Clone(stakes)}, nil
}

// resolver finds the same rules everywhere; none without any.
type resolver struct{ rules games.Rules }

func (r resolver) Rules(common.Address) (games.Rules, error) {
	if r.rules == nil {
		return nil, errors.New("no rules")
	}
	return r.rules, nil
}

// withRules lets a seat go on with other rules.
func (tb *table) withRules(i int, rules games.Rules) {
	tb.t.Helper()
	tb.seats[i].cfg.Rules = resolver{rules}
	tb.restart(i)
}

// rules lets all seats play by other rules, from what they know on.
func (tb *table) rules(r games.Rules) {
	tb.t.Helper()
	for i := range tb.seats {
		tb.withRules(i, r)
	}
}

// What our user can't have booked, and why. Nothing is booked by itself either.
func TestOwnBookingsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		want  error
		table func(t *testing.T) (*table, common.Hash)
	}{
		"no such match": {channel.ErrNoMatch, func(t *testing.T) (*table, common.Hash) { return openTable(t, 2), common.Hash{1} }},
		"of other seats": {channel.ErrNoMatch, func(t *testing.T) (*table, common.Hash) {
			tb := openTable(t, 3)
			tb.must(2, tb.proposal(10, 1, 2))
			tb.deliverAll()
			return tb, newest(tb.seats[1].m)
		}},
		"booked before": {channel.ErrNoMatch, func(t *testing.T) (*table, common.Hash) {
			tb, v := bookedBelow(t)
			return tb, v.ID
		}},
		"not over": {channel.ErrWaiting, func(t *testing.T) (*table, common.Hash) {
			tb := openTable(t, 2)
			tb.withRules(0, generous{})
			return tb, tb.match(0)
		}},
		"over by rules that are gone": {channel.ErrWaiting, func(t *testing.T) (*table, common.Hash) {
			tb := openTable(t, 2)
			id := tb.match(1)
			tb.mustMove(0, id, Win)
			tb.queue = nil
			tb.withRules(0, nil)
			return tb, id
		}},
	} {
		tb, id := c.table(t)
		tb.must(0, channel.Tick{})
		tb.queue = nil
		before, _ := tb.seats[0].m.Signed()
		tb.quiet(name, 0, channel.BookMatch{MatchID: id}, c.want)
		tb.must(0, channel.Tick{})
		if after, _ := tb.seats[0].m.Signed(); after != before {
			t.Errorf("%s: version %d is signed", name, after)
		}
	}
}

// booking is a ledger of seat 1's, of a version, that books a match so.
func (tb *table) booking(version uint64, b protocol.Booking) message.Propose {
	full := tb.seats[0].m.Ledger()
	l := protocol.Ledger{ChannelID: tb.id, Version: version, Balances: slices.Clone(full.Balances)}
	l.Locks = slices.DeleteFunc(slices.Clone(full.Locks), func(k protocol.Lock) bool { return k.MatchID == b.MatchID })
	for i := range b.Payouts {
		l.Balances[i].Add(&l.Balances[i], &b.Payouts[i])
	}
	return tb.propose(l, full.Version, nil, []protocol.Booking{b})
}

// A match is booked by an agreement when that is of this match and turn, and signed by all its
// seats.
func TestAttack_LateAgreement_OfSomethingElse(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *protocol.Booking, a *protocol.Agreement, other common.Hash)
		seats  []int // who signs
		signed bool
	}{
		"as it is":             {func(*protocol.Booking, *protocol.Agreement, common.Hash) {}, []int{0, 1}, true},
		"another match":        {func(_ *protocol.Booking, a *protocol.Agreement, other common.Hash) { a.MatchID = other }, []int{0, 1}, false},
		"another turn":         {func(b *protocol.Booking, _ *protocol.Agreement, _ common.Hash) { b.Turn = 0 }, []int{0, 1}, false},
		"no signatures":        {func(*protocol.Booking, *protocol.Agreement, common.Hash) {}, nil, false},
		"one signature":        {func(*protocol.Booking, *protocol.Agreement, common.Hash) {}, []int{0}, false},
		"too many signatures":  {func(*protocol.Booking, *protocol.Agreement, common.Hash) {}, []int{0, 1, 1}, false},
		"the same one's twice": {func(*protocol.Booking, *protocol.Agreement, common.Hash) {}, []int{1, 1}, false},
	} {
		tb := openTable(t, 2)
		id, other := tb.match(0), tb.match(0)
		for _, m := range []common.Hash{id, other} {
			tb.mustMove(0, m, Pass)
			tb.deliverAll()
		}
		a := protocol.Agreement{MatchID: id, Turn: 1, Payouts: numbers(50, 150)}
		b := protocol.Booking{MatchID: id, Turn: 1, Payouts: a.Payouts}
		c.change(&b, &a, other)
		if slices.Contains(c.seats, 0) {
			tb.must(0, channel.OfferAgreement{MatchID: a.MatchID, Turn: 1, Payouts: a.Payouts})
			tb.queue = nil
		}
		b.Agreement = tb.signedAgreement(a, c.seats...)
		p := tb.booking(tb.seats[0].m.Ledger().Version+1, b)
		if p.Ledger.Version%2 == 0 {
			p = tb.booking(p.Ledger.Version+1, b)
		}
		if !c.signed {
			tb.rejected(name, 1, 0, p, message.UnknownMatch)
		} else if tb.must(0, channel.Received{From: 1, Message: p}); tb.seats[0].m.Ledger().Version != p.Ledger.Version {
			t.Errorf("%s: not signed", name)
		}
	}
}

// A booking says why. One by an agreement names it, so that it is known how long nothing else may
// be signed in the match; one of a position names its turn.
func TestBookingSaysWhy(t *testing.T) {
	agreed := openTable(t, 2)
	id := agreed.match(0)
	a := protocol.Agreement{MatchID: id, Payouts: numbers(50, 150)}
	agreed.must(0, channel.OfferAgreement{MatchID: id, Payouts: a.Payouts})
	agreed.must(0, channel.Received{From: 1, Message: message.AgreementSignature{Agreement: a, Seat: 1, Signature: agreed.sign(1, a.Digest(agreed.domain))}})
	agreed.rejected("the agreement is left out", 1, 0, agreed.booking(5, protocol.Booking{MatchID: id, Payouts: a.Payouts}), message.UnknownMatch)

	over := openTable(t, 2)
	id = over.match(0)
	over.mustMove(0, id, Win)
	over.rejected("another turn", 1, 0, over.booking(5, protocol.Booking{MatchID: id, Turn: 0, Payouts: numbers(200, 0)}), message.UnknownMatch)
	p := over.booking(7, protocol.Booking{MatchID: id, Turn: 1, Payouts: numbers(200, 0)})
	if over.must(0, channel.Received{From: 1, Message: p}); over.seats[0].m.Ledger().Version != 7 {
		t.Error("as it is: not signed")
	}
}

// The Arena has convicted a seat, and so pays otherwise than the record says: nobody's booking of
// the record is signed.
func TestAttack_EarlyTerminal_ConvictedProposed(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	v := tb.view(0, id)
	record := protocol.Record{Status: protocol.MatchFinal, Turn: protocol.MarkOf(0), Payouts: v.Terms.Stakes, Marks: make([]protocol.Mark, 3)}
	tb.must(0, channel.ChainSeen{Event: tb.convicted(v, 2), Final: true})
	tb.must(0, channel.ChainSeen{Event: onchain.Recorded{ChannelID: tb.id, MatchID: id, Record: record}, Final: true})
	tb.rejected("convicted", 1, 0, tb.booking(4, protocol.Booking{MatchID: id, Payouts: v.Terms.Stakes}), message.UnknownMatch)
}

// What the Arena has finally decided is booked at its word, also by a seat whose rules for the
// match are gone.
func TestDecidedMatchIsBookedWithoutRules(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.withRules(0, nil)
	tb.must(0, channel.ChainSeen{Final: true, Event: onchain.Recorded{ChannelID: tb.id, MatchID: id,
		Record: protocol.Record{Status: protocol.MatchFinal, Turn: protocol.MarkOf(0), Payouts: numbers(20, 180)}}})
	p := tb.booking(5, protocol.Booking{MatchID: id, Payouts: numbers(20, 180)})
	if tb.must(0, channel.Received{From: 1, Message: p}); tb.seats[0].m.Ledger().Version != 5 {
		t.Error("not signed")
	}
}

// Ledgers that a restored store has forgotten, and that lock what it knows nothing of, or matches
// whose rules it lacks: they can't be booked by a word of a peer.
func TestAttack_Garbage_BookingOfTheUnknown(t *testing.T) {
	tb := openTable(t, 2)
	l := tb.seats[0].m.Ledger().Ledger
	l.Version, l.Locks = 2, []protocol.Lock{{MatchID: common.Hash{9}, Stakes: numbers(0, 0)}}
	tb.shows(0, l)
	tb.rejected("a match without money", 1, 0, tb.booking(3, protocol.Booking{MatchID: common.Hash{9}}), message.UnknownMatch)

	tb = openTable(t, 2)
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 2, 100)
	terms.Rules[0]++
	id := terms.ID(tb.domain)
	l.Locks[0].MatchID = id
	tb.shows(0, l, terms)
	a := tb.signedAgreement(protocol.Agreement{MatchID: id, Payouts: numbers(50, 150)}, 0, 1)
	digest := a.Digest(tb.domain)
	tb.reload(0, change(t, tb.records(0), "match/", &antev1.MatchRecord{}, func(r *antev1.MatchRecord) {
		r.Consented, r.Consents = 1, [][]byte{digest[:]} // as long as it had them
	}))
	tb.rejected("without rules", 1, 0, tb.booking(3, protocol.Booking{MatchID: id, Payouts: a.Payouts, Agreement: a}), message.UnknownMatch)
}

// A booking of what the Arena decided names the recorded turn, or turn 0 where none is recorded.
func TestDecidedTurnIsBooked(t *testing.T) {
	for mark, turn := range map[protocol.Mark]protocol.Turn{0: 0, 4: 3} {
		tb := openTable(t, 2)
		id := tb.match(0)
		tb.must(0, channel.ChainSeen{Final: true, Event: onchain.Recorded{ChannelID: tb.id, MatchID: id,
			Record: protocol.Record{Status: protocol.MatchFinal, Turn: mark, Payouts: numbers(20, 180)}}})
		if p := only[message.Propose](tb.answers(0)); len(p) != 1 || p[0].Bookings[0].Turn != turn {
			t.Errorf("mark %d: proposed %+v", mark, p)
		}
	}
}
