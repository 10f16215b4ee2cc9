package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/chain"
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
		config := chain.Config{URL: o.proxy.URL, Second: second.URL}
		if !first {
			config.URL, config.Second = config.Second, config.URL
		}
		o.client = o.dial(config)
		o.restart()
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
