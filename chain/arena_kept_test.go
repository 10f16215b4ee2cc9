package chain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

// TestAttack_DownAtStart_Arena: who once opened an Arena opens it again whatever the endpoint
// refuses; who never did is told why not.
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

// TestWhatIsKeptOfAnArena: an Arena that isn't there is not opened by what is kept of it, nor is
// one of which what is kept can't be read; a store that fails is told of.
func TestWhatIsKeptOfAnArena(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	client, kept := w.dial(chain.Config{URL: p.URL}), store.NewMemory()
	address := w.arena(client, true).Address()
	reopen := func(s chain.Store) error {
		_, err := chain.ReopenArena(t.Context(), client, address, s)
		return err
	}
	broken := &storetest.Faulty{Store: kept, Before: func(op storetest.Op) error {
		if op == storetest.Get {
			return storetest.ErrCrash
		}
		return nil
	}}
	if err := reopen(kept); err != nil {
		t.Fatal(err)
	}
	if err := reopen(broken); !errors.Is(err, storetest.ErrCrash) {
		t.Errorf("a store that can't be read: %v", err)
	}
	refuses := errors.New("missing trie node")
	for _, c := range []struct {
		what   string
		answer any
		kept   string // "": as it was
		want   string
	}{
		{"it is refused", refuses, "", ""}, {"there is none", "0x", "", chain.ErrNoArena.Error()}, {"what is kept is damaged", refuses, "{", "read what is kept"},
	} {
		p.set(func(p *proxy) {
			p.lie = func(method string, _ []json.RawMessage) (any, bool) { return c.answer, method == "eth_call" }
		})
		if c.kept != "" {
			if err := kept.Commit(map[string][]byte{fmt.Sprintf("arena/%d/%x", client.ChainID(), address): []byte(c.kept)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := reopen(kept); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
