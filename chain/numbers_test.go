package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TestOwnNumbers: where contracts are told other numbers than the headers have, that is found.
func TestOwnNumbers(t *testing.T) {
	skipLarge(t)
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	alone, both := w.dial(chain.Config{URL: p.URL}), w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()})
	ctx := context.Background()
	tell := func(result hexutil.Bytes) {
		p.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) { return result, method == "eth_call" }
		})
	}
	w.mine(1500)
	if own, agreed, err := both.OwnNumbers(ctx); err != nil || !own || !agreed {
		t.Errorf("a chain of its own: %t, agreed: %t, %v", own, agreed, err)
	}
	for _, told := range []byte{0, 0x7f} {
		tell(common.Hash{29: told}.Bytes())
		if own, agreed, err := alone.OwnNumbers(ctx); err != nil || own || agreed {
			t.Errorf("told %d: %t, agreed: %t, %v", told, own, agreed, err)
		}
		if _, _, err := both.OwnNumbers(ctx); !errors.As(err, new(*chain.Lying)) {
			t.Errorf("told %d by one endpoint: %v", told, err)
		}
	}
	tell(nil)
	if _, _, err := alone.OwnNumbers(ctx); err == nil {
		t.Error("nothing was told")
	}
}
