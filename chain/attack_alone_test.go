package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestAttack_LyingRPC_Alone: one endpoint of two says of every call that it works. Of answers to
// what it invents, which fail, only a few are paid for. The word of the other one counts as before,
// also where the first says that the contract refuses the call, and that what landed failed.
func TestAttack_LyingRPC_Alone(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		o.say("had")
		o.mine(1)
		answer := any("0x186a0") // 100,000
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) { return answer, method == "eth_estimateGas" }
		})
		o.beside(o.proxy.URL, o.chain.URL(), first)
		ask := func(word, key string) error {
			r := o.answer(word, 1<<30)
			r.Key, r.Usual = key, 200_000
			_, err := o.Submit(t.Context(), r)
			return err
		}
		for i := range 30 {
			if err := ask("had", fmt.Sprint(i)); err != nil && !errors.As(err, new(*chain.Reverted)) {
				t.Fatal(err)
			}
			o.step(1)
		}
		if n := o.sent(); n != 8 {
			t.Errorf("the first lies %t: %d answers that fail are sent", first, n)
		}
		o.step(4)
		wantAlarm[*chain.Lying](o.world, false)
		answer = errors.New("execution reverted")
		o.proxy.set(func(p *proxy) {
			p.edit = func(method string, result json.RawMessage) json.RawMessage {
				if method == "eth_getTransactionReceipt" {
					return bytes.Replace(result, []byte(`"status":"0x1"`), []byte(`"status":"0x0"`), 1)
				}
				return result
			}
		})
		for i := range 20 {
			word := fmt.Sprintf("new %d", i)
			if err := ask(word, word); err != nil {
				t.Fatalf("the first lies %t: %v", first, err)
			}
			o.step(2)
		}
		o.step(4)
		if n := o.sent(); n != 28 {
			t.Errorf("the first lies %t: %d are sent", first, n)
		}
	}
}
