package chain_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
)

// facts are those for the rules of the world's contract, in a store.
func (w *world) facts(client *chain.Client, store chain.Store) chain.RulesFacts {
	w.t.Helper()
	f, err := chain.NewFacts(client, store, 3)
	if err != nil {
		w.t.Fatal(err)
	}
	return f.Of(w.once)
}

// fetch fetches what is final when a block is the newest.
func (w *world) fetch(f chain.RulesFacts, newest uint64) error {
	f.At(&chain.Reach{Highest: newest, Shared: chain.Block{Number: newest}})
	return f.Fetch(w.t.Context())
}

// noted fails unless it is known, or not, what the contract has noted before a block.
func (w *world) noted(f chain.RulesFacts, word string, before uint64, known bool, want byte) {
	w.t.Helper()
	if got, is := f.Noted(wordOf(word), before); is != known || got != (common.Hash{31: want}) {
		w.t.Errorf("noted of %q before block %d: %v, %t", word, before, got, is)
	}
}

// TestNoted: what a contract has noted, and that it has noted nothing, is known once the block is
// final before which it was to be; of that contract, for ever, and after a restart.
func TestNoted(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	client, store := w.dial(chain.Config{}), &kept{values: map[string][]byte{}}
	f := w.facts(client, store)
	w.say("a")
	w.mine(1) // in block 2
	w.noted(f, "a", 3, false, 0)
	w.noted(f, "b", 3, false, 0)
	w.mine(2)
	if err := w.fetch(f, 4); err != nil || f.Known() != 0 {
		t.Errorf("%d facts are known, %v, and block 3 is not final", f.Known(), err)
	}
	w.mine(1)
	other := f.Facts.Of(common.Address{1})
	w.noted(other, "a", 3, false, 0)
	w.noted(f, "b", 4, false, 0)
	if err := w.fetch(f, 5); err != nil || f.Known() != 3 {
		t.Errorf("%d facts are known, %v, want 3", f.Known(), err)
	}
	w.mine(1)
	if err := w.fetch(f, 6); err != nil {
		t.Error(err)
	}
	for _, f := range []chain.RulesFacts{f, w.facts(client, store)} {
		w.noted(f, "a", 3, true, 1)
		w.noted(f, "b", 3, true, 0)
		w.noted(f, "b", 4, true, 0)
		w.noted(f.Facts.Of(common.Address{1}), "a", 3, true, 0)
		if f.Known() != 4 {
			t.Errorf("%d facts are known, want 4", f.Known())
		}
	}
}

// TestAttack_LyingRPC_Note: what was noted, and that nothing was, is what both endpoints say. One
// that is behind says nothing of it, whichever of the two is asked.
func TestAttack_LyingRPC_Note(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
	f := w.facts(w.dial(chain.Config{URL: p.URL, Second: second.URL}), &kept{values: map[string][]byte{}})
	w.say("a")
	w.mine(5) // it is in block 2
	tells := func(answer func(slot common.Hash) any) func(*proxy) {
		return func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				var slot common.Hash
				asked := method == "eth_getStorageAt" && json.Unmarshal(params[1], &slot) == nil
				if asked && string(params[2]) != `"0x6"` {
					t.Errorf("it is asked about block %s: who doesn't have the newest answers as of an older one", params[2])
				}
				return answer(slot), asked
			}
		}
	}
	inverse := func(slot common.Hash) any {
		if slot == wordOf("a") {
			return common.Hash{}
		}
		return common.Hash{31: 1}
	}
	for _, liar := range []*proxy{p, second} {
		for _, word := range []string{"a", "b"} {
			w.noted(f, word, 3, false, 0)
			liar.set(tells(inverse))
			if err := w.fetch(f, 6); !errors.As(err, new(*chain.Lying)) {
				t.Errorf("%q: %v", word, err)
			}
			w.noted(f, word, 3, false, 0)
			liar.set(func(p *proxy) { p.lie = nil })
		}
		liar.behind(2)
		if err := w.fetch(f, 6); err != nil || f.Known() != 0 {
			t.Errorf("one is behind, %d facts are known: %v", f.Known(), err)
		}
		liar.behind(0)
		liar.set(tells(func(common.Hash) any { return errors.New("header not found") }))
		if err := w.fetch(f, 6); !errors.As(err, new(*chain.Refusing)) {
			t.Errorf("it does not tell: %v", err)
		}
		liar.set(func(p *proxy) { p.lie = nil })
	}
	if err := w.fetch(f, 6); err != nil {
		t.Error(err)
	}
	w.noted(f, "a", 3, true, 1)
	w.noted(f, "b", 3, true, 0)
}

// TestAttack_LyingRPC_ToldAlone: what one of two endpoints says while the other has no say, from
// the start or from the middle of an answer on, is not believed: it would be for ever.
func TestAttack_LyingRPC_ToldAlone(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	first, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
	store := &kept{values: map[string][]byte{}}
	client := w.dial(chain.Config{URL: first.URL, Second: second.URL})
	f := w.facts(client, store)
	w.say("a")
	w.mine(5) // it is in block 2
	lies := func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			return common.Hash{}, method == "eth_getStorageAt"
		}
	}
	for _, liar := range []*proxy{first, second} {
		honest := first
		if liar == first {
			honest = second
		}
		for _, goesDown := range []func(p *proxy){
			func(p *proxy) { p.down = 1 },
			func(p *proxy) {
				p.lie = func(method string, _ []json.RawMessage) (any, bool) {
					if method != "eth_getBlockByNumber" {
						panic(http.ErrAbortHandler)
					}
					return nil, false
				}
			},
		} {
			w.noted(f, "a", 3, false, 0)
			liar.set(lies)
			honest.set(goesDown)
			if err := w.fetch(f, 6); err != nil && !errors.As(err, new(*chain.Lying)) {
				t.Error(err)
			}
			for _, p := range []*proxy{first, second} {
				p.set(func(p *proxy) { p.down, p.lie = 0, nil })
			}
			if f.Known() != 0 {
				t.Fatalf("%d facts are known by one endpoint's word", f.Known())
			}
		}
	}
	if err := w.fetch(f, 6); err != nil {
		t.Error(err)
	}
	for _, f := range []chain.RulesFacts{f, w.facts(client, store)} {
		w.noted(f, "a", 3, true, 1)
	}
}

// TestFacts_FarBlock: what is to be known of a block near 2^64, which a house can name, is not
// final, and nothing is asked about it.
func TestFacts_FarBlock(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	all, err := chain.NewFacts(w.dial(chain.Config{}), &kept{values: map[string][]byte{}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := all.Of(w.once)
	w.mine(20)
	for far := range uint64(20) {
		f.BlockHash(^far)
		f.Noted(common.Hash{1}, ^far)
	}
	f.BlockHash(2)
	if err := w.fetch(f, 20); err != nil || f.Known() != 1 {
		t.Errorf("%d facts are known: %v", f.Known(), err)
	}
}

// TestFacts_OneFails: a fact that can't be told doesn't hold up the others, in whatever order.
func TestFacts_OneFails(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	f := w.facts(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), &kept{values: map[string][]byte{}})
	w.mine(19)
	p.set(func(p *proxy) {
		p.lie = func(method string, _ []json.RawMessage) (any, bool) {
			return common.Hash{9}, method == "eth_getStorageAt"
		}
	})
	w.noted(f, "a", 3, false, 0)
	w.noted(f, "b", 3, false, 0)
	for number := range uint64(9) {
		f.BlockHash(number)
	}
	if err := w.fetch(f, 20); !errors.As(err, new(*chain.Lying)) || f.Known() != 9 {
		t.Errorf("%d facts are known, want 9: %v", f.Known(), err)
	}
}

// TestFacts_Hidden: an endpoint never tells a block that is far below its newest one. What waits
// for it is no secret.
func TestFacts_Hidden(t *testing.T) {
	for _, first := range []bool{true, false} {
		w := newWorld(t, devnet.Config{})
		p := newProxy(t, w.chain.URL())
		config := chain.Config{URL: p.URL, Second: w.chain.URL()}
		if !first {
			config.URL, config.Second = config.Second, config.URL
		}
		f := w.facts(w.dial(config), &kept{values: map[string][]byte{}})
		w.mine(19)
		p.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				return nil, method == "eth_getBlockByNumber" && string(params[0]) == `"0x3"`
			}
		})
		f.BlockHash(3)
		f.BlockHash(4)
		if err := w.fetch(f, 20); !errors.Is(err, chain.ErrUnknownBlock) || f.Known() != 1 {
			t.Errorf("the first %t: %d facts are known, want 1: %v", first, f.Known(), err)
		}
	}
}
