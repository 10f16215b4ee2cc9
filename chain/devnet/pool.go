package devnet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// go-ethereum's transaction pool hears of blocks in its own time. Those who mine by hand expect
// that a block has all that was sent before, and that what is sent after it is judged by it. These
// are the places where the pool needs help.

// transactions replaces the methods by which JSON-RPC sends transactions: Chain.mining keeps them
// apart from the making of blocks, and each waits until the pool has judged its transaction. When
// the pool hears of a block before that, it judges the transaction by the account's nonce in that
// block, without those that wait before it, and leaves it out.
type transactions struct{ chain *Chain }

// SendRawTransaction serves eth_sendRawTransaction.
func (t transactions) SendRawTransaction(_ context.Context, encoded hexutil.Bytes) (common.Hash, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(encoded); err != nil {
		return common.Hash{}, err
	}
	if !tx.Protected() && !t.chain.config.Bare {
		return common.Hash{}, errors.New("only replay-protected (EIP-155) transactions are taken")
	}
	t.chain.mining.RLock()
	defer t.chain.mining.RUnlock()
	if err := t.chain.backend.TxPool().Add([]*types.Transaction{tx}, true)[0]; err != nil {
		return common.Hash{}, err
	}
	return tx.Hash(), nil
}

// SendRawTransactionSync refuses eth_sendRawTransactionSync.
func (transactions) SendRawTransactionSync(context.Context, hexutil.Bytes, *uint64) (map[string]any, error) {
	return nil, errors.New("use eth_sendRawTransaction and eth_getTransactionReceipt")
}

// settle waits until the pool has heard of the newest block, and the index of transactions of the
// first one: until then a receipt that isn't there is refused instead of not found. TxPool.Sync
// alone may be served before the news: at most one time in two, and then hardly ever again.
func (c *Chain) settle() {
	for blocks := c.backend.BlockChain(); blocks.CurrentBlock().Number.Sign() > 0 && !blocks.TxIndexDone(); {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		if c.backend.TxPool().Sync() != nil {
			return // closing
		}
	}
}

// waiting returns the number of transactions that could be mined next, for their nonces.
func (c *Chain) waiting() int {
	c.settle()
	pending, _ := c.backend.TxPool().Stats()
	return pending
}

// sendersSince returns who sent the transactions after a block.
func (c *Chain) sendersSince(number uint64) (senders []common.Address) {
	chain := c.backend.BlockChain()
	signer := types.LatestSigner(chain.Config())
	for n := chain.CurrentBlock().Number.Uint64(); n > number; n-- {
		for _, tx := range chain.GetBlockByNumber(n).Transactions() {
			if sender, err := types.Sender(signer, tx); err == nil {
				senders = append(senders, sender)
			}
		}
	}
	return senders
}

// emptyPool drops all that waits. On a new head the pool puts orphaned transactions back, in its
// own time: that it has done so shows in the nonces of their senders, which are the head's once it
// is empty.
func (c *Chain) emptyPool(senders []common.Address) error {
	state, err := c.backend.BlockChain().State()
	if err != nil {
		return fmt.Errorf("devnet: rewind: %w", err)
	}
	behind := func(account common.Address) bool {
		return c.backend.TxPool().PoolNonce(account) != state.GetNonce(account)
	}
	for range 10_000 {
		c.beacon.Rollback()
		if !slices.ContainsFunc(senders, behind) {
			return nil
		}
	}
	return errors.New("devnet: rewind: the transaction pool doesn't follow the chain")
}
