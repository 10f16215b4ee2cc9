package devnet

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

// Deploy creates a contract from init code, its constructor's arguments included, in a block of its
// own. The receipt has the address, the block and the gas. An account that is none of the numbered
// ones pays, so that with a given Seed the same contracts, deployed in the same order, have the
// same addresses.
func (c *Chain) Deploy(ctx context.Context, code []byte) (*types.Receipt, error) {
	tx, err := c.Send(ctx, c.deployer, types.DynamicFeeTx{Data: code, Gas: params.MaxTxGas, GasTipCap: big.NewInt(1)})
	if err != nil {
		return nil, err
	}
	if err := c.Mine(1); err != nil {
		return nil, err
	}
	client := c.Client()
	defer client.Close()
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
