package chain

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/trie"
)

// TestStatus: what became of a transaction is proved by the whole block that has the hash, and
// nothing that an endpoint can change of it proves anything else.
func TestStatus(t *testing.T) {
	block, receipts := blockOfThree(t)
	failed, did := block.Transactions()[1].Hash(), block.Transactions()[2].Hash()
	shown, err := json.Marshal(block.Header())
	if err != nil {
		t.Fatal(err)
	}
	fields := make(map[string]any)
	if err := json.Unmarshal(shown, &fields); err != nil {
		t.Fatal(err)
	}
	txs := block.Transactions()
	swapped := types.Transactions{txs[0], txs[2], txs[1]}
	without := func(at int) []any {
		list := []any{receipts[0], receipts[1], receipts[2]}
		list[at] = nil
		return list
	}
	for what, c := range map[string]struct {
		tx           common.Hash
		header       string // a field that is another
		transactions any    // nil: those of the block
		receipts     any
		from, to     string // what is written otherwise of the receipts
		says         string
	}{
		"it failed":                  {tx: failed, says: "true"},
		"it did well":                {tx: did, says: "false"},
		"it is in another block":     {tx: common.Hash{1}},
		"the header is another":      {tx: failed, header: "gasLimit"},
		"its receipts are others":    {tx: failed, from: `"status":"0x0"`, to: `"status":"0x1"`},
		"the others', too":           {tx: did, from: `"status":"0x1"`, to: `"status":"0x0"`},
		"a status of two":            {tx: did, from: `"status":"0x1"`, to: `"status":"0x2"`, says: "false"},
		"a root in its place":        {tx: did, from: `"status":"0x1"`, to: `"root":"0x01"`},
		"a log is null":              {tx: did, from: `"logs":[]`, to: `"logs":[null]`},
		"two are swapped":            {tx: failed, transactions: swapped},
		"both of both":               {tx: failed, transactions: swapped, receipts: types.Receipts{receipts[0], receipts[2], receipts[1]}},
		"a receipt is missing":       {tx: failed, receipts: receipts[:2]},
		"the receipt is null":        {tx: failed, receipts: without(1)},
		"another receipt is null":    {tx: failed, receipts: without(0)},
		"all receipts are null":      {tx: failed, receipts: json.RawMessage("null")},
		"the transaction is null":    {tx: failed, transactions: []any{txs[0], nil, txs[2]}},
		"another one is null":        {tx: failed, transactions: []any{nil, txs[1], txs[2]}},
		"there are no transactions":  {tx: failed, transactions: []any{}},
		"it has more than the block": {tx: failed, transactions: append(txs[:3:3], txs[0])},
	} {
		client, _ := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
			switch {
			case endpoint == one && method != "eth_chainId":
				return nil, errNo
			case method == "eth_getBlockByHash":
				answer := maps.Clone(fields)
				answer["uncles"], answer["transactions"] = []any{}, c.transactions
				if c.transactions == nil {
					answer["transactions"] = txs
				}
				if c.header != "" {
					answer[c.header] = "0x9"
				}
				return answer, nil
			case method == "eth_getBlockReceipts":
				list := c.receipts
				if list == nil {
					list = receipts
				}
				raw, err := json.Marshal(list)
				return json.RawMessage(strings.ReplaceAll(string(raw), c.from, c.to)), err
			}
			return nil, nil
		}).dial(t, Config{})
		says, err := client.status(t.Context(), client.first, block.Hash(), c.tx)
		if got := fmt.Sprint(says); err == nil && got != c.says || (err == nil) != (c.says != "") {
			t.Errorf("%s: it says that it failed: %s, %v", what, got, err)
		}
	}
}

// TestAttack_LyingRPC_Uncles: an endpoint that shows a block with any number of uncles, or one that
// cannot be read, is asked two questions for a proof, and none about the uncles. That it can't be
// read, as on other chains, does not count as being away.
func TestAttack_LyingRPC_Uncles(t *testing.T) {
	block, receipts := blockOfThree(t)
	header := block.Header()
	header.UncleHash = common.Hash{1}
	shown, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	fields := make(map[string]any)
	if err := json.Unmarshal(shown, &fields); err != nil {
		t.Fatal(err)
	}
	fields["uncles"] = make([]common.Hash, 1000)
	for what, txs := range map[string]any{"uncles": block.Transactions(), "another kind of transaction": []any{map[string]any{"type": "0x7e"}}} {
		fields["transactions"] = txs
		client, _ := script(func(_, method string, _ []json.RawMessage) (any, error) {
			switch method {
			case "eth_chainId":
				return nil, nil
			case "eth_getBlockByHash":
				asked.Add(1)
				return fields, nil
			case "eth_getBlockReceipts":
				asked.Add(1)
				return receipts, nil
			}
			asked.Add(1)
			return block.Header(), nil
		}).dial(t, Config{})
		asked.Store(0)
		_, err := client.status(t.Context(), client.first, block.Hash(), block.Transactions()[1].Hash())
		if n := asked.Load(); err == nil || n > 4 || !client.first.answers() || !client.second.answers() {
			t.Errorf("%s: %v, after %d questions; they answer: %t, %t", what, err, n, client.first.answers(), client.second.answers())
		}
	}
}

// blockOfThree is a block of three transactions, of which the second failed.
func blockOfThree(t *testing.T) (*types.Block, types.Receipts) {
	t.Helper()
	key, err := crypto.ToECDSA(common.LeftPadBytes([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	var body types.Body
	var receipts types.Receipts
	for nonce := range uint64(3) {
		tx := types.MustSignNewTx(key, types.LatestSignerForChainID(big.NewInt(1)), &types.DynamicFeeTx{
			ChainID: big.NewInt(1), Nonce: nonce, To: &common.Address{1}, Gas: 100_000, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(2),
		})
		body.Transactions = append(body.Transactions, tx)
		receipts = append(receipts, &types.Receipt{
			Type: tx.Type(), Status: (nonce + 1) % 2, CumulativeGasUsed: 50_000 * (nonce + 1), GasUsed: 50_000, Logs: []*types.Log{}, TxHash: tx.Hash(),
			EffectiveGasPrice: big.NewInt(2), BlockHash: common.Hash{1}, BlockNumber: big.NewInt(10), TransactionIndex: uint(nonce),
		})
	}
	header := &types.Header{Number: big.NewInt(10), Difficulty: new(big.Int), BaseFee: big.NewInt(1), GasLimit: 30_000_000, GasUsed: 150_000}
	return types.NewBlock(header, &body, receipts, trie.NewStackTrie(nil)), receipts
}
