package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_LowLimit: one endpoint of two says that a transaction takes hardly any gas,
// and that it took it. The other one refuses it for its gas limit. It lands all the same, and an
// answer behind it in time.
func TestAttack_LyingRPC_LowLimit(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				if method == "eth_estimateGas" {
					return "0x1", true
				}
				return common.Hash{1}, method == "eth_sendRawTransaction"
			}
		})
		o.beside(o.proxy.URL, newProxy(t, o.chain.URL()).URL, first)
		o.submit("a", 0)
		r := o.answer("b", o.chain.Head()+40)
		r.Usual = 100_000
		if _, err := o.Submit(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		o.step(10)
		for _, word := range []string{"a", "b"} {
			if r := o.status(word); r.Progress < chain.Mined || r.Err != nil {
				t.Errorf("the first lies %t: %s is %v, %v", first, word, r.Progress, r.Err)
			}
		}
	}
}
