package chain_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

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
// has not, of a block that both have, which proves it, or does not tell, and that its nonce is
// unused. The account need not be able to pay for it again for another to be sent, also when gas
// gets dearer while that waits.
func TestAttack_LyingRPC_Denied(t *testing.T) {
	for _, how := range []string{"denies", "refuses", "hangs up"} {
		for i := range 4 {
			first, dearer := i%2 == 0, i/2 == 1
			o := newPoorOffice(t, 1)
			second := newProxy(t, o.chain.URL())
			market := func(tip, least uint64) {
				second.spike(t, tip, least)
				o.proxy.spike(t, tip, least)
				o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
					switch {
					case method != "eth_getTransactionReceipt" || how == "denies":
						return deny(method, params)
					case how == "refuses":
						return errors.New("transaction indexing is in progress"), true
					}
					panic(http.ErrAbortHandler)
				})
			}
			market(20*gwei, 0)
			config := chain.Config{URL: o.proxy.URL, Second: second.URL, MaxAge: 10 * time.Minute}
			if !first {
				config.URL, config.Second = config.Second, config.URL
			}
			o.client = o.dial(config)
			o.restart()
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
					t.Errorf("the first lies %t, and %s: %v", first, how, err)
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
				t.Errorf("the first lies %t, and %s, gas gets dearer %t: %v, %v", first, how, dearer, r.Progress, r.Err)
			}
		}
	}
}
