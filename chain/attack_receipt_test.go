package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_LyingRPC_HiddenReceipt: an endpoint doesn't show that a payment was mined, at first or
// later. It is not made again, and a person is told while the endpoints differ.
func TestAttack_LyingRPC_HiddenReceipt(t *testing.T) {
	o := newOffice(t, nil)
	second := newProxy(t, o.world.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
	o.restart()
	hide := func(on bool) {
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				return nil, on && method == "eth_getTransactionReceipt"
			}
		})
	}
	payment := chain.Request{Key: "a", To: common.Address{19: 99}, Value: *uint256.NewInt(1)}
	pay := func() chain.Report {
		report, err := o.Submit(t.Context(), payment)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	pay()
	hide(true)
	o.want(o.step(1), "mined a")
	o.want(o.step(4))
	wantAlarm[*chain.Lying](o.world, false)
	hide(false)
	o.want(o.look(), "done a")
	wantAlarm[*chain.Lying](o.world, true)
	hide(true)
	if report := pay(); report.Progress != chain.Done {
		t.Fatalf("paid again: %+v", report)
	}
	o.step(5)
	if o.sent() != 1 {
		t.Fatalf("%d transactions landed", o.sent())
	}
}
