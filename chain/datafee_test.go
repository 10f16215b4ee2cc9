package chain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// TestDataFee: where a chain charges for data, the reserve and what a transaction must be paid with
// hold that, too. Of what two endpoints say the lower counts.
func TestDataFee(t *testing.T) {
	w := newWorld(t, devnet.Config{Code: chaintest.PriceOracle})
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	account := chain.KeySigner(key).Address()
	w.fund(account, 1e16)
	p := newProxy(t, w.chain.URL())
	p.lie = func(method string, params []json.RawMessage) (any, bool) {
		return common.BigToHash(big.NewInt(1e18)), method == "eth_call" && strings.Contains(string(params[0]), "0x49948e0e")
	}
	needs := map[bool]*uint256.Int{}
	for _, charges := range []bool{false, true} {
		client := w.dial(chain.Config{URL: p.URL, Second: w.chain.URL(), OPStack: charges})
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
		needs[charges] = new(uint256.Int).Sub(&r.Need, uint256.NewInt(r.Gas*market.Ahead()))
		if want := uint256.NewInt(r.Gas * market.Data()); !needs[charges].Eq(want) || want.IsZero() == charges {
			t.Errorf("charges %v: the reserve has %s wei for data, want %s", charges, needs[charges].Dec(), want.Dec())
		}

		// The account can pay for the gas of a long call, and not for its data.
		_, err = sender.Submit(t.Context(), chain.Request{Key: "long", To: account, Data: bytes.Repeat([]byte{0xff}, 1<<14), Defence: true})
		empty := new(chain.EmptyWallet)
		if charges != errors.As(err, &empty) || !charges && err != nil {
			t.Errorf("charges %v: %v", charges, err)
		}
	}

	bare := newWorld(t, devnet.Config{})
	client := bare.dial(chain.Config{URL: bare.chain.URL(), OPStack: true})
	head, err := client.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if m, err := client.Market(t.Context(), head); err == nil || !strings.Contains(err.Error(), "chain.op_stack") || m.BaseFee == 0 {
		t.Errorf("a chain without the oracle: %+v, %v", m, err)
	}
}
