package chain_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_FarNonce: one endpoint of two says that the account's next nonce is far on,
// also while the other one fails for a moment: as an answer is submitted, or looked after, when the
// first may also say that it landed. Once both answer, that answer and the next one land, and
// nothing but they is paid for.
func TestAttack_LyingRPC_FarNonce(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, when := range []string{"submitted", "looked after", "landed", "landed, of a fresh account"} {
			o := newOffice(t, nil)
			honest := newProxy(t, o.chain.URL())
			o.beside(o.proxy.URL, honest.URL, first)
			deployed := o.send(9, nil, onceCode)
			want, landed := uint64(2), strings.HasPrefix(when, "landed")
			if when == "landed, of a fresh account" {
				o.mine(1)
				want--
			} else {
				o.defend("z", 1000)
			}
			o.step(3)
			var receipt string
			o.proxy.set(func(p *proxy) {
				p.lie = func(method string, params []json.RawMessage) (any, bool) {
					if method == "eth_getTransactionReceipt" && receipt != "" {
						return json.RawMessage(asked(receipt, deployed, params)), true
					}
					return "0xfffff", method == "eth_getTransactionCount"
				}
			})
			fail := func(status int) { honest.set(func(p *proxy) { p.down = status }) }
			if when != "looked after" {
				fail(http.StatusBadGateway)
			}
			o.defend("a", 1000)
			if fail(http.StatusBadGateway); landed {
				receipt = o.receipt(deployed)
			}
			o.look()
			fail(0)
			receipt = ""
			o.step(3)
			o.defend("b", 1000)
			o.step(13)
			if !landed { // else that was the word of the only one
				want++
			}
			if a, b := o.status("a"), o.status("b"); a.Progress != chain.Done || b.Progress < chain.Mined || o.sent() != want {
				t.Errorf("the first lies %t, while it is %s: a is %v with nonce %d, b is %v with %d, %d sent",
					first, when, a.Progress, a.Nonce, b.Progress, b.Nonce, o.sent())
			}
		}
	}
}

// TestAttack_LyingRPC_FarNonce_Landed: one endpoint of two, asked alone, gives an answer a nonce
// that is far on, and says from then on that it landed there. Once the other one answers, it does
// land.
func TestAttack_LyingRPC_FarNonce_Landed(t *testing.T) {
	o := newOffice(t, nil)
	honest := newProxy(t, o.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: honest.URL})
	o.restart()
	deployed := o.send(9, nil, onceCode)
	o.mine(1)
	receipt := o.receipt(deployed)
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			if method == "eth_getTransactionReceipt" {
				return json.RawMessage(asked(receipt, deployed, params)), true
			}
			return "0xfffff", method == "eth_getTransactionCount"
		}
	})
	honest.set(func(p *proxy) { p.down = http.StatusBadGateway })
	o.defend("a", 1000)
	honest.set(func(p *proxy) { p.down = 0 })
	if o.step(30); o.sent() != 1 {
		t.Errorf("%d sent, a has nonce %d", o.sent(), o.status("a").Nonce)
	}
}

// receipt returns one as JSON-RPC tells it.
func (o *office) receipt(of common.Hash) string {
	o.t.Helper()
	var raw json.RawMessage
	if err := o.eth.Client().Call(&raw, "eth_getTransactionReceipt", of); err != nil {
		o.t.Fatal(err)
	}
	return string(raw)
}
