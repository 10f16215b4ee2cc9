package chain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// TestDataFee: where a chain charges for data, the reserve and what a transaction must be paid with
// hold that, too. Of what two endpoints say the lower counts.
func TestDataFee(t *testing.T) {
	for charges, code := range map[bool]map[common.Address][]byte{false: nil, true: chaintest.PriceOracle} {
		w := newWorld(t, devnet.Config{Code: code})
		key, err := crypto.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		account := chain.KeySigner(key).Address()
		w.fund(account, 1e16)
		p := newProxy(t, w.chain.URL())
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			return common.BigToHash(big.NewInt(1e18)), asksDataFee(method, params)
		}
		client := w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()})
		head, err := client.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		market, err := client.Market(t.Context(), head)
		if err != nil || (market.Byte == chaintest.ByteFee) != charges || (market.Byte == 0) == charges {
			t.Fatalf("charges %v: a byte costs %d, %v", charges, market.Byte, err)
		}
		sender, err := chain.NewSender(client, chain.SenderConfig{
			Signer: chain.KeySigner(key), Store: store.NewMemory(), Fees: chain.Fees{Reserve: 1},
			Now: func(context.Context) (uint64, error) { return head.Number, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := sender.Reserve(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		need := new(uint256.Int).Sub(&r.Need, uint256.NewInt(r.Gas*market.Ahead()))
		if want := uint256.NewInt(r.Gas * market.Data()); !need.Eq(want) || want.IsZero() == charges {
			t.Errorf("charges %v: the reserve has %s wei for data, want %s", charges, need.Dec(), want.Dec())
		}

		// The account can pay for the gas of a long call, and not for its data.
		_, err = sender.Submit(t.Context(), chain.Request{Key: "long", To: account, Data: bytes.Repeat([]byte{0xff}, 1<<14), Defence: true})
		empty := new(chain.EmptyWallet)
		if charges != errors.As(err, &empty) || !charges && err != nil {
			t.Errorf("charges %v: %v", charges, err)
		}
	}
}

// TestDataFeeAsked: an endpoint that has told that its chain charges for no data is asked again
// only after it failed. While one refuses to tell, what it told last counts.
func TestDataFeeAsked(t *testing.T) {
	for fee, code := range map[uint64]map[common.Address][]byte{0: nil, chaintest.ByteFee: chaintest.PriceOracle} {
		w := newWorld(t, devnet.Config{Code: code})
		p := newProxy(t, w.chain.URL())
		client := w.dial(chain.Config{URL: p.URL})
		head, err := client.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		var says any
		p.set(func(p *proxy) {
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				if !asksDataFee(method, params) {
					return nil, false
				}
				asked++
				return says, says != nil
			}
		})
		look := func(answer any, want uint64, fails bool, times int) {
			t.Helper()
			asked, says = 0, answer
			for range 3 {
				if m, err := client.Market(t.Context(), head); (err != nil) != fails || m.Byte != want || m.BaseFee == 0 {
					t.Errorf("where a byte costs %d: %+v, %v", fee, m, err)
				}
			}
			if asked != times {
				t.Errorf("where a byte costs %d: asked %d times, want %d", fee, asked, times)
			}
		}
		again := 3
		if fee == 0 {
			again = 0
		}
		look(errors.New("missing trie node"), 0, false, 3)
		look(hexutil.Bytes{1}, 0, true, 3)
		look(nil, fee, false, max(again, 1))
		look(errors.New("missing trie node"), fee, false, again)
		p.set(func(p *proxy) { p.down = http.StatusServiceUnavailable })
		if _, err := client.Head(t.Context()); err == nil {
			t.Fatal("it didn't fail")
		}
		p.set(func(p *proxy) { p.down = 0 })
		look(errors.New("missing trie node"), fee, false, 3)
		look(nil, fee, false, max(again, 1))
	}
}

// asksDataFee reports whether a request is for what data costs.
func asksDataFee(method string, params []json.RawMessage) bool {
	return method == "eth_call" && strings.Contains(string(params[0]), "0x49948e0e")
}
