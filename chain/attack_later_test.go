package chain_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_PricedOut_ByARichLie_Later: one endpoint of two says that the account is rich when it
// can't pay for an answer. When gas gets cheaper, so that it can, the answer lands.
func TestAttack_PricedOut_ByARichLie_Later(t *testing.T) {
	for _, rich := range []bool{false, true} {
		o := newPoorOffice(t, 1)
		tip := uint64(20 * gwei)
		m := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
		gas := must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("a").Bytes()}))
		o.fund(o.Address(), int64((gas+gas/4)*(m.BaseFee+15*gwei)))
		second := newProxy(t, o.chain.URL())
		for _, p := range []*proxy{o.proxy, second} {
			p.set(func(p *proxy) {
				p.lie = func(method string, _ []json.RawMessage) (any, bool) {
					switch {
					case method == "eth_maxPriorityFeePerGas":
						return fmt.Sprintf("%#x", tip), true
					case method == "eth_getBalance":
						return "0xffffffffffffffff", p == second && rich
					}
					return common.Hash{1}, method == "eth_sendRawTransaction" && p == second
				}
			})
		}
		o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
		o.restart()
		for i := range 20 {
			if _, err := o.Submit(t.Context(), o.answer("a", o.chain.Head()+200)); err != nil && (rich || i > 3) {
				t.Fatal(err)
			}
			if i == 3 {
				tip = gwei
			}
			o.step(1)
		}
		if o.status("a").Progress < chain.Mined {
			t.Errorf("rich %t: it is %v", rich, o.status("a").Progress)
		}
	}
}
