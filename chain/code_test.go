package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// An endpoint that gives out other code for a contract than the chain has is found out by a second
// one.
func TestAttack_LyingRPC_Code(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	first, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
	alone, both := w.dial(chain.Config{URL: first.URL}), w.dial(chain.Config{URL: first.URL, Second: second.URL})
	ctx := context.Background()
	code, _, err := both.Code(ctx, w.once)
	if err != nil || len(code) == 0 {
		t.Fatalf("%d bytes of code, %v", len(code), err)
	}
	if none, _, err := both.Code(ctx, w.chain.Address(3)); err != nil || len(none) != 0 {
		t.Errorf("an account without code: %x, %v", none, err)
	}
	first.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) { return "0x00", method == "eth_getCode" }
	})
	if got, _, err := alone.Code(ctx, w.once); err != nil || string(got) != "\x00" {
		t.Errorf("the lie: %x, %v", got, err)
	}
	var lying *chain.Lying
	if got, _, err := both.Code(ctx, w.once); !errors.As(err, &lying) {
		t.Errorf("compared: %x, %v", got, err)
	}
	first.set(func(p *proxy) { p.down = 1 })
	if got, _, err := both.Code(ctx, w.once); err != nil || string(got) != string(code) {
		t.Errorf("the first is down: %x, %v", got, err)
	}
}

// What a token says of its decimals decides how much a typed amount is: it is not believed on the
// word of one endpoint.
func TestAConstantIsWhatBothEndpointsSay(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	lie := func(method string, _ []json.RawMessage) (any, bool) { return hexutil.Bytes{18}, method == "eth_call" }
	for name, config := range map[string]chain.Config{"first": {URL: p.URL, Second: w.chain.URL()}, "second": {URL: w.chain.URL(), Second: p.URL}} {
		client, ctx, word := w.dial(config), context.Background(), wordOf("decimals").Bytes()
		p.set(func(p *proxy) { p.lie = lie })
		if result, err := client.Constant(ctx, w.once, word); !errors.As(err, new(*chain.Lying)) {
			t.Errorf("%s: %x, %v", name, result, err)
		}
		p.set(func(p *proxy) { p.lie = nil })
		if result, err := client.Constant(ctx, w.once, word); err != nil || len(result) > 0 {
			t.Errorf("%s: %x, %v", name, result, err)
		}
	}
	w.say("decimals")
	w.mine(1)
	if _, err := w.dial(chain.Config{Second: p.URL}).Constant(context.Background(), w.once, wordOf("decimals").Bytes()); !errors.As(err, new(*chain.Reverted)) {
		t.Errorf("refused: %v", err)
	}
}
