package channel_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Terms that the Arena would refuse are refused, each for what is wrong with them.
func TestMatchTermsAreChecked(t *testing.T) {
	amounts := func(n int) []uint256.Int { return make([]uint256.Int, n) }
	for name, c := range map[string]struct {
		terms protocol.MatchTerms
		want  error
	}{
		"some of three":    {protocol.MatchTerms{Seats: []uint8{0, 2}, Stakes: amounts(2), Params: make([]byte, protocol.MaxParams)}, nil},
		"all of three":     {protocol.MatchTerms{Seats: []uint8{0, 1, 2}, Stakes: amounts(3)}, nil},
		"one seat":         {protocol.MatchTerms{Seats: []uint8{0}, Stakes: amounts(1)}, protocol.ErrTerms},
		"too few stakes":   {protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: amounts(1)}, protocol.ErrTerms},
		"too many stakes":  {protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: amounts(3)}, protocol.ErrTerms},
		"no seat 3":        {protocol.MatchTerms{Seats: []uint8{0, 3}, Stakes: amounts(2)}, protocol.ErrTerms},
		"four of three":    {protocol.MatchTerms{Seats: []uint8{0, 1, 2, 3}, Stakes: amounts(4)}, protocol.ErrTerms},
		"descending":       {protocol.MatchTerms{Seats: []uint8{1, 0}, Stakes: amounts(2)}, protocol.ErrTerms},
		"twice":            {protocol.MatchTerms{Seats: []uint8{1, 1}, Stakes: amounts(2)}, protocol.ErrTerms},
		"long parameters":  {protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: amounts(2), Params: make([]byte, protocol.MaxParams+1)}, protocol.ErrTerms},
		"stakes that wrap": {protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: []uint256.Int{*new(uint256.Int).SetAllOne(), *uint256.NewInt(1)}}, protocol.ErrTerms},
	} {
		if err := c.terms.Check(3); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What doesn't follow from the ledger that all have signed is refused as that, whatever else is
// wrong with it, and ends in no panic.
func TestLedgersThatDoNotFollow(t *testing.T) {
	for name, change := range map[string]func(*message.Propose){
		"books a match that is not locked": func(p *message.Propose) { p.Bookings = []protocol.Booking{{MatchID: common.Hash{1}}} },
		"locks for seats that there are not": func(p *message.Propose) {
			p.Matches = []protocol.MatchTerms{{ChannelID: p.Ledger.ChannelID, Nonce: p.Ledger.Version << 8, Rules: toyAddress,
				Seats: []uint8{0, 9}, Stakes: make([]uint256.Int, 2)}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			p := tb.propose(protocol.Ledger{ChannelID: tb.id, Version: 3, Balances: tb.terms.Deposits}, 1, nil, nil)
			change(&p)
			if err := tb.says(1, 0, p); err != nil {
				t.Fatal(err)
			}
			signed, _ := tb.seats[0].m.Signed()
			if r := only[message.Reject](tb.answers(0)); len(r) != 1 || r[0].Code != message.WrongLedger || signed != 0 {
				t.Errorf("answered %+v, signed %d", r, signed)
			}
		})
	}
}

// Two matches are booked at once.
func TestBookingsTogether(t *testing.T) {
	tb := openTable(t, 2)
	ids := []common.Hash{tb.match(0), tb.match(0)}
	full := tb.seats[0].m.Ledger()
	var bookings []protocol.Booking
	for _, id := range ids {
		tb.mustMove(0, id, Win)
		bookings = append(bookings, protocol.Booking{MatchID: id, Turn: 1, Payouts: []uint256.Int{*uint256.NewInt(200), {}}})
	}
	tb.queue = nil
	signed, _ := tb.seats[0].m.Signed()
	l := protocol.Ledger{ChannelID: tb.id, Version: signed + 1, Balances: []uint256.Int{*uint256.NewInt(deposit + 200), *uint256.NewInt(deposit - 200)}}
	if err := tb.says(1, 0, tb.propose(l, full.Version, nil, bookings)); err != nil {
		t.Fatal(err)
	}
	if got := tb.seats[0].m.Ledger(); got.Version != l.Version || !slices.Equal(balances(got), []uint64{deposit + 200, deposit - 200}) {
		t.Errorf("ledger %d: %v", got.Version, balances(got))
	}
}

// A node of the chain says that a match paid out what was never staked: no ledger is signed for it.
func TestPayoutsThatWereNotStaked(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	before, _ := tb.seats[0].m.Signed()
	e := tb.decided(id)
	e.Record.Payouts = []uint256.Int{*uint256.NewInt(201), {}}
	tb.seen(0, e)
	if after, _ := tb.seats[0].m.Signed(); after != before || len(tb.queue) > 0 {
		t.Errorf("signed %d, %d before; %d messages", after, before, len(tb.queue))
	}
}

// After we signed a closing ledger, one below it that locks a match is completed. It counts, and we
// sign no closing ledger while the match is locked, not even where nothing is staked on it, so that
// the balances are the same.
func TestClosingOverLateLock(t *testing.T) {
	for _, stake := range []uint64{0, 10} {
		tb := openTable(t, 3)
		x := protocol.MatchTerms{ChannelID: tb.id, Nonce: 4 << 8, Rules: toyAddress, Seats: []uint8{1, 2}, Stakes: numbers(stake, stake)}
		locks := protocol.Ledger{ChannelID: tb.id, Version: 4, Locks: []protocol.Lock{{MatchID: x.ID(tb.domain), Stakes: x.Stakes}},
			Balances: numbers(deposit, deposit-stake, deposit-stake)}
		closing := protocol.Ledger{ChannelID: tb.id, Version: 5, Closing: true, Balances: tb.terms.Deposits}
		for _, p := range []message.Propose{tb.propose(locks, 1, []protocol.MatchTerms{x}, nil), tb.propose(closing, 1, nil, nil)} {
			if err := tb.says(int(p.Ledger.Version)%3, 0, p); err != nil {
				t.Fatal(err)
			}
		}
		if signed, _ := tb.seats[0].m.Signed(); signed != 5 {
			t.Fatalf("signed %d", signed)
		}
		tb.shows(0, locks)
		if signed, _ := tb.seats[0].m.Signed(); signed != 5 || tb.seats[0].m.Ledger().Version != 4 {
			t.Errorf("stakes of %d: ledger %d, signed %d", stake, tb.seats[0].m.Ledger().Version, signed)
		}
	}
}

// A ledger locks so many matches, and no more.
func TestLocksOfALedger(t *testing.T) {
	for locks, want := range map[int]error{protocol.MaxLocks - 1: nil, protocol.MaxLocks: protocol.ErrBusy} {
		tb := openTable(t, 2)
		l := protocol.Ledger{ChannelID: tb.id, Version: 2}
		stakes := []uint256.Int{*uint256.NewInt(1), *uint256.NewInt(1)}
		for i := range locks {
			l.Locks = append(l.Locks, protocol.Lock{MatchID: common.Hash{1, byte(i)}, Stakes: stakes})
		}
		for range tb.seats {
			l.Balances = append(l.Balances, *uint256.NewInt(deposit - uint64(locks)))
		}
		tb.shows(0, l)
		if err := tb.step(0, tb.proposal(10)); !errors.Is(err, want) {
			t.Errorf("one more than %d: %v", locks, err)
		}
	}
}
