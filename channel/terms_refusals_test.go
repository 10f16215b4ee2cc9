package channel_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/channel/internal/toyrules"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// termsOf are terms of a channel of so many seats that the Arena takes.
func termsOf(seats int) channel.Terms {
	t := channel.Terms{Window: 100, OpenBy: 1000}
	for i := range seats {
		t.Players = append(t.Players, common.Address{1, byte(i)})
		t.Signers = append(t.Signers, common.Address{2, byte(i)})
		t.Deposits = append(t.Deposits, *uint256.NewInt(deposit))
	}
	return t
}

// Terms that the Arena would not open are signed by nobody.
func TestTermsRefuse(t *testing.T) {
	for _, n := range []int{2, games.MaxSeats} {
		if terms := termsOf(n); terms.Check() != nil {
			t.Fatalf("%d seats: %v", n, terms.Check())
		}
	}
	for name, spoil := range map[string]func(*channel.Terms){
		"one seat":           func(t *channel.Terms) { *t = termsOf(1) },
		"17 seats":           func(t *channel.Terms) { *t = termsOf(games.MaxSeats + 1) },
		"a deposit too few":  func(t *channel.Terms) { t.Deposits = t.Deposits[:2] },
		"a deposit too many": func(t *channel.Terms) { t.Deposits = append(t.Deposits, uint256.Int{}) },
		"a signer too few":   func(t *channel.Terms) { t.Signers = t.Signers[:2] },
		"no player":          func(t *channel.Terms) { t.Players[1] = common.Address{} },
		"no signer":          func(t *channel.Terms) { t.Signers[1] = common.Address{} },
		"a player twice":     func(t *channel.Terms) { t.Players[2] = t.Players[0] },
		"a signer twice":     func(t *channel.Terms) { t.Signers[2] = t.Signers[0] },
		"too much money":     func(t *channel.Terms) { t.Deposits[1].SetAllOne() },
	} {
		terms := termsOf(3)
		if spoil(&terms); !errors.Is(terms.Check(), channel.ErrTerms) {
			t.Errorf("%s: %v", name, terms.Check())
		}
	}
}

// A seat is found by its player and by its signer.
func TestSeatOf(t *testing.T) {
	terms := termsOf(3)
	for i := range 3 {
		if terms.SeatOf(terms.Players[i]) != i || terms.SeatOf(terms.Signers[i]) != i {
			t.Errorf("seat %d is not found", i)
		}
	}
	if seat := terms.SeatOf(common.Address{9}); seat != -1 {
		t.Errorf("a stranger has seat %d", seat)
	}
}

// Ledgers that the Arena would not pay out: whoever signed one would have money in it that nobody can get at.
func TestLedgersRefuse(t *testing.T) {
	lock := func(id byte, stake uint64) channel.Lock {
		return channel.Lock{MatchID: common.Hash{id}, Stakes: []uint256.Int{*uint256.NewInt(stake), *uint256.NewInt(stake)}}
	}
	ledger := func(version uint64, closing bool, locks ...channel.Lock) channel.Ledger {
		l := channel.Ledger{Version: version, Closing: closing, Locks: locks}
		for _, d := range termsOf(2).Deposits {
			for _, k := range locks {
				d.Sub(&d, &k.Stakes[0])
			}
			l.Balances = append(l.Balances, d)
		}
		return l
	}
	terms := termsOf(2)
	for name, l := range map[string]channel.Ledger{
		"the last version": ledger(channel.MaxVersion, false), "two locks": ledger(2, false, lock(1, 10), lock(2, 10)), "closing": ledger(2, true),
	} {
		if err := l.Check(&terms); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	third := ledger(2, false)
	third.Balances = append(third.Balances, uint256.Int{})
	more := ledger(2, false)
	more.Balances[0].AddUint64(&more.Balances[0], 1)
	wide := ledger(2, false)
	wide.Balances[0].SetAllOne()
	for name, x := range map[string]struct {
		l    channel.Ledger
		says string
	}{
		"no version":           {ledger(0, false), "version"},
		"version of 41 bits":   {ledger(channel.MaxVersion+1, false), "version"},
		"a balance too many":   {third, "balances"},
		"closing with a lock":  {ledger(2, true, lock(1, 10)), "closing"},
		"locks out of order":   {ledger(2, false, lock(2, 10), lock(1, 10)), "ascending"},
		"a match locked twice": {ledger(2, false, lock(1, 10), lock(1, 10)), "ascending"},
		"a unit from nowhere":  {more, "sums"},
		"more than there is":   {wide, "overflow"},
	} {
		if err := x.l.Check(&terms); !errors.Is(err, channel.ErrTerms) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := ledger(2, false)
	if terms.Deposits[0].SetAllOne(); !errors.Is(l.Check(&terms), channel.ErrTerms) {
		t.Errorf("deposits that overflow: %v", l.Check(&terms))
	}
}

// A machine is not made where it could sign nothing, or sign for somebody else.
func TestConfigRefuses(t *testing.T) {
	tb := openTable(t, 2)
	for name, spoil := range map[string]func(*channel.Config){
		"bad terms":       func(c *channel.Config) { c.Terms.Window = 0 },
		"no such seat":    func(c *channel.Config) { c.Seat = 2 },
		"seat -1":         func(c *channel.Config) { c.Seat = -1 },
		"no signer":       func(c *channel.Config) { c.Signer = nil },
		"no rules":        func(c *channel.Config) { c.Rules = nil },
		"another's key":   func(c *channel.Config) { c.Signer = tb.keys[1] },
		"a stranger's":    func(c *channel.Config) { c.Signer = testKey("stranger") },
		"the player's":    func(c *channel.Config) { c.Signer = testKey("player 0") },
		"another's place": func(c *channel.Config) { c.Seat = 1 },
	} {
		cfg := tb.seats[0].cfg
		spoil(&cfg)
		if m, _, err := channel.New(cfg); m != nil || !errors.Is(err, channel.ErrTerms) {
			t.Errorf("%s: a new channel: %v", name, err)
		}
		if m, err := channel.Restore(cfg, tb.records(0)); m != nil || !errors.Is(err, channel.ErrTerms) {
			t.Errorf("%s: an old channel: %v", name, err)
		}
	}
}

// What a round takes is signed by its player, and within what the house offers.
func TestRegistrationsRefuse(t *testing.T) {
	house, player := testKey("house"), testKey("player")
	a := channel.Authority{Domain: inviteDomain}
	r := channel.Round{House: house.Address(), Rules: toyrules.Address, Least: *uint256.NewInt(10), Most: *uint256.NewInt(20), Fewest: 1,
		Seats: channel.MaxGroup, Window: channel.MaxDeadline, Closes: 5, Shuffle: 6}
	if err := r.Check(); err != nil {
		t.Fatalf("the longest window and the largest group: %v", err)
	}
	wide := r
	if wide.Window++; !errors.Is(wide.Check(), channel.ErrTerms) {
		t.Error("a longer window than the Arena can hold is taken")
	}
	entry := func(key *channel.Key, as common.Address, stake uint64) channel.Registration {
		e := channel.Registration{Player: as, Stake: *uint256.NewInt(stake)}
		sig, err := key.Sign(e.Digest(a.Domain, r.ID(a.Domain)))
		if err != nil {
			t.Fatal(err)
		}
		e.Signature = sig
		return e
	}
	for _, x := range []struct {
		name string
		e    channel.Registration
		want error
	}{
		{"the least stake", entry(player, player.Address(), 10), nil},
		{"the largest stake", entry(player, player.Address(), 20), nil},
		{"too small a stake", entry(player, player.Address(), 9), channel.ErrTerms},
		{"too large a stake", entry(player, player.Address(), 21), channel.ErrTerms},
		{"the house", entry(house, house.Address(), 10), channel.ErrTerms},
		{"nobody", entry(player, common.Address{}, 10), channel.ErrTerms},
		{"somebody else", entry(player, common.Address{5}, 10), channel.ErrSignature},
	} {
		if err := r.CheckRegistration(a, &x.e); !errors.Is(err, x.want) {
			t.Errorf("%s: %v, want %v", x.name, err, x.want)
		}
		if err := r.CheckRegistrations(a, nil, []channel.Registration{x.e}); !errors.Is(err, x.want) {
			t.Errorf("%s in a list: %v, want %v", x.name, err, x.want)
		}
	}
}
