package devnet

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
)

// Send has an account send a transaction, and returns once the pool counts it. Of the fields it
// sets the chain and the nonce, and those of gas that are left out: 2,000,000 gas, a tip of 1 gwei
// and at most 200 gwei.
func (c *Chain) Send(ctx context.Context, key *ecdsa.PrivateKey, fields types.DynamicFeeTx) (*types.Transaction, error) {
	client, from := c.Client(), crypto.PubkeyToAddress(key.PublicKey)
	defer client.Close()
	nonce, err := client.PendingNonceAt(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("devnet: send: %w", err)
	}
	fields.ChainID, fields.Nonce, fields.Gas = new(big.Int).SetUint64(c.config.ChainID), nonce, cmp.Or(fields.Gas, 2_000_000)
	fields.GasTipCap = cmp.Or(fields.GasTipCap, big.NewInt(params.GWei))
	fields.GasFeeCap = cmp.Or(fields.GasFeeCap, big.NewInt(200*params.GWei))
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(fields.ChainID), &fields)
	if err != nil {
		return nil, fmt.Errorf("devnet: send: %w", err)
	}
	if err := client.SendTransaction(ctx, tx); err != nil {
		return nil, fmt.Errorf("devnet: send: %w", err)
	}
	for pending := nonce; pending == nonce; { // the pool counts it in its own time
		if pending, err = client.PendingNonceAt(ctx, from); err != nil {
			return nil, fmt.Errorf("devnet: send: %w", err)
		}
	}
	return tx, nil
}
