package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

// TestAttack_DownAtStart_Arena: who once opened an Arena opens it again whatever the endpoint refuses; who never did is told why not.
func TestAttack_DownAtStart_Arena(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	commits := 0
	client, kept := w.dial(chain.Config{URL: p.URL}), &storetest.Faulty{Store: store.NewMemory(), After: func(op storetest.Op) error {
		if op == storetest.Commit {
			commits++
		}
		return nil
	}}
	first := w.arena(client, true)
	reopen := func(s chain.Store) (*chain.Arena, error) {
		return chain.ReopenArena(t.Context(), client, first.Address(), s)
	}
	for range 2 {
		if _, err := reopen(kept); err != nil || commits != 1 {
			t.Fatalf("%d commits of what doesn't change, %v", commits, err)
		}
	}

	p.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			return errors.New("missing trie node"), method == "eth_call"
		}
	})
	a, err := reopen(kept)
	if err != nil {
		t.Fatal(err)
	}
	least, most := a.Windows()
	if a.Clock() != chain.Blocks || least != 4 || most != 100_000 || a.Domain() != first.Domain() {
		t.Errorf("a clock in %v, windows %d to %d, domain %+v", a.Clock(), least, most, a.Domain())
	}
	if _, err := reopen(store.NewMemory()); err == nil || errors.Is(err, chain.ErrNoArena) {
		t.Errorf("an Arena never seen before: %v", err)
	}
}
