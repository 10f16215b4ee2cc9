package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TestAttack_LyingRPC_Wide: one endpoint of two refuses an answer, and says that it takes as much
// gas as the account can pay for now. When gas gets dearer, and the answer urgent, it bids what it
// must all the same, at a limit that the account can pay for.
func TestAttack_LyingRPC_Wide(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		second := newProxy(t, o.chain.URL())
		o.beside(o.proxy.URL, second.URL, first)
		takes := "0x200000"
		poor := func(p *proxy, refuses bool) {
			p.also(func(method string, _ []json.RawMessage) (any, bool) {
				switch {
				case method == "eth_getBalance":
					return "0x470de4df820000", true // 0.02 ETH
				case method == "eth_estimateGas" && refuses:
					return takes, true
				case method == "eth_sendRawTransaction" && refuses:
					return errors.New("no"), true
				}
				return nil, false
			})
		}
		set := func(tip uint64) {
			o.proxy.tips(t, tip, nil)
			poor(o.proxy, true)
		}
		set(gwei)
		second.tips(t, gwei, nil)
		poor(second, false)
		r := o.answer("a", o.chain.Head()+40)
		r.Usual = 100_000
		if _, err := o.Submit(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		o.step(8)
		takes = "0x40000"
		set(50 * gwei)
		bid := second.tips(t, 50*gwei, nil)
		poor(second, false)
		if o.step(30); bid.Tip < 200*gwei {
			t.Errorf("the first lies %t: it bids %+v", first, bid)
		}
	}
}

// TestAttack_LyingRPC_Wide_Behind: an answer waits, because gas has just become dearer. One
// endpoint of two says of the next one, which failed before, that it takes nearly as much gas as
// the account can pay for. The first bids what it must all the same, before its deadline.
func TestAttack_LyingRPC_Wide_Behind(t *testing.T) {
	for _, first := range []bool{true, false} {
		for takes := uint64(334_000); takes < 348_000; takes += 3000 {
			o := newPoorOffice(t, 2_000_000_000_000_000)
			second := newProxy(t, o.chain.URL())
			o.beside(o.proxy.URL, second.URL, first)
			market := func(tip uint64) {
				second.spike(t, tip, 3*gwei)
				o.proxy.spike(t, tip, 3*gwei)
				o.proxy.also(func(method string, _ []json.RawMessage) (any, bool) {
					return hexutil.Uint64(takes), method == "eth_estimateGas"
				})
			}
			market(gwei)
			o.mine(1)
			o.defend("a", o.chain.Head()+11)
			market(3 * gwei)
			r := o.answer("b", 1000)
			r.Usual, r.Failed = 100_000, true
			must(o.Submit(t.Context(), r))
			if o.step(9); o.status("a").Progress != chain.Done {
				t.Errorf("the first lies %t, and says %d: it is %v", first, takes, o.status("a").Progress)
			}
		}
	}
}

// TestAttack_LyingRPC_Wide_Denied: an answer landed, and the next one failed before, because it
// takes more gas than most. One endpoint of two says that the first did not land, names a tip at
// which it would cost all that the account has, and says that the next takes little gas. It has the
// gas that it takes.
func TestAttack_LyingRPC_Wide_Denied(t *testing.T) {
	for _, first := range []bool{true, false} {
		p, _, _ := newPool(t, first, func(method string, params []json.RawMessage) (any, bool) {
			switch method {
			case "eth_estimateGas":
				return "0x5208", true
			case "eth_maxPriorityFeePerGas":
				return "0x38d7ea4c68000", true // 1e15
			}
			return deny(method, params)
		})
		p.least = 0
		p.fund(p.Address(), 10_000_000_000_000_000)
		p.mine(1)
		for i, word := range []string{"a", "b"} {
			r := p.answer(word, 1000)
			r.Usual, r.Failed = 80_000-50_000*uint64(i), i == 1
			must(p.Submit(t.Context(), r))
			if p.step(3); !p.did(word) {
				t.Errorf("the first lies %t: %s is %+v", first, word, p.status(word))
			}
		}
	}
}
