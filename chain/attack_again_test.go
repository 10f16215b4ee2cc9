package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
)

// TestAttack_LyingRPC_Again: one endpoint of two says that a transaction takes less gas than it
// does, or that the contract takes what it refuses. It fails in its block, and is asked for again
// and again, as an opening is: it fails once.
func TestAttack_LyingRPC_Again(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, refused := range []bool{false, true} {
			o := newOffice(t, nil)
			o.proxy.set(func(p *proxy) {
				p.lie = func(method string, _ []json.RawMessage) (any, bool) { return "0x5900", method == "eth_estimateGas" }
			})
			o.beside(o.proxy.URL, newProxy(t, o.chain.URL()).URL, first)
			if refused {
				o.say("a")
				o.mine(1)
			}
			var report chain.Report
			var err error
			for range 4 {
				if report, err = o.Submit(t.Context(), o.request("a", 0)); err == nil {
					o.step(3)
				}
			}
			sent := uint64(2)
			if refused {
				sent = 1
			}
			if is := errors.As(err, new(*chain.Reverted)); o.sent() > sent || is != refused || !refused && report.Err != nil {
				t.Errorf("the first lies %t, that it is taken %t: %d sent, %v, %v", first, refused, o.sent(), report.Err, err)
			}
		}
	}
}
