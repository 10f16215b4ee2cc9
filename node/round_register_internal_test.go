package node

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestRegistering: a player registers once for a round, while it takes registrations, again only as
// it did before or after the house refused it, and names as its referrer another player who is
// registered.
func TestRegistering(t *testing.T) {
	t.Parallel()
	l, n := newLab(t), Join(t, nil)
	house, bob := playerKey(t, 7).Address(), common.Address{0xb0}
	own := func(stake uint64, referrer common.Address) *matchmaking.Registration {
		e := bets(n.Account(), stake)
		e.Referrer = referrer
		return &e
	}
	for name, c := range map[string]struct {
		change   func(*Round)
		referrer common.Address
		want     error
		by       common.Address // whom it names as its referrer
	}{
		"as it should":                  {},
		"with a referrer":               {referrer: bob, by: bob},
		"referred by the house":         {referrer: house},
		"referred by itself":            {referrer: n.Account()},
		"referred by nobody registered": {referrer: common.Address{0xca}, want: ErrDeclined},
		"again":                         {change: func(r *Round) { r.Own = own(0, common.Address{}) }},
		"with another stake":            {change: func(r *Round) { r.Own = own(1, common.Address{}) }, want: ErrDeclined},
		"with another referrer":         {change: func(r *Round) { r.Own = own(0, bob) }, want: ErrDeclined},
		"otherwise, after a refusal":    {change: func(r *Round) { r.Own, r.Trouble = own(1, common.Address{}), "no room" }},
		"otherwise, in the list": {change: func(r *Round) {
			r.Own, r.Trouble = own(1, common.Address{}), "sealed too late"
			r.Entries = append(r.Entries, *r.Own)
		}, want: ErrDeclined},
		"too late":                          {change: func(r *Round) { r.Terms.Closes = n.block() }, want: ErrDeclined},
		"when it is sealed":                 {change: func(r *Round) { r.Seal = protocol.Signature{1} }, want: ErrDeclined},
		"for too little":                    {change: func(r *Round) { r.Terms.Least.SetUint64(1) }, want: protocol.ErrTerms},
		"for what no channel is joined for": {change: func(r *Round) { r.Terms.Window = 1 }, want: protocol.ErrTerms},
	} {
		r := tableBy(t, n, house)
		r.Terms.Closes = n.block() + 1000
		r.Entries = []matchmaking.Registration{bets(bob, 0)}
		if c.change != nil {
			c.change(&r)
		}
		r.ID = r.Terms.ID(n.domain)
		l.putRound(n, &r)
		err := n.Register(t.Context(), r.ID, new(uint256.Int), c.referrer)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		now, failed := n.Round(r.ID)
		if failed != nil {
			t.Fatal(failed)
		}
		if err == nil && (now.Own == nil || !now.Own.Stake.IsZero() || now.Own.Referrer != c.by || now.Trouble != "") {
			t.Errorf("%s: %+v, %q", name, now.Own, now.Trouble)
		}
	}
}

// TestTooLate: who comes when a table has begun is told why it can't be joined, and which one it
// can.
func TestTooLate(t *testing.T) {
	t.Parallel()
	l, n := newLab(t), Join(t, nil)
	house := playerKey(t, 7).Address()
	full, over, open := tableBy(t, n, house), tableBy(t, n, house), tableBy(t, n, house)
	full.Terms.Closes, full.Seal = n.block()+1000, protocol.Signature{1}
	over.Terms.Closes = n.block()
	open.Terms.Closes = n.block() + 2000
	says := func(r *Round, want string) {
		t.Helper()
		r.ID = r.Terms.ID(n.domain)
		l.putRound(n, r)
		if err := n.Register(t.Context(), r.ID, new(uint256.Int), common.Address{}); !errors.Is(err, ErrDeclined) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	says(&full, "all places are taken, and it has begun; ask its house for another")
	says(&over, fmt.Sprintf("registration is over since block %d; ask its house for another", over.Terms.Closes))
	full.Again = 1
	says(&full, fmt.Sprintf("it has begun; the next opens at block %d", full.Terms.Closes))
	open.ID = open.Terms.ID(n.domain)
	l.putRound(n, &open)
	says(&full, fmt.Sprintf("it has begun; %s takes players until block %d", open.ID.Hex()[:10], open.Terms.Closes))
}
