package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// call calls at a block, nil being the newest.
func (c *Client) call(ctx context.Context, message ethereum.CallMsg, number *big.Int) (result []byte, err error) {
	err = c.do(ctx, func(ctx context.Context, e *endpoint) error {
		result, err = e.eth.CallContract(ctx, message, number)
		return err
	})
	return result, refusal(err)
}

func (c *Client) estimate(ctx context.Context, message ethereum.CallMsg) (gas uint64, err error) {
	err = c.do(ctx, func(ctx context.Context, e *endpoint) error {
		gas, err = e.eth.EstimateGas(ctx, message)
		return err
	})
	return gas, refusal(err)
}

// receipt returns the receipt of a transaction, nil when it is in no block. A node that still indexes its transactions, as
// go-ethereum does for a while after it has synced, can't tell: it counts as down.
func (c *Client) receipt(ctx context.Context, tx common.Hash) (receipt *types.Receipt, err error) {
	err = c.use(ctx, func(e *endpoint) error {
		err := e.do(ctx, func(ctx context.Context) (err error) {
			receipt, err = e.eth.TransactionReceipt(ctx, tx)
			return err
		})
		switch {
		case errors.Is(err, ethereum.NotFound):
			receipt, err = nil, nil
		case err != nil && strings.Contains(err.Error(), "indexing is in progress"):
			err = &Unreachable{Endpoint: e.name, Err: err}
		}
		return err
	})
	return receipt, err
}

// nonce returns the number of transactions of an account that are mined in a block or before it.
func (c *Client) nonce(ctx context.Context, account common.Address, number *big.Int) (nonce uint64, err error) {
	err = c.do(ctx, func(ctx context.Context, e *endpoint) error {
		nonce, err = e.eth.NonceAt(ctx, account, number)
		return err
	})
	return nonce, err
}

// pendingNonce also counts what waits in the endpoint's pool, up to the first gap.
func (c *Client) pendingNonce(ctx context.Context, account common.Address) (nonce uint64, err error) {
	err = c.do(ctx, func(ctx context.Context, e *endpoint) error {
		nonce, err = e.eth.PendingNonceAt(ctx, account)
		return err
	})
	return nonce, err
}

// tip returns the priority fee that the endpoint suggests, in wei per gas.
func (c *Client) tip(ctx context.Context) (uint64, error) {
	var wei *big.Int
	err := c.do(ctx, func(ctx context.Context, e *endpoint) (err error) {
		wei, err = e.eth.SuggestGasTipCap(ctx)
		return err
	})
	if err != nil {
		return 0, err
	}
	if !wei.IsUint64() {
		return 0, &Lying{Endpoint: c.first.name, What: fmt.Sprintf("the suggested tip is %v wei per gas", wei)}
	}
	return wei.Uint64(), nil
}

// broadcast sends a transaction to both endpoints; that one of them takes it is enough.
func (c *Client) broadcast(ctx context.Context, tx *types.Transaction) error {
	send := func(e *endpoint) error {
		return e.do(ctx, func(ctx context.Context) error { return e.eth.SendTransaction(ctx, tx) })
	}
	err := c.ask(ctx, c.first, send)
	if c.second != nil && c.ask(ctx, c.second, send) == nil {
		return nil
	}
	return err
}
