package chain_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestAttack_LyingRPC_Deep: one endpoint of two says that the newest block is far above the one in
// which an answer landed, or that it landed in an early one, and goes on to show its receipt once a
// reorganisation has undone it. The answer isn't final before both have it deep enough, and lands
// again.
func TestAttack_LyingRPC_Deep(t *testing.T) {
	number := regexp.MustCompile(`"(number|blockNumber)":"0x[^"]*"`)
	for what, lie := range map[string]struct{ method, number string }{
		"the newest block is later": {"eth_getBlockByNumber", `"$1":"0xffff"`},
		"its block is an early one": {"eth_getTransactionReceipt", `"$1":"0x1"`},
	} {
		o := newOffice(t, nil)
		second := newProxy(t, o.chain.URL())
		o.beside(o.proxy.URL, second.URL, true)
		var receipt json.RawMessage
		o.proxy.set(func(p *proxy) {
			p.edit = func(method string, result json.RawMessage) json.RawMessage {
				if method == "eth_getTransactionReceipt" && string(result) != "null" {
					receipt = result
				} else if method == "eth_getTransactionReceipt" && receipt != nil {
					result = receipt
				}
				if method == lie.method {
					result = number.ReplaceAll(result, []byte(lie.number))
				}
				return result
			}
		})
		o.step(5)
		o.defend("a", o.chain.Head()+40)
		o.step(1)
		if p := o.status("a").Progress; p != chain.Mined {
			t.Errorf("%s: in one block it is %v", what, p)
		}
		if err := o.chain.Rewind(1); err != nil {
			t.Fatal(err)
		}
		o.mine(2)
		o.defend("a", o.chain.Head()+40)
		if o.step(3); o.sent() != 1 {
			t.Errorf("%s: %d transactions are in the chain", what, o.sent())
		}
	}
}
