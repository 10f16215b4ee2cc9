package chain

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/trie"
)

// errUnproved says that an endpoint did not prove how a transaction fared.
var errUnproved = errors.New("it is not proved")

// status proves whether a transaction failed in the block with a hash: the block's header has that
// hash, and the roots of the transactions and of the receipts that an endpoint shows (Ethereum
// Yellow Paper, 4.4). It fails on chains whose blocks Ethereum's encoding does not cover.
func (e *endpoint) status(ctx context.Context, block, tx common.Hash) (failed bool, err error) {
	shown, err := once(ctx, e, func(ctx context.Context, e *endpoint) (*types.Block, error) { return e.eth.BlockByHash(ctx, block) })
	if err != nil {
		return false, err
	}
	receipts, err := once(ctx, e, func(ctx context.Context, e *endpoint) (types.Receipts, error) {
		return e.eth.BlockReceipts(ctx, rpc.BlockNumberOrHashWithHash(block, false))
	})
	if err != nil {
		return false, err
	}
	txs := shown.Transactions()
	i := slices.IndexFunc(txs, func(other *types.Transaction) bool { return other != nil && other.Hash() == tx })
	if i < 0 || len(receipts) != len(txs) || slices.Contains(txs, nil) || slices.Contains(receipts, nil) ||
		shown.Hash() != block ||
		types.DeriveSha(txs, trie.NewStackTrie(nil)) != shown.TxHash() ||
		types.DeriveSha(receipts, trie.NewStackTrie(nil)) != shown.ReceiptHash() ||
		len(receipts[i].PostState) > 0 { // which the receipts before EIP-658 have in the status's place
		return false, errUnproved
	}
	return receipts[i].Status == types.ReceiptStatusFailed, nil
}

// status proves whether a transaction failed in a block, by whichever endpoint can.
func (c *Client) status(ctx context.Context, block, tx common.Hash) (failed bool, err error) {
	for _, e := range []*endpoint{c.first, c.second} {
		if failed, err = e.status(ctx, block, tx); err == nil {
			return failed, nil
		}
	}
	return false, err
}
