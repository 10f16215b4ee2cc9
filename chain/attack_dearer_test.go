package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/money"
)

// TestAttack_LyingRPC_Dearer: one endpoint of two refuses a transaction that the other one took,
// says that it takes more gas, and names a tip that nobody pays. Between two blocks it is looked at
// many times, and bids no more than what is not urgent may.
func TestAttack_LyingRPC_Dearer(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		var bid money.Bid
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				switch method {
				case "eth_maxPriorityFeePerGas":
					return "0x45d964b800", true // 300 gwei
				case "eth_estimateGas":
					return "0x40000", true
				case "eth_sendRawTransaction":
					tx := sentTx(t, params[0])
					bid.Tip = max(bid.Tip, tx.GasTipCap().Uint64())
					return errors.New("no"), true
				}
				return nil, false
			}
		})
		o.beside(o.proxy.URL, newProxy(t, o.chain.URL()).URL, first)
		o.submit("a", 0)
		for range 10 {
			o.look()
		}
		if bid.Tip > 10*gwei {
			t.Errorf("the first lies %t: it bids a tip of %d gwei", first, bid.Tip/gwei)
		}
		if o.step(1); o.status("a").Progress != chain.Mined {
			t.Errorf("the first lies %t: it did not land", first)
		}
	}
}
