package chain

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// Reader is told what a follower reads: one call at a time, from the goroutine of Keep. None of its functions may be nil.
type Reader struct {
	Bad      func(*BadLog)                       // a log was passed over
	Happened func(*Event) error                  // makes what an event leads to durable; told again after a crash it does nothing
	Reached  func(context.Context, *Batch) error // all events of a batch are told, and it will not come again; also when there were none
	Trouble  func(error)                         // reading fails and is tried again; nil: it works
}

// Keep tells a reader what happens from the cursor on that a store has under a key, until the context ends or only people can
// help: ErrCursor, or a *DeepReorg that is Forgotten. The cursor is stored when everything up to it has been taken in; whatever
// fails is tried again from there.
func (f *Follower) Keep(ctx context.Context, store Store, key string, r Reader) error {
	for {
		stored, err := store.Get(key)
		if err == nil {
			err = f.Run(ctx, stored, func(ctx context.Context, b Batch) error {
				for _, bad := range b.Bad {
					r.Bad(bad)
				}
				for i := range b.Events {
					if err := r.Happened(&b.Events[i]); err != nil {
						return err
					}
				}
				if !bytes.Equal(b.Cursor, stored) {
					if err := store.Commit(map[string][]byte{key: b.Cursor}); err != nil {
						return err
					}
					stored = b.Cursor
				}
				err := r.Reached(ctx, &b)
				if err == nil {
					r.Trouble(nil)
				}
				return err
			})
		}
		if ctx.Err() != nil || lost(err) {
			return err
		}
		r.Trouble(err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.config.After(f.config.Poll):
		}
	}
}

// lost says that following can't go on.
func lost(err error) bool {
	var deep *DeepReorg
	return errors.Is(err, ErrCursor) || errors.As(err, &deep) && deep.Forgotten
}

// Run hands over batches from a cursor on, those with events or a newer block, until the context ends, handle fails, or Next fails in a way that only
// people can solve. It asks every Poll, and ever less often while the chain can't be reached. Handle must make the
// batch's cursor and consequences durable before it returns.
func (f *Follower) Run(ctx context.Context, stored []byte, handle func(context.Context, Batch) error) error {
	const slowest = 30 * time.Second
	at := place{stored: stored}
	var head, shared uint64 // the newest that were told
	for failures := 0; ; {
		batch, to, err := f.next(ctx, at)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case lost(err):
			return err
		case err != nil:
			failures++
		default:
			failures = 0
		}
		f.client.bell.set(failures >= 3, f.config.Arena.Hex(), &NotFollowing{Err: err})
		if err == nil && (!bytes.Equal(batch.Cursor, at.stored) || batch.Head.Number > head || batch.Shared.Number > shared) {
			if err := handle(ctx, batch); err != nil {
				return err
			}
			at, head, shared = to, batch.Head.Number, batch.Shared.Number
		}
		if batch.Behind {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.config.After(min(f.config.Poll<<min(failures, 10), max(slowest, f.config.Poll))):
		}
	}
}
