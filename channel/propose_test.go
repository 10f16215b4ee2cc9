package channel_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// What our user can't propose, and why.
func TestOwnProposalsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		match, end error // a match, and the end of the channel; nil: not tried
		table      func(*testing.T) *table
	}{
		"not open": {channel.ErrNotOpen, channel.ErrNotOpen, func(t *testing.T) *table { return newTable(t, 2) }},
		"contested": {channel.ErrFrozen, channel.ErrFrozen, func(t *testing.T) *table {
			tb := openTable(t, 2)
			tb.must(0, channel.ChainSeen{Event: onchain.Contested{ChannelID: tb.id, Ledger: tb.seats[0].m.Ledger(), Deadline: 100}})
			return tb
		}},
		"a match runs": {nil, protocol.ErrLocked, func(t *testing.T) *table {
			tb := openTable(t, 2)
			tb.match(0)
			return tb
		}},
		"to be closed when the last proposal is out of the way": {channel.ErrFrozen, nil, func(t *testing.T) *table {
			tb := openTable(t, 2)
			tb.must(0, tb.proposal(10))
			tb.must(0, channel.CloseChannel{})
			return tb
		}},
		"the end signed that another seat proposed": {channel.ErrFrozen, nil, func(t *testing.T) *table {
			tb := openTable(t, 3)
			l := tb.seats[0].m.Ledger().Ledger
			l.Version, l.Closing = 4, true
			tb.must(0, channel.Received{From: 1, Message: tb.propose(l, 1, nil, nil)})
			return tb
		}},
		"no signer": {errNoSigner, errNoSigner, func(t *testing.T) *table {
			tb := openTable(t, 2)
			tb.loseSigner(0, 0)
			return tb
		}},
		"restored": {channel.ErrRestored, channel.ErrRestored, func(t *testing.T) *table {
			tb := openTable(t, 2)
			tb.must(0, channel.StoreRestored{})
			return tb
		}},
	} {
		tb := c.table(t)
		if c.match != nil {
			tb.quiet(name, 0, tb.proposal(5), c.match)
		}
		if c.end != nil {
			tb.quiet(name, 0, channel.CloseChannel{}, c.end)
		}
	}
}

// So many matches wait for an answer, and no more.
func TestProposalsThatWait(t *testing.T) {
	tb := openTable(t, 2)
	for range protocol.MaxNew {
		tb.must(0, tb.proposal(10))
		tb.queue = nil
	}
	tb.quiet("one more", 0, tb.proposal(10), protocol.ErrBusy)
}

// A match of other seats is theirs to judge: it may be cheaper than what we would play.
func TestCheapMatchOfOthers(t *testing.T) {
	tb := openTable(t, 3)
	tb.seats[2].cfg.Policy.Enforceable = atLeast(100)
	tb.restart(2)
	tb.must(0, tb.proposal(10, 0, 1))
	tb.deliverAll()
	if n := len(tb.seats[2].m.Ledger().Locks); n != 1 {
		t.Errorf("%d matches are locked", n)
	}
}

// Why a proposal is refused is told as far as a message has room, in whole characters: no network
// carries what is no text.
func TestLongRefusal(t *testing.T) {
	for _, odd := range []string{"", "x"} {
		tb := openTable(t, 2)
		tb.seats[1].cfg.Policy.Enforceable = func(*protocol.MatchTerms) error { return errors.New(odd + strings.Repeat("é", protocol.MaxText)) }
		tb.restart(1)
		tb.must(0, tb.proposal(10))
		tb.deliverAll()
		refused := happened[channel.ProposalRefused](tb.seats[0])
		if len(refused) != 1 || !utf8.ValidString(refused[0].Reason) || len(refused[0].Reason) < protocol.MaxText-1 {
			t.Errorf("%+v", refused)
		}
	}
}

// The Arena holds no version above the highest: the last one may be signed, and nothing after it.
func TestAttack_Overflow_LastVersion(t *testing.T) {
	// their own
	for seat, last := range map[int]uint64{0: protocol.MaxVersion - 1, 1: protocol.MaxVersion} {
		tb := openTable(t, 2)
		l := tb.seats[seat].m.Ledger().Ledger
		l.Version = protocol.MaxVersion - 2
		tb.shows(seat, l)
		tb.must(seat, tb.proposal(10))
		if v, _ := tb.seats[seat].m.Signed(); v != last {
			t.Fatalf("seat %d signed version %d, want %d", seat, v, last)
		}
		p := tb.seats[seat].m.Proposal().Propose
		tb.must(seat, channel.Received{From: 1 - seat, Message: message.Reject{Version: last, Digest: p.Ledger.Digest(tb.domain), Code: message.Refused}})
		tb.must(seat, tb.proposal(20))
		if v, _ := tb.seats[seat].m.Signed(); v != last {
			t.Errorf("seat %d signed version %d", seat, v)
		}
	}
}

// What another seat has refused is replaced at the next tick, lest two seats outbid each other for
// ever: also by a booking, which goes before anything else.
func TestRefusedProposalIsReplacedAtTheTick(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 4, 10)
	tb.must(0, channel.Received{From: 1, Message: tb.propose(l, 3, []protocol.MatchTerms{terms}, nil)})
	tb.must(0, channel.Received{From: 2, Message: message.Reject{Version: 4, Digest: l.Digest(tb.domain), Code: message.Refused}})
	tb.mustMove(0, id, Win)
	if p := only[message.Propose](tb.answers(0)); len(p) != 0 {
		t.Fatalf("proposed at once: %+v", p)
	}
	tb.must(0, channel.Tick{})
	// to both
	if p := only[message.Propose](tb.answers(0)); len(p) != 2 || len(p[0].Bookings) != 1 {
		t.Fatalf("proposed at the tick: %+v", p)
	}
}

// bookedBelow is a match that a ledger has booked, by an agreement, below another one that seat 0
// has signed and that may still be completed: it is not forgotten, and not locked. Seat 0 has not
// signed its turn 0.
func bookedBelow(t *testing.T) (*table, channel.MatchView) {
	tb := openTable(t, 2)
	id := tb.locked(0, tb.proposal(100))
	stakes := tb.view(0, id).Terms.Stakes
	a := protocol.Agreement{MatchID: id, Payouts: stakes}
	tb.must(0, channel.OfferAgreement{MatchID: id, Payouts: stakes})
	tb.must(0, channel.Received{From: 1, Message: message.AgreementSignature{Agreement: a, Seat: 1, Signature: tb.sign(1, a.Digest(tb.domain))}})
	booking := only[message.Propose](tb.answers(0))[0]
	digest := booking.Ledger.Digest(tb.domain)
	tb.must(0, channel.Received{From: 1, Message: message.Reject{Version: 4, Digest: digest, Code: message.Superseded, Signed: 5}})
	tb.must(0, channel.Tick{})
	if v, _ := tb.seats[0].m.Signed(); v != 6 {
		t.Fatalf("signed version %d", v)
	}
	tb.answers(0)
	tb.must(0, channel.Received{From: 1, Message: tb.completed(booking)})
	v := tb.view(0, id)
	if tb.seats[0].m.Ledger().Version != 4 || v.Locked || v.Mark != 0 || v.Agreement == nil {
		t.Fatalf("ledger %d: %+v", tb.seats[0].m.Ledger().Version, v)
	}
	return tb, v
}

// Such a match waits for nothing: nothing is proposed for it, and what our user wants next is.
func TestBookedMatchWaitsForNothing(t *testing.T) {
	tb, _ := bookedBelow(t)
	if p := only[message.Propose](tb.answers(0)); len(p) != 0 {
		t.Errorf("proposed %+v", p)
	}
	tb.must(0, tb.proposal(10))
	if p := only[message.Propose](tb.answers(0)); len(p) != 1 || len(p[0].Matches) != 1 || len(p[0].Bookings) != 0 {
		t.Errorf("proposed %+v", p)
	}
}

// Seat 1 has a match booked by one agreement and, after all have begun to close on that, by another
// one, which had been signed before: that ledger counts, for it would on-chain, and no second
// closing ledger is signed.
func TestAttack_AbandonedClosing_LateBooking(t *testing.T) {
	tb := openTable(t, 3) // seat 2 plays no part
	id := tb.locked(0, tb.proposal(100, 0, 1))
	full := tb.seats[0].m.Ledger()
	signed := func(payouts ...uint64) *protocol.SignedAgreement {
		return tb.signedAgreement(protocol.Agreement{MatchID: id, Payouts: numbers(payouts...)}, 0, 1)
	}
	first, second := signed(150, 50), signed(50, 150)
	tb.must(0, channel.OfferAgreement{MatchID: id, Payouts: second.Payouts})
	tb.must(0, channel.Received{From: 1, Message: message.AgreementSignature{Agreement: first.Agreement, Seat: 1, Signature: first.Signatures[1]}})
	tb.must(0, channel.AcceptAgreement{MatchID: id, Seat: 1, Payouts: first.Payouts})
	own := only[message.Propose](tb.answers(0))[0]
	booking := func(version uint64, a *protocol.SignedAgreement) message.Propose {
		l := protocol.Ledger{ChannelID: tb.id, Version: version, Balances: slices.Clone(full.Balances)}
		for i := range 2 {
			l.Balances[i].Add(&l.Balances[i], &a.Payouts[i])
		}
		return tb.propose(l, full.Version, nil, []protocol.Booking{{MatchID: id, Payouts: a.Payouts, Agreement: a}})
	}
	late := booking(own.Ledger.Version+1, second)
	tb.must(0, channel.Received{From: 1, Message: late})
	if v, _ := tb.seats[0].m.Signed(); v != late.Ledger.Version {
		t.Fatalf("signed version %d", v)
	}
	tb.must(0, channel.Received{From: 1, Message: tb.completed(own)})
	closing := own.Ledger
	closing.Version, closing.Closing = late.Ledger.Version+3, true
	tb.must(0, channel.Received{From: 1, Message: tb.propose(closing, own.Ledger.Version, nil, nil)})
	if v, _ := tb.seats[0].m.Signed(); v != closing.Version {
		t.Fatalf("signed version %d", v)
	}
	tb.must(0, channel.Received{From: 1, Message: tb.completed(late)})
	if l := tb.seats[0].m.Ledger(); l.Version != late.Ledger.Version {
		t.Fatalf("ledger %d", l.Version)
	}
	tb.must(0, channel.Tick{})
	if v, _ := tb.seats[0].m.Signed(); v != closing.Version {
		t.Fatalf("signed version %d after the closing ledger", v)
	}
}

// What is wanted waits for the user's policy, and is proposed by the input after.
func TestWantedMatchWaits(t *testing.T) {
	tb := openTable(t, 2)
	wait := true
	tb.seats[0].cfg.Policy.Wait = func() bool { return wait }
	tb.restart(0)
	tb.must(0, tb.proposal(10))
	tb.must(0, channel.Tick{})
	if p := only[message.Propose](tb.answers(0)); len(p) != 0 {
		t.Fatalf("proposed while it waits: %+v", p)
	}
	wait = false
	tb.must(0, channel.Tick{})
	if p := only[message.Propose](tb.answers(0)); len(p) != 1 || len(p[0].Matches) != 1 {
		t.Fatalf("proposed: %+v", p)
	}
}
