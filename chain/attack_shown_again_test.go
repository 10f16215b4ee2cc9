package chain_test

import (
	"encoding/json"
	"testing"
)

// TestAttack_LyingRPC_Finished: one endpoint of two goes on to show the receipt of an answer that
// was final, once a deep reorganisation has undone it. The answer is sent again. One that does not
// show what is in the chain has nothing sent twice: the block proves it.
func TestAttack_LyingRPC_Finished(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, undone := range []bool{true, false} {
			o := newOffice(t, nil)
			o.beside(o.proxy.URL, newProxy(t, o.chain.URL()).URL, first)
			answer := o.answer("a", o.chain.Head()+100)
			answer.Once = true
			must(o.Submit(t.Context(), answer))
			o.step(6)
			receipt := must(json.Marshal(must(o.eth.TransactionReceipt(t.Context(), o.status("a").Tx))))
			if !undone {
				receipt = json.RawMessage("null")
			}
			o.proxy.set(func(p *proxy) {
				p.edit = func(method string, result json.RawMessage) json.RawMessage {
					if method == "eth_getTransactionReceipt" {
						return receipt
					}
					return result
				}
			})
			if undone {
				if err := o.chain.Rewind(6); err != nil {
					t.Fatal(err)
				}
				o.mine(8)
			}
			_, err := o.Submit(t.Context(), answer)
			o.step(3)
			if n := o.sent(); n != 1 || err != nil {
				t.Errorf("the first lies %t, undone %t: %d are in the chain, %v", first, undone, n, err)
			}
		}
	}
}
