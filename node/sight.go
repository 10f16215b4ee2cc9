package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
)

// sight is what the node has seen of the chain.
type sight struct {
	*base

	mu      sync.Mutex
	head    head
	handled head
	pace    pace
	whole   bool // all blocks up to the newest were read
}

// head is the newest block that the node has seen, or handled.
type head struct {
	block chain.Block
	clock uint64 // the Arena's, in it
	sure  uint64 // the same, in the newest block that both endpoints have
	told  uint64 // what sure was when all blocks up to it were read
}

// Head is the newest block that a node has handled: it has sent every transaction that the block
// calls for.
type Head struct {
	Block uint64
	Clock uint64 // the Arena's
	Sure  uint64 // the same, in the newest block that both endpoints had then
	Unit  string // of the clock: "blocks" or "seconds"
}

// Head returns how far the node has followed the chain.
func (n *sight) Head() Head {
	n.mu.Lock()
	defer n.mu.Unlock()
	return Head{Block: n.handled.block.Number, Clock: n.handled.clock, Sure: n.handled.sure, Unit: n.drive.Arena.Clock().String()}
}

// Newest asks the chain for the number of its newest block. After a start that is ahead of what is
// handled.
func (n *sight) Newest(ctx context.Context) (uint64, error) {
	b, err := n.drive.Client.Head(ctx)
	return b.Number, err
}

// see records a new head. It reports whether this completes the reading of all blocks up to it.
func (n *sight) see(r *chain.Reach) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	told, sure := n.head.told, n.drive.Arena.TimeOf(r.Shared)
	if r.Whole {
		told = sure
	}
	n.head = head{r.Head, n.drive.Arena.TimeOf(r.Head), sure, told}
	n.pace.add(r.Head)
	read := r.Whole && !n.whole
	n.whole = r.Whole
	return read
}

// handle notes that the newest block is handled.
func (n *sight) handle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.handled = n.head
}

// seen returns the newest block that the node has seen.
func (n *sight) seen() head {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.head
}

// sure returns the Arena's clock at the newest block that both endpoints have: what can't be taken
// back waits for it.
func (n *sight) sure() uint64 { return n.seen().sure }

// told returns sure as far as the sessions know what happened until then: what counts once nothing
// has contradicted it for a time waits for it.
func (n *sight) told() uint64 { return n.seen().told }

// now returns the Arena's clock at the newest block seen.
func (n *sight) now() uint64 { return n.seen().clock }

// block returns the number of the newest block that the node has seen.
func (n *sight) block() uint64 { return n.seen().block.Number }

// headAge returns how old the newest block is, 0 if that is no cause for an alarm.
func (n *sight) headAge() time.Duration {
	newest := n.seen().block
	if newest.Number == 0 { // none is seen yet
		return 0
	}
	return n.drive.Client.Age(newest)
}

// clockIn estimates the Arena's clock in a future block from the pace of the chain, rather too
// early than too late.
func (n *sight) clockIn(block uint64) uint64 {
	if n.drive.Arena.Clock() == chain.Blocks {
		return block
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if newest := n.head.block.Number; block < newest {
		return n.head.clock - min(n.head.clock, n.pace.span(newest-block))
	}
	return n.head.clock + n.pace.span(block-n.head.block.Number)
}

// confirmations is how many blocks make one final.
func (n *sight) confirmations() uint64 {
	return cmp.Or(n.config.Policy.Confirmations, chain.DefaultConfirmations)
}

// finality estimates how long it takes, on the Arena's clock, until a block is final, rather too
// short than too long.
func (n *sight) finality() uint64 {
	blocks := n.confirmations() - 1
	if n.drive.Arena.Clock() == chain.Blocks {
		return blocks
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.pace.span(blocks)
}

// learnPace fetches an older block if only the newest is known, so that the pace can be measured
// from the start.
func (n *sight) learnPace(ctx context.Context, newest chain.Block) error {
	n.mu.Lock()
	known := n.pace.known()
	n.mu.Unlock()
	if known || n.drive.Arena.Clock() == chain.Blocks || newest.Number < 2 {
		return nil
	}
	older, err := n.drive.Client.At(ctx, newest.Number-min(newest.Number-1, paceBlocks))
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pace = pace{}
	n.pace.add(older)
	n.pace.add(newest)
	return nil
}

// blind returns why the chain isn't seen for certain now, wrapped in ErrBlind; nil if it is.
func (n *sight) blind() error {
	if err := n.unseen(n.drive.Client.Alone); err != nil {
		return fmt.Errorf("%w: %w", ErrBlind, err)
	}
	age := n.headAge()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.whole {
		return fmt.Errorf("%w: %w", ErrBlind, errUnread)
	}
	if age != 0 {
		return fmt.Errorf("%w: its newest block is %v old", ErrBlind, age)
	}
	return nil
}

// untilRead waits a moment for what is still to be read of the chain, for a user who agrees to
// something.
func (n *sight) untilRead(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readSoon)
	defer cancel()
	// what follows says what is wrong
	_ = n.Wait(ctx, func() (bool, error) { return !errors.Is(n.blind(), errUnread), nil })
}
