package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_Bound: one endpoint of two refuses the second of two answers, and says that
// it takes as much gas as the account can pay for, as gas gets dearer. That leaves the first, which
// has to land before it, what it must bid.
func TestAttack_LyingRPC_Bound(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		second := newProxy(t, o.chain.URL())
		tip, told := uint64(gwei), uint64(0) // what both name, and the highest that the first answer bids
		for _, p := range []*proxy{o.proxy, second} {
			p.set(func(p *proxy) {
				p.lie = func(method string, params []json.RawMessage) (any, bool) {
					switch {
					case method == "eth_maxPriorityFeePerGas":
						return fmt.Sprintf("%#x", tip), true
					case method == "eth_getBalance":
						return "0x470de4df820000", true // 0.02 ETH
					case method == "eth_estimateGas" && p == o.proxy:
						return "0xb0000", tip > gwei
					case method == "eth_sendRawTransaction":
						tx := sentTx(t, params[0])
						if tx.Nonce() == 0 {
							told = max(told, tx.GasTipCap().Uint64())
						} else if p == o.proxy {
							return errors.New("no"), true
						}
						return common.Hash{1}, true
					}
					return nil, false
				}
			})
		}
		o.beside(o.proxy.URL, second.URL, first)
		for _, word := range []string{"a", "b"} {
			r := o.answer(word, o.chain.Head()+400)
			r.Usual = 100_000
			if _, err := o.Submit(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		o.step(2)
		tip = 20 * gwei
		if o.step(4); told != tip {
			t.Errorf("the first lies %t: the first answer bids a tip of %d gwei", first, told/gwei)
		}
	}
}
