package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// TestSince: an endpoint without an archive says since when a contract is there if it was made
// within what it remembers, and else that it doesn't know.
func TestSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t, devnet.Config{Manual: true})
	w.mine(39)
	receipt, err := w.chain.Deploy(t.Context(), common.FromHex("0x600160005360016000f3"))
	if err != nil {
		t.Fatal(err)
	}
	w.mine(30)
	made := receipt.BlockNumber.Uint64()
	var kept uint64 // the first block whose state the endpoint keeps
	p := newProxy(t, w.chain.URL())
	p.lie = func(method string, params []json.RawMessage) (any, bool) {
		var at hexutil.Uint64
		if method != "eth_getCode" || json.Unmarshal(params[1], &at) != nil || uint64(at) >= kept {
			return nil, false
		}
		return errors.New("missing trie node"), true
	}
	client := w.dial(chain.Config{URL: p.URL})
	for _, c := range []struct {
		kept uint64
		want error
	}{{0, nil}, {made - 1, nil}, {made, chain.ErrNoHistory}, {made + 9, chain.ErrNoHistory}} {
		p.set(func(*proxy) { kept = c.kept })
		since, err := client.Since(t.Context(), receipt.ContractAddress)
		if !errors.Is(err, c.want) || err == nil && since != made {
			t.Errorf("kept from block %d: there since %d, %v; want %d, %v", c.kept, since, err, made, c.want)
		}
	}
}
