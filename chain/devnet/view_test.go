package devnet_test

import (
	"context"
	"testing"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestViewSaysWhatTheEndpointSays: of balances and contracts, and of the block that it is of
// whatever came later.
func TestViewSaysWhatTheEndpointSays(t *testing.T) {
	chain, client := start(t, devnet.Config{Manual: true, Seed: "fixed"})
	ctx := context.Background()
	arena, err := chain.DeployArena(ctx, true, 4, 100)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []*types.Block
	chain.Watch(func(b *types.Block) { blocks = append(blocks, b) })
	for range 2 {
		pay(t, chain, client)
		if err := chain.Mine(1); err != nil {
			t.Fatal(err)
		}
	}
	ask := ethereum.CallMsg{To: &arena.ContractAddress, Data: bindings.NewArena().PackEip712Domain()}
	for _, b := range blocks {
		view, err := chain.View(b)
		if err != nil {
			t.Fatal(err)
		}
		want, err := client.BalanceAt(ctx, chain.Address(1), b.Number())
		if got := view.Balance(chain.Address(1)); err != nil || got.ToBig().Cmp(want) != 0 {
			t.Errorf("block %d: a balance of %v, want %v, %v", b.NumberU64(), got, want, err)
		}
		said, err := client.CallContract(ctx, ask, b.Number())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := view.Call(*ask.To, ask.Data); err != nil || string(got) != string(said) {
				t.Errorf("block %d: the Arena says %x, %v, want %x", b.NumberU64(), got, err, said)
			}
		}
		if got, err := view.Call(chain.Address(1), nil); err != nil || len(got) != 0 {
			t.Errorf("an account without code says %x, %v", got, err)
		}
		if _, err := view.Call(*ask.To, common.FromHex("0xffffffff")); err == nil {
			t.Error("the Arena answers a call that it does not know")
		}
	}
}
