package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum"
)

// deny is an endpoint that says that nothing of an account was mined.
func deny(method string, _ []json.RawMessage) (any, bool) {
	switch method {
	case "eth_getTransactionReceipt":
		return nil, true
	case "eth_getTransactionCount":
		return "0x0", true
	}
	return nil, false
}

// TestAttack_LyingRPC_Denied: an answer has landed, and one endpoint of two goes on to say that it
// has not, of a block that both have, which proves it. The account need not be able to pay for it
// again for another to be sent, also when gas gets dearer while that waits.
func TestAttack_LyingRPC_Denied(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, dearer := range []bool{false, true} {
			o := newPoorOffice(t, 1)
			second := newProxy(t, o.chain.URL())
			market := func(tip, least uint64) {
				second.spike(t, tip, least)
				o.proxy.spike(t, tip, least)
				o.proxy.also(deny)
			}
			market(20*gwei, 0)
			o.beside(o.proxy.URL, second.URL, first)
			price := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
			gas := must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("a").Bytes()}))
			funds := (gas + gas/4) * price.Ahead() * 2
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
				market(20*gwei, 50*gwei)
				ask("b", 1)
				market(50*gwei, 50*gwei)
			} else {
				ask("b", 1)
			}
			o.step(5)
			if r := o.status("b"); r.Progress != chain.Mined && r.Progress != chain.Done || r.Err != nil {
				t.Errorf("the first lies %t, gas gets dearer %t: %v, %v", first, dearer, r.Progress, r.Err)
			}
		}
	}
}
