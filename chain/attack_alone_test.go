package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestAttack_LyingRPC_Alone: one endpoint of two says of every call that it works. Of answers to
// what it invents, which fail, only a few are paid for. The word of the other one counts as before,
// also where the first says that the contract refuses the call, and that what landed failed. Nor
// does it help to say that those which failed did well.
func TestAttack_LyingRPC_Alone(t *testing.T) {
	for i := range 4 {
		first, well := i%2 == 0, i/2 == 1
		o := newOffice(t, nil)
		o.say("had")
		o.mine(1)
		answer := any("0x186a0") // 100,000
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) { return answer, method == "eth_estimateGas" }
			p.edit = func(method string, result json.RawMessage) json.RawMessage {
				if well && method == "eth_getTransactionReceipt" {
					return bytes.Replace(result, []byte(`"status":"0x0"`), []byte(`"status":"0x1"`), 1)
				}
				return result
			}
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
		most := uint64(8)
		if first && well {
			most += 2 // that are not final yet
		}
		if n := o.sent(); n != most {
			t.Errorf("the first lies %t, well %t: %d answers that fail are sent", first, well, n)
		}
		o.step(4)
		if told := fmt.Sprint(o.alarms.take()); strings.Count(told, "transactions in a row failed") != 1 {
			t.Errorf("the first lies %t, well %t: %s", first, well, told)
		}
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
		if n := o.sent(); n != most+20 {
			t.Errorf("the first lies %t: %d are sent", first, n)
		}
	}
}
