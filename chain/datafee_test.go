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
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// charging are chains that charge for nothing but gas, for data besides, and for data as gas.
var charging = []struct {
	what string
	code map[common.Address][]byte
	fee  uint64 // of a byte, in wei
}{{"no fee", nil, 0}, {"the OP stack", chaintest.PriceOracle, chaintest.ByteFee}, {"Arbitrum", chaintest.GasInfo, chaintest.ByteFee}}

// TestDataFee: where a chain charges for data, the reserve holds that, too, and so does what a
// transaction must be paid with, unless the chain counts it in its estimates of gas.
func TestDataFee(t *testing.T) {
	for _, of := range charging {
		w := newWorld(t, devnet.Config{Code: of.code})
		key, err := crypto.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		account := chain.KeySigner(key).Address()
		w.fund(account, 1e16)
		client := w.dial(chain.Config{})
		head, err := client.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		market, err := client.Market(t.Context(), head)
		if err != nil || market.Byte != of.fee || market.InGas != (of.what == "Arbitrum") {
			t.Fatalf("%s: %+v, %v", of.what, market, err)
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
		if want := uint256.NewInt(r.Gas * market.Data()); !need.Eq(want) || want.IsZero() != (of.fee == 0) {
			t.Errorf("%s: the reserve has %s wei for data, want %s", of.what, need.Dec(), want.Dec())
		}

		// The account can pay for the gas of a long call, and not for its data.
		_, err = sender.Submit(t.Context(), chain.Request{Key: "long", To: account, Data: bytes.Repeat([]byte{0xff}, 1<<14), Defence: true})
		empty, besides := new(chain.EmptyWallet), of.what == "the OP stack"
		if besides != errors.As(err, &empty) || !besides && err != nil {
			t.Errorf("%s: %v", of.what, err)
		}
	}
}

// TestAttack_LyingRPC_DataFee: of what two endpoints say the lower counts, so that one alone
// freezes no money; one that has told nothing has no say.
func TestAttack_LyingRPC_DataFee(t *testing.T) {
	absurd := common.BigToHash(big.NewInt(1e18))
	for _, of := range charging {
		w := newWorld(t, devnet.Config{Code: of.code})
		for _, c := range []struct {
			what string
			says any
			fee  uint64
		}{
			{"what the other says", nil, of.fee}, {"that it is absurdly high", absurd, of.fee}, {"more than is ever paid", most(1), of.fee},
			{"nothing", errors.New("missing trie node"), of.fee}, {"that there is none", "0x", 0},
		} {
			p := newProxy(t, w.chain.URL())
			p.lie = func(method string, params []json.RawMessage) (any, bool) {
				return c.says, c.says != nil && asksDataFee(method, params)
			}
			for _, urls := range [][2]string{{p.URL, w.chain.URL()}, {w.chain.URL(), p.URL}} {
				client := w.dial(chain.Config{URL: urls[0], Second: urls[1]})
				head, err := client.Head(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if m, err := client.Market(t.Context(), head); err != nil || m.Byte != c.fee {
					t.Errorf("%s, and an endpoint says %s: %+v, %v", of.what, c.what, m, err)
				}
			}
		}
	}
}

// most is the highest number there is, in so many words.
func most(words int) hexutil.Bytes { return bytes.Repeat([]byte{0xff}, words*common.HashLength) }

// dear are so many words that each say that 1024 bytes, or one, cost more than is ever paid.
func dear(words int) hexutil.Bytes {
	word := common.BigToHash(new(big.Int).SetUint64(1024 * money.Highest))
	return bytes.Repeat(word[:], words)
}

// TestDataFeeAsked: that a chain charges for nothing but gas is believed for a while, and not by
// what an endpoint says while it fails. While one refuses to tell, or tells nonsense, what it told
// last counts, and an alarm stands.
func TestDataFeeAsked(t *testing.T) {
	for i, of := range charging {
		w := newWorld(t, devnet.Config{Code: of.code})
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
		look := func(answer any, fee uint64, times ...int) {
			t.Helper()
			asked, says = 0, answer
			for range 3 {
				if m, err := client.Market(t.Context(), head); err != nil || m.Byte != fee || m.BaseFee == 0 {
					t.Errorf("%s: %+v, %v", of.what, m, err)
				}
			}
			if asked != times[i] {
				t.Errorf("%s: asked %d times, want %d", of.what, asked, times[i])
			}
		}
		refuses := errors.New("missing trie node")
		look(refuses, 0, 3, 3, 3)
		wantAlarm[*chain.Refusing](w, false)
		look(nil, of.fee, 2, 3, 4)
		wantAlarm[*chain.Refusing](w, true)
		for _, answer := range []any{refuses, "0x", hexutil.Bytes{1}, errors.New("execution reverted"), most(1), most(6), dear(1), dear(6)} {
			look(answer, of.fee, 0, 3, 3)
		}
		if of.fee != 0 {
			wantAlarm[*chain.Refusing](w, false)
		}
		p.set(func(p *proxy) { p.down = http.StatusServiceUnavailable })
		if m, err := client.Market(t.Context(), head); err == nil || m.BaseFee == 0 {
			t.Errorf("%s: while the endpoint is down: %+v, %v", of.what, m, err)
		}
		p.set(func(p *proxy) { p.down = 0 })
		look(refuses, of.fee, 3, 3, 3)
		look(nil, of.fee, 2, 3, 3)
		if of.fee != 0 {
			continue
		}
		looks := 0
		for asked = 0; asked == 0 && looks < 1000; looks++ {
			if _, err := client.Market(t.Context(), head); err != nil {
				t.Fatal(err)
			}
		}
		if looks != 254 {
			t.Errorf("asked again after %d looks more", looks)
		}
	}
}

// asksDataFee reports whether a request is for what data costs.
func asksDataFee(method string, params []json.RawMessage) bool {
	return method == "eth_call" && (strings.Contains(string(params[0]), "0x49948e0e") || strings.Contains(string(params[0]), "0x41b247a8"))
}
