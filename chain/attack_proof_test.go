package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_LateProof: one endpoint of two denies that an answer landed, and the other
// one doesn't show the block that proves it while it is new. It is proved later.
func TestAttack_LyingRPC_LateProof(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		honest := newProxy(t, o.chain.URL())
		withhold := func(method string, _ []json.RawMessage) (any, bool) {
			return errors.New("header not found"), method == "eth_getBlockReceipts"
		}
		honest.set(func(p *proxy) { p.lie = withhold })
		o.proxy.set(func(p *proxy) { p.lie = withhold })
		o.proxy.also(deny)
		o.beside(o.proxy.URL, honest.URL, first)
		o.defend("a", 1000)
		if o.step(9); o.status("a").Progress != chain.Mined {
			t.Errorf("the first lies %t: it is %v before it is proved", first, o.status("a").Progress)
		}
		honest.set(func(p *proxy) { p.lie = nil })
		if o.step(16); o.status("a").Progress != chain.Done {
			t.Errorf("the first lies %t: it is %v", first, o.status("a").Progress)
		}
	}
}

// TestAttack_LyingRPC_SeldomProved: one endpoint of two names a block in which an answer landed,
// each time another one, or says that a payment failed, on a chain whose blocks prove nothing. The
// other one is asked for whole blocks ever less often.
func TestAttack_LyingRPC_SeldomProved(t *testing.T) {
	for _, named := range []bool{true, false} {
		o := newOffice(t, nil)
		honest := newProxy(t, o.chain.URL())
		o.beside(o.proxy.URL, honest.URL, true)
		mined := o.send(9, nil, onceCode)
		o.mine(1)
		was, receipt := must(o.client.Head(t.Context())), o.receipt(mined)
		var proofs atomic.Int32
		withhold := func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_getBlockReceipts" {
				return errors.New("no"), true
			}
			return common.Hash{1}, named && method == "eth_sendRawTransaction"
		}
		honest.set(func(p *proxy) { p.lie = withhold })
		honest.also(func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_getBlockByHash" {
				proofs.Add(1)
			}
			return nil, false
		})
		o.proxy.set(func(p *proxy) {
			p.lie = withhold
			p.edit = func(method string, result json.RawMessage) json.RawMessage {
				if method == "eth_getTransactionReceipt" {
					return json.RawMessage(strings.Replace(string(result), `"status":"0x1"`, `"status":"0x0"`, 1))
				}
				return result
			}
		})
		if named {
			o.defend("a", 1000)
		} else {
			o.submit("a", 0)
		}
		for range 30 {
			o.mine(1)
			is := must(o.client.Head(t.Context()))
			o.proxy.set(func(p *proxy) {
				p.lie = func(method string, params []json.RawMessage) (any, bool) {
					if named && method == "eth_getTransactionReceipt" {
						lie := strings.NewReplacer(was.Hash.Hex(), is.Hash.Hex(), fmt.Sprintf(`"0x%x"`, was.Number), fmt.Sprintf(`"0x%x"`, is.Number))
						return json.RawMessage(lie.Replace(asked(receipt, mined, params))), true
					}
					return withhold(method, params)
				}
			})
			o.look()
		}
		if n := proofs.Load(); n == 0 || n > 6 {
			t.Errorf("it names other blocks %t: asked %d times", named, n)
		}
	}
}

// TestAttack_LyingRPC_StalledProof: one endpoint of two says of several answers that they landed,
// or that they did not, and doesn't answer when it is asked for the block. It is waited for once at
// most, and not where the other one shows the block.
func TestAttack_LyingRPC_StalledProof(t *testing.T) {
	for _, invents := range []bool{true, false} {
		o := newOffice(t, nil)
		honest := newProxy(t, o.chain.URL())
		o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: honest.URL, Timeout: 6 * time.Second})
		o.restart()
		mined := o.send(9, nil, onceCode)
		o.mine(1)
		receipt := o.receipt(mined)
		release := make(chan struct{})
		t.Cleanup(func() { close(release) })
		var stalls atomic.Int32
		if invents {
			honest.tips(t, 1*gwei, nil)
		}
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				switch {
				case method == "eth_getBlockByHash":
					stalls.Add(1)
					<-release
				case method == "eth_getTransactionReceipt" && invents:
					return json.RawMessage(asked(receipt, mined, params)), true
				case method == "eth_sendRawTransaction":
					return common.Hash{1}, invents
				}
				return deny(method, params)
			}
		})
		for _, word := range []string{"a", "b", "c"} {
			o.defend(word, 1000)
		}
		o.step(1)
		want := int32(0)
		if invents {
			want = 1
		}
		if n := stalls.Load(); n != want {
			t.Errorf("it invents landings %t: it was waited for %d times, want %d", invents, n, want)
		}
	}
}
