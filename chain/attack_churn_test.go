package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestAttack_LyingRPC_Churn: one endpoint of two refuses a transaction that the other one took, and
// says each time that it takes a little more gas. Not many versions are signed that bid the same,
// the one that the other has is not forgotten, and none bids more than what is not urgent may.
func TestAttack_LyingRPC_Churn(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		sent, takes, tip := map[string]bool{}, 0x40000, uint64(0)
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				switch method {
				case "eth_maxPriorityFeePerGas":
					return "0x45d964b800", true // 300 gwei
				case "eth_estimateGas":
					takes++
					return fmt.Sprintf("0x%x", takes), true
				case "eth_sendRawTransaction":
					sent[string(params[0])] = true
					tip = max(tip, sentTx(t, params[0]).GasTipCap().Uint64())
					return errors.New("underpriced"), true
				}
				return nil, false
			}
		})
		o.beside(o.proxy.URL, newProxy(t, o.chain.URL()).URL, first)
		o.submit("a", 0)
		for range 40 {
			o.look()
		}
		if tip > 10*gwei || len(sent) != 9 {
			t.Errorf("the first lies %t: it bids a tip of %d gwei in %d versions", first, tip/gwei, len(sent))
		}
		if o.step(1); o.status("a").Progress != chain.Mined {
			t.Errorf("the first lies %t: it did not land", first)
		}
	}
}
