package contracts_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestEverySeatCount takes a channel of each size, in ETH and in a token, through a match that is
// won on the chain.
func TestEverySeatCount(t *testing.T) {
	for n := 2; n <= 16; n++ {
		for _, inToken := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d seats, token %v", n, inToken), func(t *testing.T) {
				tb := newTable(t, n)
				if inToken {
					token := tb.coin()
					for _, s := range tb.seats {
						tb.bank(s.player.address, token, 10*stake)
					}
					tb.setTerms(token)
				}
				tb.open()
				m := tb.match(2<<8, toy.Params(0), slices.Repeat([]uint64{stake / 2}, n)...)
				tb.ledger(2, slices.Repeat([]uint64{stake / 2}, n), m)
				for i := range n - 1 {
					m.play(toy.Pass(uint8(i + 1)))
				}
				m.play(toy.Win(uint8(n - 1)))
				tb.must(m.advance(m.support(0, n, m.everyone(0), m.everyone(n))))
				want := make([]uint64, n)
				want[n-1] = uint64(n) * stake / 2
				m.pays(want...)
			})
		}
	}
}

// Some of a channel's seats may play a match, and any two matches run side by side.
func TestMatchesOfSomeSeats(t *testing.T) {
	tb := newTable(t, 4).open()
	of := func(nonce uint64, seats ...uint8) *match {
		return tb.matchOf(toy.Rules{}, protocol.MatchTerms{
			ChannelID: tb.id, Nonce: nonce, Rules: tb.toy, Seats: seats, Stakes: amounts(100, 200),
			Params: toy.Params(0),
		})
	}
	one, two := of(2<<8, 0, 3), of(2<<8|1, 1, 2)
	l := tb.ledger(2, []uint64{stake - 100, stake - 100, stake - 200, stake - 200}, one, two)
	one.play(toy.Win(1))
	two.play(toy.Win(0))
	tb.must(one.advance(one.support(0, 1, one.everyone(0), one.everyone(1))))
	tb.must(tb.contest(l, 2))
	tb.wait(window)
	before := tb.banks()
	tb.must(tb.settle(l, one)) // two isn't over: it holds nothing else back
	tb.refused(codec.ErrBadStatus, onchain.Settle{Terms: tb.terms, Ledger: l.Ledger, Matches: []onchain.FinalMatch{{Terms: two.terms}}})
	two2 := two.advance(two.support(0, 1, two.everyone(0), two.everyone(1)))
	two2.Ledger = &l
	tb.must(two2)
	tb.must(tb.settle(l, two, one))
	after := tb.banks()
	for i, want := range []uint64{stake - 100, stake - 100 + 300, stake - 200, stake - 200 + 300} {
		if got := after[i] - before[i]; got != want {
			t.Errorf("%s gets %d, want %d", tb.seats[i].name, got, want)
		}
	}
	tb.empty(t)
}

// Closing pays what the ledger says, to the bank or to the wallets, contested before or not.
func TestClosePays(t *testing.T) {
	for _, push := range []bool{false, true} {
		for _, contested := range []bool{false, true} {
			tb := newTable(t, 3).open()
			if contested {
				tb.must(tb.contest(tb.ledger(4, []uint64{stake, stake, stake}), 1))
			}
			before := tb.banks()
			tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(5, 3*stake-1, 1, 0), Push: push})
			for i, want := range []uint64{3*stake - 1, 1, 0} {
				got := tb.owed(tb.seats[i].player.address, eth).Uint64() - before[i]
				if push {
					got = tb.wallet(tb.seats[i].player.address, eth).Uint64()
				}
				if got != want {
					t.Errorf("push %v, contested %v: %s gets %d, want %d", push, contested, tb.seats[i].name, got, want)
				}
			}
			tb.empty(t)
		}
	}
}

// A ledger that isn't closing, or has locks, or lacks a signature closes nothing.
func TestCloseRefuses(t *testing.T) {
	tb, _ := newMatch(t, 2)
	locked := tb.newest.Ledger
	locked.Closing = true
	open := tb.ledger(2, []uint64{stake, stake})
	unsigned := tb.closing(2, stake, stake)
	unsigned.Signatures = unsigned.Signatures[:1]
	swapped := tb.closing(2, stake, stake)
	slices.Reverse(swapped.Signatures)
	short := protocol.Ledger{ChannelID: tb.id, Version: 2, Closing: true, Balances: amounts(2 * stake)}
	more := protocol.Ledger{ChannelID: tb.id, Version: 2, Closing: true, Balances: amounts(stake, stake+1)}
	for name, tc := range map[string]struct {
		l    protocol.SignedLedger
		want error
	}{
		"with locks":       {tb.signLedger(locked), codec.ErrBadLedger},
		"not closing":      {open, codec.ErrBadLedger},
		"one signature":    {unsigned, codec.ErrBadSignature},
		"swapped":          {swapped, codec.ErrBadSignature},
		"too few balances": {tb.signLedger(short), codec.ErrBadLedger},
		"one wei more":     {tb.signLedger(more), codec.ErrBadLedger},
	} {
		t.Run(name, func(t *testing.T) { tb.refused(tc.want, onchain.Close{Terms: tb.terms, Ledger: tc.l}) })
	}
}

func TestBank(t *testing.T) {
	tb := newTable(t, 2)
	me, friend := tb.seats[0].player.address, newKey("friend").address
	one := *uint256.NewInt(1)
	tb.by(me, func() {
		tb.refused(codec.ErrNotEnough, onchain.Withdraw{Amount: *uint256.NewInt(10*stake + 1), To: me})
		tb.refused(codec.ErrBadAccount, onchain.Withdraw{Amount: one})
		tb.must(onchain.Withdraw{Amount: *uint256.NewInt(10 * stake), To: friend})
		tb.refused(codec.ErrNotEnough, onchain.Withdraw{Amount: one, To: me})
		tb.chain.Fund(me, &one)
		tb.refused(codec.ErrBadAccount, onchain.Deposit{Amount: one})
		tb.must(onchain.Deposit{Account: friend, Amount: one}) // for somebody else
	})
	if got := tb.owed(friend, eth); !got.Eq(&one) {
		t.Errorf("the friend's bank holds %s", got.Dec())
	}
	if got := tb.wallet(friend, eth); got.Uint64() != 10*stake {
		t.Errorf("the friend was paid %s", got.Dec())
	}
}

// The clock may be seconds as well as blocks, with the same exact boundaries.
func TestClockOfSeconds(t *testing.T) {
	tb := newTable(t, 2)
	tb.arena = tb.deploy(bindings.ArenaMetaData.Bin, arenaABI.PackConstructor(false, minWindow, maxWindow))
	tb.domain.Arena = tb.arena
	tb.codec = codec.New(tb.domain)
	tb.audit()
	for _, s := range tb.seats {
		tb.bank(s.player.address, eth, stake)
	}
	tb.setTerms(eth, func(t *protocol.Terms) { t.OpenBy = tb.chain.Time() })
	tb.open()
	first := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}
	tb.must(tb.contest(first, 0))
	if got := tb.posted[tb.id].Deadline; got != tb.chain.Time()+window {
		t.Fatalf("deadline %d at %d", got, tb.chain.Time())
	}
	tb.chain.Wait(window - 1)
	tb.refused(codec.ErrTooEarly, tb.settle(first))
	tb.chain.Wait(1)
	tb.must(tb.settle(first))
}

// Bounds that no window can be held within are refused when an Arena is made.
func TestConstructorRefuses(t *testing.T) {
	tb := bareTable(t, 2)
	for _, b := range [][2]uint64{{0, 10}, {3, 10}, {10, 9}, {10, 1 << 48}} {
		code := append(common.FromHex(bindings.ArenaMetaData.Bin), arenaABI.PackConstructor(true, b[0], b[1])...)
		if _, _, err := tb.chain.Deploy(tb.sender, code); err == nil {
			t.Errorf("an Arena with windows of %d to %d was made", b[0], b[1])
		}
	}
}

// The Arena says itself what its signatures are under.
func TestDomainIsTold(t *testing.T) {
	tb := bareTable(t, 2)
	out, err := tb.chain.Call(tb.sender, tb.arena, arenaABI.PackEip712Domain())
	tb.ok(err)
	d, err := arenaABI.UnpackEip712Domain(out)
	tb.ok(err)
	if d.Name != "Ante" || d.Version != "1" || d.ChainId.Uint64() != chainID || d.VerifyingContract != tb.arena {
		t.Errorf("domain %+v", d)
	}
}

// Calls come together or not at all, and none can use value.
func TestBatch(t *testing.T) {
	tb, m := newMatch(t, 2)
	bad := m.advance(m.support(0, 0))
	tb.refused(codec.ErrBadSupport, onchain.Batch{tb.contest(*tb.newest, 0), bad})
	if tb.posted[tb.id] != nil {
		t.Error("half of a batch was done")
	}
	said := tb.must(onchain.Batch{m.advance(m.support(0, 0, m.everyone(0))), tb.contest(*tb.newest, 0)})
	if len(said) != 2 {
		t.Errorf("the Arena says %+v", said)
	}
}
