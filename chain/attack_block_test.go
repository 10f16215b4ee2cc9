package chain_test

import (
	"encoding/json"
	"maps"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
)

// TestAttack_LyingRPC_InventedBlock: one endpoint of two shows a block of its own, whose roots
// prove that a waiting answer is in it. Both have another block in its place: the answer is sent
// on.
func TestAttack_LyingRPC_InventedBlock(t *testing.T) {
	for _, first := range []bool{true, false} {
		var sent, shown *types.Transaction
		var number uint64
		var block *types.Block
		var receipts types.Receipts
		p, _, _ := newPool(t, first, func(method string, params []json.RawMessage) (any, bool) {
			switch method {
			case "eth_sendRawTransaction":
				sent = sentTx(t, params[0])
			case "eth_getTransactionCount":
				return "0xff", number != 0
			case "eth_getTransactionReceipt":
				if number == 0 {
					return nil, false
				}
				if shown != sent {
					shown = sent
					block, receipts = inventBlock(sent, number)
				}
				return receipts[0], true
			case "eth_getBlockByHash":
				if block == nil || string(params[0]) != `"`+block.Hash().Hex()+`"` {
					return nil, false
				}
				fields := make(map[string]any)
				must(0, json.Unmarshal(must(json.Marshal(block.Header())), &fields))
				maps.Copy(fields, map[string]any{"transactions": block.Transactions(), "uncles": []any{}, "hash": block.Hash()})
				return fields, true
			case "eth_getBlockReceipts":
				return receipts, block != nil && string(params[0]) == `"`+block.Hash().Hex()+`"`
			}
			return nil, false
		})
		p.fund(p.Address(), 1e18)
		p.mine(1)
		must(p.Submit(t.Context(), p.answer("a", 1000)))
		number = p.chain.Head()
		p.step(5)
		p.tip, p.least = 30*gwei, 0
		if p.step(10); !p.did("a") {
			t.Errorf("the first lies %t: it did not land: %+v", first, p.status("a"))
		}
	}
}

// inventBlock returns a block with a transaction, which did not fail in it.
func inventBlock(tx *types.Transaction, number uint64) (*types.Block, types.Receipts) {
	receipts := types.Receipts{{
		Type: tx.Type(), Status: types.ReceiptStatusSuccessful, CumulativeGasUsed: 50_000, GasUsed: 50_000, Logs: []*types.Log{}, TxHash: tx.Hash(),
		EffectiveGasPrice: big.NewInt(2), BlockNumber: new(big.Int).SetUint64(number),
	}}
	header := &types.Header{Number: receipts[0].BlockNumber, Difficulty: new(big.Int), BaseFee: big.NewInt(1), GasLimit: 30_000_000, GasUsed: 50_000}
	block := types.NewBlock(header, &types.Body{Transactions: types.Transactions{tx}}, receipts, trie.NewStackTrie(nil))
	receipts[0].BlockHash = block.Hash()
	return block, receipts
}
