package chain_test

import (
	"encoding/json"
	"errors"
	"testing"
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
