package chain

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
)

// errUnproved says that an endpoint did not prove how a transaction fared.
var errUnproved = errors.New("it is not proved")

// status proves whether a transaction failed in the block with a hash: the block's header has that
// hash, and the roots of the transactions and of the receipts that an endpoint shows (Ethereum
// Yellow Paper, 4.4). It fails on chains whose blocks Ethereum's encoding does not cover.
func (e *endpoint) status(ctx context.Context, block, tx common.Hash) (failed bool, err error) {
	shown, err := e.raw(ctx, "eth_getBlockByHash", block, true)
	if err != nil {
		return false, err
	}
	listed, err := e.raw(ctx, "eth_getBlockReceipts", block)
	if err != nil {
		return false, err
	}
	var header *types.Header
	var body struct{ Transactions types.Transactions }
	var receipts types.Receipts
	if err := errors.Join(json.Unmarshal(shown, &header), json.Unmarshal(shown, &body), json.Unmarshal(listed, &receipts)); err != nil {
		return false, err
	}
	txs := body.Transactions
	i := slices.IndexFunc(txs, func(other *types.Transaction) bool { return other != nil && other.Hash() == tx })
	if i < 0 || len(receipts) != len(txs) || slices.Contains(txs, nil) || slices.Contains(receipts, nil) ||
		header == nil || header.Hash() != block ||
		types.DeriveSha(txs, trie.NewStackTrie(nil)) != header.TxHash ||
		types.DeriveSha(receipts, trie.NewStackTrie(nil)) != header.ReceiptHash ||
		len(receipts[i].PostState) > 0 { // which the receipts before EIP-658 have in the status's place
		return false, errUnproved
	}
	return receipts[i].Status == types.ReceiptStatusFailed, nil
}

// raw makes a call whose answer may be one that is not read here, which is no failure of the
// endpoint.
func (e *endpoint) raw(ctx context.Context, method string, params ...any) (json.RawMessage, error) {
	return once(ctx, e, func(ctx context.Context, e *endpoint) (result json.RawMessage, err error) {
		err = e.client.CallContext(ctx, &result, method, params...)
		return result, err
	})
}

// prove is status, for not long: not again for a while where that was not long enough, so that one
// that stalls keeps no answer waiting. It is no failure of the endpoint: others may have chosen the
// block.
func (e *endpoint) prove(ctx context.Context, block, tx common.Hash) (failed bool, err error) {
	e.mu.Lock()
	stalls := e.lately(e.stalled)
	e.mu.Unlock()
	if stalls {
		return false, errStarved
	}
	limited, cancel := context.WithTimeout(As(context.WithValue(ctx, hastyKey{}, nil), User), e.timeout/6)
	defer cancel()
	failed, err = e.status(limited, block, tx)
	if limited.Err() != nil && ctx.Err() == nil {
		e.mu.Lock()
		e.stalled = e.now()
		e.mu.Unlock()
	}
	return failed, err
}

// status proves whether a transaction failed in a block, by the endpoint that shows it there, or
// else by the other one.
func (c *Client) status(ctx context.Context, by *endpoint, block, tx common.Hash) (failed bool, err error) {
	if failed, err = by.prove(ctx, block, tx); err != nil {
		failed, err = c.other(by).prove(ctx, block, tx)
	}
	return failed, err
}
