package devnet

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
)

// Deploy creates a contract from init code, its constructor's arguments included, in a block of its
// own. The receipt has the address, the block and the gas. An account that is none of the numbered
// ones pays, so that with a given Seed the same contracts, deployed in the same order, have the
// same addresses.
func (c *Chain) Deploy(ctx context.Context, code []byte) (*types.Receipt, error) {
	client := c.Client()
	defer client.Close()
	nonce, err := client.PendingNonceAt(ctx, crypto.PubkeyToAddress(c.deployer.PublicKey))
	if err != nil {
		return nil, fmt.Errorf("devnet: deploy: %w", err)
	}
	id := new(big.Int).SetUint64(c.config.ChainID)
	tx, err := types.SignNewTx(c.deployer, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, Data: code, Gas: params.MaxTxGas,
		GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(20 * params.GWei),
	})
	if err != nil {
		return nil, fmt.Errorf("devnet: deploy: %w", err)
	}
	if err := client.SendTransaction(ctx, tx); err != nil {
		return nil, fmt.Errorf("devnet: deploy: %w", err)
	}
	if err := c.Mine(1); err != nil {
		return nil, err
	}
	receipt, err := client.TransactionReceipt(ctx, tx.Hash())
	if err != nil {
		return nil, fmt.Errorf("devnet: deploy: %w", err)
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		return nil, fmt.Errorf("devnet: the contract's constructor failed, using %d gas, or its code of %d bytes is too long", receipt.GasUsed, len(code))
	}
	return receipt, nil
}

// DeployArena creates an Arena whose clock counts blocks or else seconds, with the given bounds for
// windows, in its clock.
func (c *Chain) DeployArena(ctx context.Context, inBlocks bool, minWindow, maxWindow uint64) (*types.Receipt, error) {
	arguments := bindings.NewArena().PackConstructor(inBlocks, minWindow, maxWindow)
	return c.Deploy(ctx, append(common.FromHex(bindings.ArenaMetaData.Bin), arguments...))
}
