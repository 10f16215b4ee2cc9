package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_LyingRPC_HiddenReceipt: an endpoint doesn't show that a payment was mined. The block
// proves it: it is done, and not made again, and a person is told of the endpoint.
func TestAttack_LyingRPC_HiddenReceipt(t *testing.T) {
	o := newOffice(t, nil)
	second := newProxy(t, o.world.chain.URL())
	o.client = o.dial(chain.Config{URL: o.proxy.URL, Second: second.URL})
	o.restart()
	var proofs atomic.Int32
	second.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			if method == "eth_getBlockReceipts" {
				proofs.Add(1)
			}
			return nil, false
		}
	})
	payment := chain.Request{Key: "a", To: common.Address{19: 99}, Value: *uint256.NewInt(1)}
	pay := func() chain.Report {
		report, err := o.Submit(t.Context(), payment)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	pay()
	o.proxy.set(func(p *proxy) { p.lie = deny })
	o.want(o.step(1), "mined a")
	o.want(o.step(4), "done a")
	wantAlarm[*chain.Lying](o.world, true)
	if n := proofs.Load(); n != 1 {
		t.Errorf("proved %d times", n)
	}
	if report := pay(); report.Progress != chain.Done {
		t.Fatalf("paid again: %+v", report)
	}
	o.step(5)
	if o.sent() != 1 {
		t.Fatalf("%d transactions landed", o.sent())
	}
}

// TestAttack_LyingRPC_PaidTwice: one endpoint of two doesn't show that a payment was mined, while
// the other one can't tell and knows that its nonce is used. It is not made again, with another
// nonce or once it is asked for again.
func TestAttack_LyingRPC_PaidTwice(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		honest := newProxy(t, o.world.chain.URL())
		o.beside(o.proxy.URL, honest.URL, first)
		payment := chain.Request{Key: "a", To: common.Address{19: 99}, Value: *uint256.NewInt(1)}
		must(o.Submit(t.Context(), payment))
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				return nil, method == "eth_getTransactionReceipt"
			}
		})
		refuse := func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				return errors.New("transaction indexing is in progress"), method == "eth_getTransactionReceipt"
			}
		}
		honest.set(refuse)
		if o.step(8); o.sent() != 1 {
			t.Errorf("the first lies %t: it is paid %d times", first, o.sent())
		}
		honest.set(func(p *proxy) { p.lie = nil })
		if o.step(4); o.status("a").Progress != chain.Done {
			t.Errorf("the first lies %t: it is %v", first, o.status("a").Progress)
		}
		honest.set(refuse)
		must(o.Submit(t.Context(), payment))
		if o.step(1); o.sent() != 1 {
			t.Errorf("the first lies %t: asked for again, it is paid %d times", first, o.sent())
		}
	}
}

// TestAttack_LyingRPC_HangsUp: an endpoint denies that an answer landed, and hangs up when it is
// asked for the block. It has no say.
func TestAttack_LyingRPC_HangsUp(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newOffice(t, nil)
		o.beside(o.proxy.URL, newProxy(t, o.world.chain.URL()).URL, first)
		must(o.Submit(t.Context(), o.answer("a", 1000)))
		o.want(o.step(1), "mined a")
		number := fmt.Sprintf(`"0x%x"`, o.chain.Head())
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				if method == "eth_getBlockByNumber" && string(params[0]) == number {
					panic(http.ErrAbortHandler)
				}
				return nil, method == "eth_getTransactionReceipt"
			}
		})
		o.want(o.step(5), "done a")
	}
}

// TestAttack_LyingRPC_HiddenVersion: an answer landed at the price that it bid first. One endpoint
// of two says that it did at another one, or in another block. It is done all the same.
func TestAttack_LyingRPC_HiddenVersion(t *testing.T) {
	for i := range 4 {
		first, newer := i%2 == 0, i/2 == 0
		o := newOffice(t, nil)
		deployed := o.send(9, nil, onceCode)
		o.mine(1)
		receipt := o.receipt(deployed)
		o.swallow(true)
		o.defend("a", 0)
		landed := o.status("a").Tx
		o.dearer(2)
		o.step(4)
		newest := o.status("a").Tx
		if newest == landed {
			t.Fatal("it is not priced again")
		}
		honest := newProxy(t, o.chain.URL())
		honest.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				poor := method == "eth_sendRawTransaction" && hashOf(t, params[0]) == newest
				return errors.New("insufficient funds for gas * price + value"), poor
			}
		})
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				shown := landed
				if newer {
					shown = newest
				}
				switch {
				case method == "eth_sendRawTransaction":
					return common.Hash{1}, true
				case method == "eth_getTransactionReceipt" && strings.Contains(string(params[0]), shown.Hex()):
					return json.RawMessage(asked(receipt, deployed, params)), true
				}
				return deny(method, params)
			}
		})
		o.beside(o.proxy.URL, honest.URL, first)
		o.look() // sends it
		o.step(6)
		if r := o.status("a"); r.Progress != chain.Done || r.Tx != landed || !o.did("a") {
			t.Errorf("the first lies %t, of a newer version %t: %v, %v", first, newer, r.Progress, r.Tx == landed)
		}
	}
}

// newOutbid is an office with two endpoints, and an answer "a" that has so many blocks and bids
// less than the tip which the second now names. Bid is what that one is sent last, and receipt that
// of a transaction of somebody's, mined in the newest block.
func newOutbid(t *testing.T, blocks uint64, change func(*chain.SenderConfig)) (o *office, mined common.Hash, receipt string, bid *money.Bid) {
	t.Helper()
	o = newOffice(t, change)
	second := newProxy(t, o.world.chain.URL())
	o.beside(o.proxy.URL, second.URL, true)
	mined = o.world.send(9, nil, onceCode)
	o.mine(1)
	second.tips(t, 1*gwei, nil)
	o.proxy.tips(t, 1*gwei, nil)
	o.defend("a", o.world.chain.Head()+blocks)
	return o, mined, o.receipt(mined), second.tips(t, 50*gwei, nil)
}

// TestAttack_LyingRPC_InventedReceipt: one endpoint of two says that an answer was mined, which
// waits for a higher price. It is priced again, and a person is told before its deadline.
func TestAttack_LyingRPC_InventedReceipt(t *testing.T) {
	for _, deep := range []bool{true, false} {
		o, mined, receipt, bid := newOutbid(t, 40, nil)
		at := fmt.Sprintf(`"blockNumber":"0x%x"`, o.world.chain.Head())
		o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
			if method != "eth_getTransactionReceipt" {
				return nil, false
			}
			lie := asked(receipt, mined, params)
			if !deep {
				lie = strings.Replace(lie, at, fmt.Sprintf(`"blockNumber":"0x%x"`, o.world.chain.Head()), 1)
			}
			return json.RawMessage(lie), true
		})
		o.step(38)
		if bid.Tip < 50*gwei {
			t.Errorf("deep %t: just before its deadline it bids a tip of %d", deep, bid.Tip)
		}
		if !o.told() {
			t.Errorf("deep %t: nobody is told", deep)
		}
	}
}

// TestAttack_LyingRPC_InventedReceipt_Headless: one endpoint of two says that an answer was mined,
// and tells no newest block: it refuses, or is down whenever it is asked. The answer is priced
// again, and sent, all the same.
func TestAttack_LyingRPC_InventedReceipt_Headless(t *testing.T) {
	for _, down := range []bool{true, false} {
		o, mined, receipt, bid := newOutbid(t, 40, nil)
		o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
			switch method {
			case "eth_getTransactionReceipt":
				return json.RawMessage(asked(receipt, mined, params)), true
			case "eth_getBlockByNumber":
				if down {
					panic(http.ErrAbortHandler)
				}
				return errors.New("no"), true
			}
			return nil, false
		})
		if o.step(38); bid.Tip < 50*gwei {
			t.Errorf("down %t: just before its deadline it bids a tip of %d", down, bid.Tip)
		}
	}
}

// TestAttack_LyingRPC_InventedReceipt_Unheard: one endpoint of two says that an answer was mined,
// which waits for a higher price, and that blocks come fast. The other one fails for a moment, or
// doesn't tell receipts. The answer is not over by that, and priced again; once the other one has
// been away for long it is over.
func TestAttack_LyingRPC_InventedReceipt_Unheard(t *testing.T) {
	for i := range 4 {
		first, down := i%2 == 0, i/2 == 0
		o := newOffice(t, nil)
		honest := newProxy(t, o.world.chain.URL())
		now := time.Now()
		config := chain.Config{URL: o.proxy.URL, Second: honest.URL, MaxAge: 10 * time.Minute, Now: func() time.Time { return now }}
		if !first {
			config.URL, config.Second = config.Second, config.URL
		}
		o.client = o.dial(config)
		o.restart()
		mined := o.world.send(9, nil, onceCode)
		o.mine(1)
		receipt := o.receipt(mined)
		honest.tips(t, 1*gwei, nil)
		o.proxy.tips(t, 1*gwei, nil)
		o.defend("a", o.world.chain.Head()+40)
		o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
			switch method {
			case "eth_getTransactionReceipt":
				return json.RawMessage(asked(receipt, mined, params)), true
			case "eth_getTransactionCount":
				return "0xff", true
			}
			return nil, false
		})
		fail := func(fails bool) {
			honest.tips(t, 50*gwei, nil)
			honest.set(func(p *proxy) {
				if p.down = 0; fails && down {
					p.down = http.StatusBadGateway
				}
			})
			if fails && !down {
				honest.also(func(method string, _ []json.RawMessage) (any, bool) {
					return errors.New("transaction indexing is in progress"), method == "eth_getTransactionReceipt"
				})
			}
		}
		o.step(5)
		fail(true)
		o.step(4)
		if p := o.status("a").Progress; p == chain.Done {
			t.Errorf("the first lies %t, the other is down %t: it is over at once", first, down)
		}
		fail(false)
		bid := honest.tips(t, 50*gwei, nil)
		if o.step(25); bid.Tip < 50*gwei {
			t.Errorf("the first lies %t, the other is down %t: it bids a tip of %d", first, down, bid.Tip)
		}
		fail(true)
		o.step(1)
		now = now.Add(10 * time.Minute)
		if o.step(1); o.status("a").Progress != chain.Done {
			t.Errorf("the first lies %t, the other was down for long %t: it is %s", first, down, o.status("a").Progress)
		}
	}
}

// refusing is an error of JSON-RPC with the data that a contract returned.
type refusing struct{ text, data string }

func (r refusing) Error() string  { return r.text }
func (r refusing) ErrorData() any { return r.data }

// TestAttack_LyingRPC_WordyRefusal: one endpoint of two says that an answer failed, in a block that
// the other one can't tell of, and at such length why that no store takes it. The answer is priced
// again all the same.
func TestAttack_LyingRPC_WordyRefusal(t *testing.T) {
	skipLarge(t)
	long := strings.Repeat("6f", store.MaxCommit)
	const blocks = 4
	for what, why := range map[string]refusing{
		"in words": {"execution reverted: " + long, "0x"},
		// Error(string), of an offset, a length and a text
		"by the contract": {"execution reverted", fmt.Sprintf("0x08c379a0%064x%064x%s", 32, store.MaxCommit, long)},
	} {
		o, mined, receipt, bid := newOutbid(t, blocks+2, func(c *chain.SenderConfig) { c.Store, c.Explain = store.NewMemory(), codec.Explain })
		at := fmt.Sprintf(`"blockNumber":"0x%x"`, o.world.chain.Head())
		receipt = strings.NewReplacer(`"status":"0x1"`, `"status":"0x0"`, at, `"blockNumber":"0xffff"`).Replace(receipt)
		o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
			switch method {
			case "eth_getTransactionReceipt":
				return json.RawMessage(asked(receipt, mined, params)), true
			case "eth_call":
				return why, true
			}
			return nil, false
		})
		for range blocks {
			o.mine(1)
			if _, err := o.Step(t.Context()); err != nil {
				t.Errorf("%s: %.200s", what, err)
				break
			}
		}
		if bid.Tip < 50*gwei {
			t.Errorf("%s: just before its deadline it bids a tip of %d", what, bid.Tip)
		}
	}
}

// TestAttack_LyingRPC_BorrowedReceipt: one endpoint of two shows for an answer the receipt of
// somebody's transaction, which the other one has, too, or a receipt of no block. The answer is
// sent on, and priced again.
func TestAttack_LyingRPC_BorrowedReceipt(t *testing.T) {
	for what, own := range map[string]bool{"another's": false, "of no block": true} {
		o, mined, receipt, bid := newOutbid(t, 40, nil)
		o.proxy.also(func(method string, params []json.RawMessage) (any, bool) {
			if method != "eth_getTransactionReceipt" {
				return nil, false
			}
			lie := receipt
			if own {
				lie = strings.ReplaceAll(asked(receipt, mined, params), `"blockNumber":`, `"none":`)
			}
			return json.RawMessage(lie), true
		})
		o.step(38)
		if bid.Tip < 50*gwei || o.status("a").Progress >= chain.Done {
			t.Errorf("%s: just before its deadline it is %s, and bids a tip of %d", what, o.status("a").Progress, bid.Tip)
		}
	}
}
