package tower

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
)

// follow handles what the chain says until the tower closes.
func (t *Tower) follow(ctx context.Context) {
	err := t.drive.Follow(ctx, chain.Reader{
		Bad: func(bad *chain.BadLog) {
			if bad.Undone {
				return
			}
			t.config.Log.Error("the Arena said something that this program cannot read; look for a newer version", "error", bad)
		},
		Happened: t.happened, Reached: t.reached, Trouble: t.fail,
	})
	if ctx.Err() == nil {
		t.fail(fmt.Errorf("the chain is no longer followed, nothing is answered until the tower is started again: %w", err))
	}
}

// fail notes that the chain can't be followed now, or works again (nil).
func (t *Tower) fail(err error) { t.heed(&t.fault, err, "the chain is followed again") }

// reached looks at what is to be done at a new block.
func (t *Tower) reached(ctx context.Context, r *chain.Reach) error {
	head := Head{Block: r.Head.Number, Clock: t.drive.Arena.TimeOf(r.Head)}
	t.mu.Lock()
	if t.newest = r.Head; r.Whole {
		t.sure = t.drive.Arena.TimeOf(r.Shared)
	}
	sure := t.sure
	t.mu.Unlock()
	t.drive.Facts.At(r)
	if !r.Behind {
		if err := t.drive.LookAtPrices(ctx, r.Head); err != nil {
			t.config.Log.Warn("no endpoint tells its tip", "error", err)
		}
		all, err := t.newHead(ctx, head.Clock)
		if err != nil {
			return err
		}
		if err := errors.Join(t.sweep(sure), t.clear(sure)); err != nil {
			return err
		}
		if all {
			t.mu.Lock()
			t.head = head
			t.mu.Unlock()
		}
	}
	t.wake()
	return nil
}

// newHead lets the sender and every channel in which something is due look at a new block, and
// reports whether all did. What the chain refuses is tried again at the next block, and what can't
// be read of one channel keeps no other one waiting.
func (t *Tower) newHead(ctx context.Context, now uint64) (all bool, failed error) {
	reports, err := t.drive.Sender.Step(ctx)
	if err != nil {
		t.config.Log.Error("transactions not looked after; tried again at the next block", "error", err)
	}
	for i := range reports {
		t.report(&reports[i])
	}
	if err := t.drive.Facts.Fetch(ctx); err != nil {
		t.config.Log.Warn("facts for rules not fetched", "error", err)
	}
	list, all := t.due(now)
	for _, id := range list {
		failed = errors.Join(failed, t.sit(ctx, id, now))
	}
	return all, failed
}

// report tells the watchers and the log what became of a transaction.
func (t *Tower) report(r *chain.Report) {
	t.config.Log.Info("transaction", "why", r.Why, "progress", r.Progress, "gas", r.GasUsed, "tx", r.Tx, "error", r.Err)
	t.mu.Lock()
	switch ended := r.Progress >= chain.Done; {
	case ended && r.Err == nil:
		t.counts.Answered++
	case ended:
		t.counts.Failed++
	}
	ids := slices.Collect(maps.Keys(t.disputes))
	t.mu.Unlock()
	if r.Err == nil {
		return
	}
	for _, id := range ids {
		t.failed(id, r)
	}
}
