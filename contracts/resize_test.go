package contracts_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// resize is the closing of a channel and the opening of the one that takes its place, each signed
// by all.
type resize struct {
	close onchain.Close
	open  onchain.Open
}

// both is the transaction that the two are made for.
func (r resize) both() onchain.Batch { return onchain.Batch{r.close, r.open} }

// resizing opens a channel, and has its seats sign that it closes and what they deposit in its
// place.
func (tb *table) resizing(balances, deposits []uint64) resize {
	tb.open()
	r := resize{close: onchain.Close{Terms: tb.terms, Ledger: tb.closing(17, balances...)}}
	tb.setTerms(tb.terms.Asset, func(t *protocol.Terms) { t.Salt, t.Deposits = common.Hash{31: 2}, amounts(deposits...) })
	r.open = tb.opening()
	return r
}

// Who adds pays out of the bank, and who takes back is paid into it: nothing else moves.
func TestResize(t *testing.T) {
	tb := newTable(t, 2)
	r := tb.resizing([]uint64{stake + 7, stake - 7}, []uint64{3 * stake, 100})
	before := tb.banks()
	said := tb.must(r.both())
	want := []uint64{before[0] + stake + 7 - 3*stake, before[1] + stake - 7 - 100}
	if after := tb.banks(); !slices.Equal(after, want) {
		t.Errorf("the banks hold %d, want %d", after, want)
	}
	if _, closed := said[0].(onchain.Closed); len(said) != 2 || !closed || said[1].(onchain.Opened).ChannelID != tb.id {
		t.Errorf("the Arena says %+v", said)
	}
	tb.refused(codec.ErrBadStatus, r.both())
	// the new channel is one like any other
	tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, 100, 3*stake)})
}

// A resize is done whole or not at all.
func TestAttack_Resize_Whole(t *testing.T) {
	tb := newTable(t, 2)
	r := tb.resizing([]uint64{stake, stake}, []uint64{stake, 11 * stake}) // which bob does not have
	before := tb.banks()
	tb.refused(codec.ErrNotEnough, r.both())
	if after := tb.banks(); !slices.Equal(after, before) {
		t.Errorf("the banks hold %d, and held %d", after, before)
	}
	bob := tb.seats[1].player.address
	tb.bank(bob, eth, stake)
	r.open.Signatures[1] = tb.seats[0].open(tb.id)
	tb.refused(codec.ErrBadSignature, r.both())
	r.open.Signatures[1] = tb.seats[1].open(tb.id)
	tb.must(r.both())
}

// Whoever takes a resize apart takes nobody's money: what a channel held is in the banks or in the
// wallets, and what is left of the resize can still be sent or is refused.
func TestAttack_Resize_TakenApart(t *testing.T) {
	apart := map[string]func(*table, resize){
		"closed alone": func(tb *table, r resize) {
			tb.must(r.close)
			tb.refused(codec.ErrBadStatus, r.both())
			tb.must(r.open)
		},
		"closed alone, into the wallets": func(tb *table, r resize) {
			r.close.Push = true
			tb.must(r.close)
			for _, s := range tb.seats { // whose banks are empty
				if got := tb.wallet(s.player.address, eth); !got.Eq(uint256.NewInt(stake)) {
					tb.Errorf("a wallet holds %s", got.Dec())
				}
			}
			tb.refused(codec.ErrNotEnough, r.open)
		},
		"closed alone, and taken away": func(tb *table, r resize) {
			tb.must(r.close)
			bob := tb.seats[1].player.address
			tb.by(bob, func() { tb.must(onchain.Withdraw{Amount: *uint256.NewInt(stake), To: bob}) })
			tb.refused(codec.ErrNotEnough, r.open)
		},
		"opened alone": func(tb *table, r resize) {
			tb.refused(codec.ErrNotEnough, r.open) // what was locked is not there twice
			tb.must(r.both())
		},
		"an old ledger first": func(tb *table, r resize) {
			tb.terms, tb.id = r.close.Terms, r.close.Ledger.ChannelID
			tb.must(tb.contest(protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}, 1))
			tb.must(r.both())
		},
		"a window too late": func(tb *table, r resize) {
			tb.terms, tb.id = r.close.Terms, r.close.Ledger.ChannelID
			first := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}
			tb.must(tb.contest(first, 1))
			tb.wait(window)
			tb.must(tb.settle(first))
			tb.refused(codec.ErrBadStatus, r.both())
			tb.must(r.open)
		},
	}
	for name, do := range apart {
		t.Run(name, func(t *testing.T) {
			tb := bareTable(t, 2)
			for _, s := range tb.seats {
				tb.bank(s.player.address, eth, stake)
			}
			do(tb, tb.resizing([]uint64{stake, stake}, []uint64{stake / 2, stake}))
		})
	}
}

// gasOfResize is what a top-up of both seats costs, sent by one of them.
func gasOfResize(t *testing.T, used map[string]uint64) {
	tb := bigTable(t, 2, true)
	tb.open()
	r := resize{close: onchain.Close{Terms: tb.terms, Ledger: tb.closing(17, deposit+half, deposit-half)}}
	tb.setTerms(eth, func(t *protocol.Terms) {
		t.Salt = hash([]byte("resized"))
		for i := range t.Deposits {
			t.Deposits[i].SetUint64(deposit + half)
		}
	})
	r.open = tb.own()
	used["resize_2"] = tb.gas(r.both())
}
