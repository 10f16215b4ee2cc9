package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestAttack_LyingRPC_Status: one endpoint of two says of a transaction that it did not fail in its
// block, or that it did, which is not so. The receipts of the block decide. Where neither shows
// them, an answer counts as failed, and is tried again; what is no answer isn't final while they
// differ, so that nothing is paid twice.
func TestAttack_LyingRPC_Status(t *testing.T) {
	for _, shown := range []bool{true, false} {
		testStatus(t, shown)
	}
}

func testStatus(t *testing.T, shown bool) {
	for _, first := range []bool{true, false} {
		for _, fails := range []bool{true, false} {
			for _, answer := range []bool{true, false} {
				o := newOffice(t, nil)
				second := newProxy(t, o.chain.URL())
				o.beside(o.proxy.URL, second.URL, first)
				withhold := func(p *proxy) {
					p.lie = func(method string, _ []json.RawMessage) (any, bool) {
						return errors.New("the method does not exist"), !shown && method == "eth_getBlockReceipts"
					}
				}
				o.proxy.set(withhold)
				second.set(withhold)
				request := o.request("a", 0)
				request.Defence = answer
				if _, err := o.Submit(t.Context(), request); err != nil {
					t.Fatal(err)
				}
				if fails {
					o.rush("a")
				}
				o.proxy.set(func(p *proxy) {
					p.edit = func(method string, result json.RawMessage) json.RawMessage {
						if method != "eth_getTransactionReceipt" {
							return result
						}
						is, not := []byte(`"status":"0x0"`), []byte(`"status":"0x1"`)
						if !fails {
							is, not = not, is
						}
						return bytes.ReplaceAll(result, is, not)
					}
				})
				o.step(5)
				r := o.status("a")
				ended, failed := r.Progress == chain.Done, errors.As(r.Err, new(*chain.Reverted))
				if ended != (shown || answer) || ended && failed != (fails || !shown) {
					t.Errorf("shown %t, the first lies %t, it fails %t, an answer %t: %v, %v", shown, first, fails, answer, r.Progress, r.Err)
				}
				liar := ""
				if shown {
					liar = chain.PublicName(o.proxy.URL)
				}
				if fault := wantAlarm[*chain.Lying](o.world, false); shown != (fault.Endpoint == liar) {
					t.Errorf("shown %t, the first lies %t, it fails %t, an answer %t: %v", shown, first, fails, answer, fault)
				}
			}
		}
	}
}
