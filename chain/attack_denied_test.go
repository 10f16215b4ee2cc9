package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TestAttack_LyingRPC_Denied: an answer has landed, and one endpoint of two goes on to say that it
// has not. The account need not be able to pay for it again for another to be sent, also when gas
// gets dearer while that waits.
func TestAttack_LyingRPC_Denied(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, dearer := range []bool{false, true} {
			o := newPoorOffice(t, 1)
			tip, least := uint64(20*gwei), uint64(0) // that is customary, and that is not lost
			second := newProxy(t, o.chain.URL())
			for _, p := range []*proxy{o.proxy, second} {
				p.set(func(p *proxy) {
					p.lie = func(method string, params []json.RawMessage) (any, bool) {
						if method == "eth_sendRawTransaction" {
							var raw string
							if err := json.Unmarshal(params[0], &raw); err != nil {
								t.Error(err)
							}
							return common.Hash{1}, decodeTx(t, raw).GasTipCap().Uint64() < least
						}
						return hexutil.Uint64(tip), method == "eth_maxPriorityFeePerGas"
					}
				})
			}
			o.proxy.also(func(method string, _ []json.RawMessage) (any, bool) {
				switch method {
				case "eth_getTransactionReceipt":
					return nil, true
				case "eth_getTransactionCount":
					return "0x0", true
				}
				return nil, false
			})
			o.beside(o.proxy.URL, second.URL, first)
			market := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
			gas := must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("a").Bytes()}))
			funds := (gas + gas/4) * market.Ahead() * 2
			if dearer {
				funds *= 2
			}
			o.fund(o.Address(), int64(funds))
			o.mine(1)
			ask := func(word string, stake uint64) {
				r := o.answer(word, 1000)
				r.Stake.SetUint64(stake)
				if _, err := o.Submit(t.Context(), r); err != nil {
					t.Errorf("the first lies %t: %v", first, err)
				}
			}
			ask("a", 9)
			o.step(2)
			if dearer {
				least = 50 * gwei
			}
			ask("b", 1)
			tip = max(tip, least)
			o.step(5)
			if r := o.status("b"); r.Progress != chain.Mined || r.Err != nil {
				t.Errorf("the first lies %t, gas gets dearer %t: %v, %v", first, dearer, r.Progress, r.Err)
			}
		}
	}
}
