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

// Deploy creates a contract from init code, its constructor's arguments included. The receipt has
// the address, the block and the gas. An account that is none of the numbered ones pays, so that
// with a given Seed the same contracts, deployed in the same order, have the same addresses.
func (c *Chain) Deploy(ctx context.Context, code []byte) (*types.Receipt, error) {
	receipts, err := c.DeployAll(ctx, code)
	if err != nil {
		return nil, err
	}
	return receipts[0], nil
}

// DeployAll creates contracts as Deploy does, in the order of their codes and without a block for
// each: blocks take as many as fit. When one fails, it returns the receipts of those before it.
func (c *Chain) DeployAll(ctx context.Context, codes ...[]byte) (receipts []*types.Receipt, err error) {
	sent, refused := c.sendCodes(codes)
	client := c.Client()
	defer client.Close()
	for _, tx := range sent {
		receipt, err := client.TransactionReceipt(ctx, tx.Hash())
		if err != nil {
			return receipts, fmt.Errorf("devnet: deploy: %w", err)
		}
		if receipt.Status != types.ReceiptStatusSuccessful {
			return receipts, fmt.Errorf("devnet: the contract's constructor failed, using %d gas, or its code of %d bytes is too long", receipt.GasUsed, len(tx.Data()))
		}
		receipts = append(receipts, receipt)
	}
	return receipts, refused
}

// sendCodes has transactions mined that create contracts, up to the first that the pool refuses.
// Nobody else makes a block meanwhile, with a part of them.
func (c *Chain) sendCodes(codes [][]byte) (sent []*types.Transaction, err error) {
	c.mining.Lock()
	defer c.mining.Unlock()
	defer c.drain()
	id, pool := new(big.Int).SetUint64(c.config.ChainID), c.backend.TxPool()
	nonce := pool.PoolNonce(crypto.PubkeyToAddress(c.deployer.PublicKey))
	for i, code := range codes {
		tx := types.MustSignNewTx(c.deployer, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
			ChainID: id, Nonce: nonce + uint64(i), Data: code, Gas: params.MaxTxGas, //nolint:gosec // an index
			GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(200 * params.GWei),
		})
		if err := pool.Add([]*types.Transaction{tx}, true)[0]; err != nil {
			return sent, fmt.Errorf("devnet: deploy: %w", err)
		}
		sent = append(sent, tx)
	}
	return sent, nil
}

// DeployArena creates an Arena whose clock counts blocks or else seconds, with the given bounds for
// windows, in its clock.
func (c *Chain) DeployArena(ctx context.Context, inBlocks bool, minWindow, maxWindow uint64) (*types.Receipt, error) {
	arguments := bindings.NewArena().PackConstructor(inBlocks, minWindow, maxWindow)
	return c.Deploy(ctx, append(common.FromHex(bindings.ArenaMetaData.Bin), arguments...))
}
