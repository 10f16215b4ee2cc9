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
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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
		{"it is refused", refuses, "", ""}, {"there is none", "0x", "", "on chain 1337): its answer is 0 bytes"}, {"what is kept is damaged", refuses, "{", "read what is kept"},
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

// TestAttack_LyingRPC_Arena: one endpoint of two, or one alone, tells other constants of an Arena.
// Nobody believes one of two. What one told alone yields to what is told now, and what two agreed
// on to nothing.
func TestAttack_LyingRPC_Arena(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	alone, both := w.dial(chain.Config{URL: p.URL}), w.dial(chain.Config{URL: w.chain.URL(), Second: p.URL})
	inBlocks, inSeconds := w.arena(both, true).Address(), w.arena(both, false).Address()
	lies := func(on bool) {
		p.set(func(p *proxy) {
			p.lie = nil
			if on {
				p.lie = func(method string, params []json.RawMessage) (any, bool) {
					if method != "eth_call" {
						return nil, false
					}
					var of struct {
						To    common.Address
						Input hexutil.Bytes
					}
					if err := json.Unmarshal(params[0], &of); err != nil {
						return err, true
					}
					told, err := w.eth.CallContract(t.Context(), ethereum.CallMsg{To: &inSeconds, Data: of.Input}, nil)
					if err != nil {
						return err, true
					}
					return hexutil.Bytes(told), of.To == inBlocks
				}
			}
		})
	}
	kept := store.NewMemory()
	clock := func(client *chain.Client, want chain.Clock, agreed bool) *chain.Arena {
		t.Helper()
		a, err := chain.ReopenArena(t.Context(), client, inBlocks, kept)
		if err != nil {
			t.Fatal(err)
		}
		if a.Clock() != want || a.Agreed() != agreed {
			t.Errorf("a clock in %v, agreed: %t", a.Clock(), a.Agreed())
		}
		return a
	}
	lies(true)
	if _, err := chain.ReopenArena(t.Context(), both, inBlocks, kept); !errors.As(err, new(*chain.Lying)) {
		t.Errorf("one of two lies: %v", err)
	}
	clock(alone, chain.Seconds, false)
	clock(both, chain.Seconds, false) // who starts with that finds it out: Confirm
	if _, _, err := clock(both, chain.Seconds, false).Confirm(t.Context()); !errors.As(err, new(*chain.Lying)) {
		t.Errorf("what one told alone is confirmed: %v", err)
	}
	lies(false)
	if same, agreed, err := clock(alone, chain.Blocks, false).Confirm(t.Context()); err != nil || !same || agreed {
		t.Errorf("confirmed by one: %t, agreed: %t, %v", same, agreed, err)
	}
	lies(true)
	wrong := clock(alone, chain.Seconds, false)
	lies(false)
	if same, agreed, err := wrong.Confirm(t.Context()); err != nil || same || agreed {
		t.Errorf("other constants are the same: %t, agreed: %t, %v", same, agreed, err)
	}
	clock(both, chain.Blocks, true)
	lies(true)
	clock(alone, chain.Blocks, true)
}
