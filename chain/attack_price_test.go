package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// newPoorOffice returns a sender whose account has so many wei.
func newPoorOffice(t *testing.T, wei int64) *office {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	o := newOffice(t, func(c *chain.SenderConfig) { c.Signer = chain.KeySigner(key) })
	o.fund(o.Address(), wei)
	return o
}

// TestAttack_PricedOut: an endpoint loses what it takes for 130 blocks. The price stays at what the
// market asks, so that the account can pay the answer, and the next one, when the endpoint works
// again.
func TestAttack_PricedOut(t *testing.T) {
	o := newPoorOffice(t, 2_000_000_000_000_000)
	ctx := context.Background()
	head, err := o.client.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o.swallow(true)
	o.defend("a", head.Number+200)
	o.step(130)
	o.swallow(false)
	o.step(2)
	report := o.status("a")
	if report.Progress != chain.Mined {
		t.Fatalf("a is %v", report.Progress)
	}
	if dear := uint256.NewInt(180_000_000_000_000); report.Fee.Gt(dear) {
		t.Errorf("it cost %v wei", &report.Fee)
	}
	o.defend("b", head.Number+300)
	if o.step(1); o.status("b").Progress != chain.Mined {
		t.Errorf("b is %v", o.status("b").Progress)
	}
}

// TestAttack_PricedOut_ByTheMarket: the market asks for more than the account has. It bids what it
// can pay and no more, an alarm stands, and it bids again once there is money.
func TestAttack_PricedOut_ByTheMarket(t *testing.T) {
	o := newPoorOffice(t, 1_000_000_000_000_000)
	ctx := context.Background()
	head, err := o.client.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o.swallow(true)
	o.defend("a", head.Number+40)
	o.alarms.take()
	o.dearer(500)
	o.step(30)
	var empty *chain.EmptyWallet
	for _, a := range o.alarms.take() {
		if found := new(chain.EmptyWallet); errors.As(a.Fault, &found) && a.About == "a" && !a.Over {
			empty = found
		}
	}
	if empty == nil || !empty.Have.Lt(&empty.Need) {
		t.Fatalf("alarm %v", empty)
	}
	o.fund(o.Address(), 500_000_000_000_000_000)
	o.dearer(0)
	o.step(3)
	if report := o.status("a"); report.Progress != chain.Mined && report.Progress != chain.Done {
		t.Fatalf("a is %v", report.Progress)
	}
	over := false
	for _, a := range o.alarms.take() {
		over = over || a.Over && errors.As(a.Fault, new(*chain.EmptyWallet)) && a.About == "a"
	}
	if !over {
		t.Error("the alarm still stands")
	}
}

// TestAttack_PricedOut_Later: the account could pay the newest version when that was signed, and
// can't any more. The version before it, which it can pay, is sent as well.
func TestAttack_PricedOut_Later(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	first := o.submit("a", 0)
	o.dearer(2)
	o.step(4)
	newest := o.status("a")
	if newest.Tx == first.Tx {
		t.Fatal("not replaced")
	}
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			poor := method == "eth_sendRawTransaction" && hashOf(t, params[0]) == newest.Tx
			return errors.New("insufficient funds for gas * price + value"), poor
		}
	})
	o.look()
	o.want(o.step(1), "mined a")
	if landed := o.status("a"); landed.Tx != first.Tx {
		t.Fatalf("%v landed, want %v", landed.Tx, first.Tx)
	}
}

// TestAttack_PricedOut_ByALie: an endpoint that says of each price that it is too low doesn't make
// the account pay any.
func TestAttack_PricedOut_ByALie(t *testing.T) {
	skipLarge(t)
	o := newOffice(t, nil)
	head, err := o.client.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var raw []string
	o.proxy.set(func(p *proxy) {
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			if method == "eth_sendRawTransaction" {
				raw = append(raw, strings.Trim(string(params[0]), `"`))
			}
			return errors.New("transaction underpriced"), method == "eth_sendRawTransaction"
		}
	})
	o.submit("a", head.Number+200)
	o.step(150)
	if highest := priceOf(t, raw[len(raw)-1]); highest > 20*head.BaseFee+20_000_000_000 {
		t.Fatalf("it bids %d with a base fee of %d", highest, head.BaseFee)
	}
}

// TestAttack_PricedOut_WithoutCalls: an endpoint refuses eth_call, as one does that lacks the
// state. Whether the contract would refuse the transaction is not known then, and the price follows
// the market all the same.
func TestAttack_PricedOut_WithoutCalls(t *testing.T) {
	o := newOffice(t, nil)
	o.swallow(true)
	first := o.submit("a", 0)
	o.dearer(2)
	o.proxy.also(func(method string, _ []json.RawMessage) (any, bool) {
		return errors.New("missing trie node"), method == "eth_call"
	})
	o.step(4)
	if o.status("a").Tx == first.Tx {
		t.Error("it is not replaced")
	}
}

// TestAttack_PricedOut_ByARichLie: one endpoint of two says that the account is rich, and loses
// what it takes. An answer that the account can just pay at the market's price lands by the other
// one.
func TestAttack_PricedOut_ByARichLie(t *testing.T) {
	for _, first := range []bool{true, false} {
		o := newPoorOffice(t, 1)
		m := must(o.client.Market(t.Context(), must(o.client.Head(t.Context()))))
		gas := must(o.eth.EstimateGas(t.Context(), ethereum.CallMsg{To: &o.once, Data: wordOf("a").Bytes()}))
		o.fund(o.Address(), int64((gas+gas/4)*(m.Price()+m.Price()/20)))
		o.proxy.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) {
				if method == "eth_getBalance" {
					return "0xffffffffffffffff", true
				}
				return common.Hash{1}, method == "eth_sendRawTransaction"
			}
		})
		o.beside(o.proxy.URL, newProxy(t, o.chain.URL()).URL, first)
		o.defend("a", 1000)
		if o.step(2); o.status("a").Progress != chain.Mined {
			t.Errorf("the first lies %t: it is %v", first, o.status("a").Progress)
		}
	}
}
