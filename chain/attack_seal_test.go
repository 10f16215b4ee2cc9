package chain_test

import (
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// TestAttack_LateSeal_Hidden: whichever of two endpoints hides the newest blocks, the other one
// says how far the chain is.
func TestAttack_LateSeal_Hidden(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	first, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
	client := w.dial(chain.Config{URL: first.URL, Second: second.URL})
	w.mine(10)
	for _, hides := range []*proxy{nil, first, second} {
		if hides != nil {
			hides.behind(3)
		}
		if got, err := client.Highest(t.Context()); err != nil || got != w.chain.Head() {
			t.Errorf("the newest block is %d, told %d, %v", w.chain.Head(), got, err)
		}
		if hides != nil {
			hides.behind(0)
		}
	}
}
