package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_Transfer: one endpoint of two says that an empty transfer takes hardly any
// gas. A gap in the nonces is filled all the same, and the answer behind it lands.
func TestAttack_LyingRPC_Transfer(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		far := true
		lie := func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				if method == "eth_estimateGas" {
					return "0x1", !far
				}
				return "0x1", far && method == "eth_getTransactionCount"
			}
		}
		second := newProxy(t, o.chain.URL())
		o.proxy.set(lie)
		second.set(lie)
		o.beside(o.proxy.URL, second.URL, first)
		r := o.answer("a", o.chain.Head()+40)
		r.Usual = 100_000
		if _, err := o.Submit(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		far = false
		second.set(func(p *proxy) { p.lie = nil })
		if o.step(30); o.status("a").Progress < chain.Mined {
			t.Errorf("the first lies %t: the answer did not land, %d sent", first, o.sent())
		}
	}
}

// TestAttack_LyingRPC_Transfer_Data: one endpoint of two says so, and takes whatever it is sent, on
// a chain where a transfer takes more than 21,000 gas because its data does. Nor is there an end to
// what is sent then.
func TestAttack_LyingRPC_Transfer_Data(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		honest, liar, far := o.proxy, newProxy(t, o.chain.URL()), true
		m := &meter{office: o, byte: 1000}
		honest.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				if far && method == "eth_getTransactionCount" {
					return "0x1", true
				}
				return m.answer(method, params)
			}
		})
		liar.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				switch method {
				case "eth_getTransactionCount":
					return "0x1", far
				case "eth_estimateGas":
					return "0x1", !far
				}
				return common.Hash{1}, method == "eth_sendRawTransaction"
			}
		})
		o.beside(liar.URL, honest.URL, first)
		r := o.answer("a", o.chain.Head()+40)
		r.Usual = 1_000_000
		if _, err := o.Submit(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		far = false
		if o.step(30); o.status("a").Progress < chain.Mined {
			t.Errorf("the first lies %t: the answer did not land, %d sent", first, o.sent())
		}
	}
}
