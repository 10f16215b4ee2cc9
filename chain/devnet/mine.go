package devnet

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
)

// produce makes blocks by itself, as the configuration says.
func (c *Chain) produce() {
	switch {
	case c.config.Manual:
	case c.config.BlockTime != 0:
		c.done.Go(c.produceByTime)
	default:
		arrived := make(chan core.NewTxsEvent)
		subscription := c.backend.TxPool().SubscribeTransactions(arrived, true)
		wake := make(chan struct{}, 1)
		c.done.Go(func() {
			defer subscription.Unsubscribe()
			c.listen(arrived, wake)
		})
		c.done.Go(func() { c.produceOnDemand(wake) })
	}
}

// listen takes the pool's news at once: the pool waits for its listeners, and the one who makes
// blocks for the pool.
func (c *Chain) listen(arrived <-chan core.NewTxsEvent, wake chan<- struct{}) {
	for {
		select {
		case <-c.stop:
			return
		case <-arrived:
			select {
			case wake <- struct{}{}:
			default:
			}
		}
	}
}

func (c *Chain) produceByTime() {
	ticker := time.NewTicker(c.config.BlockTime)
	defer ticker.Stop()
	for {
		select {
		case <-c.stop:
			return
		case <-ticker.C:
			c.mining.Lock()
			c.seal()
			c.mining.Unlock()
		}
	}
}

// produceOnDemand makes blocks until the pool has nothing left that fits: a transaction that can't
// be mined, for its price, stays where it is and costs one empty block.
func (c *Chain) produceOnDemand(wake <-chan struct{}) {
	for {
		select {
		case <-c.stop:
			return
		case <-wake:
			c.mining.Lock()
			c.drain()
			c.mining.Unlock()
		}
	}
}

func (c *Chain) drain() {
	for c.waiting() > 0 {
		c.seal()
		if len(c.block(0).Transactions()) == 0 {
			return
		}
	}
}

// seal makes a block and returns its hash; the head's if that fails.
func (c *Chain) seal() common.Hash {
	hash := c.beacon.Commit()
	c.settle()
	if head := c.block(0); c.sealed != nil && head.Hash() == hash {
		c.sealed(head)
	}
	return hash
}

// Watch has every block shown that is made from now on, before the next is. What is called may read
// the chain, and must not make blocks. Nil ends it.
func (c *Chain) Watch(sealed func(*types.Block)) {
	c.mining.Lock()
	defer c.mining.Unlock()
	c.sealed = sealed
}

// block returns the block that is depth below the head.
func (c *Chain) block(depth uint64) *types.Block {
	chain := c.backend.BlockChain()
	head := chain.CurrentBlock().Number.Uint64()
	if depth > head {
		return nil
	}
	return chain.GetBlockByNumber(head - depth)
}

// Head returns the number of the newest block.
func (c *Chain) Head() uint64 { return c.backend.BlockChain().CurrentBlock().Number.Uint64() }

// Mine makes n blocks, the first with what waits in the pool. A block's time is the wall clock's,
// but always at least a second after its parent's.
func (c *Chain) Mine(n int) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	return c.mine(n)
}

func (c *Chain) mine(n int) error {
	for range n {
		before := c.block(0).Hash()
		if c.seal() == before {
			return errors.New("devnet: no block was made: is the chain closing?")
		}
	}
	return nil
}

// AdvanceTime makes an empty block that is d (whole seconds) later than the last one. What waits in
// the pool is mined before it; it fails when something waits there that cannot be mined.
func (c *Chain) AdvanceTime(d time.Duration) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	c.drain()
	if err := c.beacon.AdjustTime(d); err != nil {
		return fmt.Errorf("devnet: advance time by %v: %w", d, err)
	}
	return nil
}

// Reorg replaces the last depth blocks by depth+1 empty ones; the transactions in them, and those
// that waited, are gone.
func (c *Chain) Reorg(depth int) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	if err := c.rewind(depth); err != nil {
		return err
	}
	return c.mine(depth + 1)
}

// Rewind takes the last depth blocks back; the transactions in them, and those that waited, are
// gone. The blocks mined next are other ones, even where they hold the same.
func (c *Chain) Rewind(depth int) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	return c.rewind(depth)
}

func (c *Chain) rewind(depth int) error {
	if depth < 0 {
		return fmt.Errorf("devnet: rewind by %d", depth)
	}
	ancestor := c.block(uint64(depth))
	if ancestor == nil {
		return fmt.Errorf("devnet: rewind by %d blocks: the chain has only %d", depth, c.block(0).NumberU64())
	}
	senders := c.sendersSince(ancestor.NumberU64())
	if err := c.emptyPool(senders); err != nil { // a fork is refused while transactions wait
		return err
	}
	if err := c.beacon.Fork(ancestor.Hash()); err != nil {
		return fmt.Errorf("devnet: rewind by %d blocks: %w", depth, err)
	}
	return c.emptyPool(senders)
}
