package chain_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// TestABlockIsAskedForOnce: following a chain block by block takes one eth_getBlockByNumber a
// block, that for the newest one.
func TestABlockIsAskedForOnce(t *testing.T) {
	w := newWorld(t, devnet.Config{Manual: true})
	p := newProxy(t, w.chain.URL())
	var asked atomic.Int32
	p.lie = func(method string, _ []json.RawMessage) (any, bool) {
		if method == "eth_getBlockByNumber" {
			asked.Add(1)
		}
		return nil, false
	}
	r := w.follow(w.dial(chain.Config{URL: p.URL}), chain.FollowConfig{Confirmations: 3})
	w.mine(2)
	r.read()
	const blocks = 10
	asked.Store(0)
	for range blocks {
		w.mine(1)
		r.read()
	}
	if n := asked.Load(); n != blocks {
		t.Errorf("%d blocks took %d requests", blocks, n)
	}
	r.read()
	if n := asked.Load(); n != blocks+1 {
		t.Errorf("no block took %d requests", n-blocks)
	}
}
