package contracts_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// refuseTerms checks that terms changed in each of the ways can't be opened, signed by all as they
// may be, and that nothing is locked.
func refuseTerms(t *testing.T, want error, changes map[string]func(*protocol.Terms)) {
	t.Helper()
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, 3)
			tb.setTerms(eth, change)
			before := tb.banks()
			tb.refused(want, tb.opening())
			if after := tb.banks(); !slices.Equal(after, before) {
				t.Errorf("banks were %v, are %v", before, after)
			}
		})
	}
}

func TestAttack_DuplicateSeat(t *testing.T) {
	refuseTerms(t, codec.ErrBadTerms, map[string]func(*protocol.Terms){
		"player":              func(t *protocol.Terms) { t.Players[2] = t.Players[0] },
		"signer":              func(t *protocol.Terms) { t.Signers[2] = t.Signers[0] },
		"neighbouring signer": func(t *protocol.Terms) { t.Signers[2] = t.Signers[1] },
	})
}

func TestAttack_ZeroSigner(t *testing.T) {
	refuseTerms(t, codec.ErrBadTerms, map[string]func(*protocol.Terms){
		"signer": func(t *protocol.Terms) { t.Signers[1] = common.Address{} },
		"player": func(t *protocol.Terms) { t.Players[1] = common.Address{} },
	})
}

func TestAttack_WindowBounds(t *testing.T) {
	refuseTerms(t, codec.ErrBadTerms, map[string]func(*protocol.Terms){
		"0":        func(t *protocol.Terms) { t.Window = 0 },
		"low":      func(t *protocol.Terms) { t.Window = minWindow - 1 },
		"high":     func(t *protocol.Terms) { t.Window = maxWindow + 1 },
		"uint48+1": func(t *protocol.Terms) { t.Window = 1 << 48 },
		"2^64-1":   func(t *protocol.Terms) { t.Window = 1<<64 - 1 },
	})
	for _, w := range []uint64{minWindow, maxWindow} {
		tb := newTable(t, 2)
		tb.setTerms(eth, func(t *protocol.Terms) { t.Window = w })
		tb.open()
	}
}

func TestBadShapes(t *testing.T) {
	refuseTerms(t, codec.ErrBadTerms, map[string]func(*protocol.Terms){
		"few signers":   func(t *protocol.Terms) { t.Signers = t.Signers[:2] },
		"few deposits":  func(t *protocol.Terms) { t.Deposits = t.Deposits[:2] },
		"many deposits": func(t *protocol.Terms) { t.Deposits = append(t.Deposits, uint256.Int{}) },
		"one seat": func(t *protocol.Terms) {
			t.Players, t.Signers, t.Deposits = t.Players[:1], t.Signers[:1], t.Deposits[:1]
		},
		"seventeen seats": func(t *protocol.Terms) {
			for i := len(t.Players); i < 17; i++ {
				t.Players = append(t.Players, common.Address{byte(i)})
				t.Signers = append(t.Signers, common.Address{byte(i), 1})
				t.Deposits = append(t.Deposits, uint256.Int{})
			}
		},
	})
}

// Deposits whose sum wraps lock nothing.
func TestAttack_Overflow(t *testing.T) {
	refuseTerms(t, codec.ErrOverflow, map[string]func(*protocol.Terms){
		"deposits": func(t *protocol.Terms) { t.Deposits[0].SetAllOne() },
	})
	refuseTerms(t, codec.ErrNotEnough, map[string]func(*protocol.Terms){
		"more than the bank holds": func(t *protocol.Terms) { t.Deposits[1].SetUint64(10*stake + 1) },
	})
	tb := newTable(t, 2).open()
	l := protocol.Ledger{ChannelID: tb.id, Version: 2, Balances: amounts(0, 2*stake+1)}
	l.Balances[0].SetAllOne() // the sum wraps to the deposits'
	tb.refused(codec.ErrBadLedger, tb.contest(tb.signLedger(l), 0))
	l.Closing = true
	tb.refused(codec.ErrBadLedger, onchain.Close{Terms: tb.terms, Ledger: tb.signLedger(l)})
}

func TestAttack_LateOpen(t *testing.T) {
	for _, b := range boundaries {
		t.Run(b.name, func(t *testing.T) {
			tb := newTable(t, 2)
			tb.until(tb.terms.OpenBy, b.offset)
			if b.offset <= 0 { // openBy is the last moment
				tb.open()
				return
			}
			tb.refused(codec.ErrTooLate, tb.opening())
		})
	}
}

// An opening works once, however the channel goes on.
func TestAttack_OpenReplay(t *testing.T) {
	tb := newTable(t, 2)
	tb.open()
	tb.refused(codec.ErrBadStatus, tb.opening())
	tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake, stake)})
	tb.refused(codec.ErrBadStatus, tb.opening())
	tb.refused(codec.ErrBadStatus, onchain.Close{Terms: tb.terms, Ledger: tb.closing(3, stake, stake)})
	tb.refused(codec.ErrBadStatus, tb.contest(tb.ledger(3, []uint64{stake, stake}), 0))
}

// Value sent where none is due is refused, and value sent along with an opening is the sender's.
func TestAttack_StrayValue(t *testing.T) {
	tb := newTable(t, 2)
	rich := newKey("rich").address
	tb.chain.Fund(rich, uint256.NewInt(stake))
	tb.auditor.Know(rich)
	open := tb.opening()
	open.Value.SetUint64(stake)
	tb.by(rich, func() { tb.must(open) })
	if got := tb.owed(rich, eth); got.Uint64() != stake {
		t.Errorf("the sender's bank holds %s, want what it sent", got.Dec())
	}
	tb.chain.Fund(rich, uint256.NewInt(stake))
	for name, a := range map[string]onchain.Action{
		"close":   onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake, stake)},
		"contest": tb.contest(protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}, 0),
		"batch":   onchain.Batch{tb.contest(protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.id, &tb.terms)}, 0)},
	} {
		call, err := tb.codec.Encode(a)
		tb.ok(err)
		if _, err := tb.chain.Send(minichain.Tx{From: rich, To: &tb.arena, Data: call.Data, Value: *uint256.NewInt(1)}); err == nil {
			t.Errorf("%s takes value", name)
		}
	}
	for name, data := range map[string][]byte{"nothing": nil, "an unknown call": {1, 2, 3, 4}} {
		if _, err := tb.chain.Send(minichain.Tx{From: rich, To: &tb.arena, Data: data, Value: *uint256.NewInt(1)}); err == nil {
			t.Errorf("value sent with %s is kept", name)
		}
	}
}

// Integers that Go takes and Solidity doesn't are refused by both before anything is done.
func TestAttack_WideInteger(t *testing.T) {
	tb := newTable(t, 2).open()
	l := protocol.Ledger{ChannelID: tb.id, Version: protocol.MaxVersion + 1, Balances: amounts(stake, stake)}
	if l.Check(&tb.terms) == nil {
		t.Error("Go signs a version that the Arena can't hold")
	}
	tb.refused(codec.ErrBadLedger, tb.contest(tb.signLedger(l), 0))
	l.Version = protocol.MaxVersion
	tb.must(tb.contest(tb.signLedger(l), 0))
}
