package chain

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Reader takes what a follower reads: one call at a time, in the goroutine of Keep. None of its
// functions may be nil.
type Reader struct {
	Bad func(*BadLog) // a log was passed over, or one that was is undone
	// makes what an event leads to durable; told again after a crash it does nothing
	Happened func(*Event) error
	// all events up to here are told, and will not come again; also when there were none
	Reached func(context.Context, *Reach) error
	Trouble func(error) // reading fails and is tried again; nil: it works
}

// Keep reports to a reader what happens after the cursor stored under a key, until the context ends
// or only a person can help: ErrCursor, or a *DeepReorg that is Forgotten. It stores the cursor
// when everything up to it has been taken in; whatever fails is tried again from there. Keep also
// uses the keys that begin with the cursor's key and a slash.
func (f *Follower) Keep(ctx context.Context, store Store, key string, r Reader) error {
	for {
		err := f.keep(ctx, &shelf{store, key, f.config.Arena}, r)
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

// keep is Keep until something fails.
func (f *Follower) keep(ctx context.Context, s *shelf, r Reader) error {
	stored, err := s.store.Get(s.key)
	if err != nil {
		return err
	}
	at, err := f.restore(stored)
	if err != nil {
		return err
	}
	if err := s.sweep(at); err != nil {
		return err
	}
	take := func(list []news, after *cursor) error {
		if err := f.tell(list, s, r.Bad, r.Happened); err != nil {
			return err
		}
		if at.Telling == 0 && after.same(at) {
			return nil
		}
		if err := s.put(at, after); err != nil {
			return err
		}
		at = after
		return nil
	}
	if at.Telling > 0 {
		j, err := s.noted(at)
		if err != nil {
			return err
		}
		if err := take(j.News, j.Cursor); err != nil {
			return err
		}
	}
	return f.run(ctx, at, func(ctx context.Context, next *step) error {
		if revocable(next.news, next.cursor) {
			if err := s.note(at, &journal{next.cursor, next.news}); err != nil {
				return err
			}
		}
		if err := take(next.news, next.cursor); err != nil {
			return err
		}
		err := r.Reached(ctx, &next.reach)
		if err == nil {
			r.Trouble(nil)
		}
		return err
	})
}

// lost says that following can't go on.
func lost(err error) bool {
	deep, is := errors.AsType[*DeepReorg](err)
	return errors.Is(err, ErrCursor) || is && deep.Forgotten
}

// An alarm is raised when so many steps failed one after the other, or when one, or what is done
// about it, takes so long.
const (
	mostFailures = 3
	longest      = time.Minute
)

var errNothingRead = fmt.Errorf("nothing was read for %v: the endpoint answers slowly, or allows too few requests", longest)

// mostHaste is for how long there may be more to read before what is due is looked at: an endpoint
// that is slow, or shows a block at a time, could have more for ever.
const mostHaste = 15 * time.Second

// run hands over steps from a cursor on, those that move it or see a newer block, until the context
// ends, handle fails, or a step fails in a way that only people can solve. It asks every Poll, and
// ever less often while the chain can't be reached. Handle must make the cursor and what it was
// told durable before it returns.
func (f *Follower) run(ctx context.Context, at *cursor, handle func(context.Context, *step) error) error {
	const slowest = 30 * time.Second
	var head, shared, highest uint64 // the newest that were told
	var furthest uint64              // the first block that was never read
	due, looked := false, time.Now() // whether what is due is to be looked at, and when it was
	waited := time.AfterFunc(longest, func() { f.client.bell.set(true, f.config.Arena.Hex(), &NotFollowing{Err: errNothingRead}) })
	defer waited.Stop()
	for failures := 0; ; {
		waited.Reset(longest)
		next, err := f.next(ctx, at)
		enough := !waited.Reset(longest)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case lost(err):
			return err
		case err != nil && enough:
			failures = max(failures+1, mostFailures)
		case err != nil:
			failures++
		default:
			failures = 0
		}
		f.client.bell.set(failures >= mostFailures, f.config.Arena.Hex(), &NotFollowing{Err: err})
		behind := false
		if err == nil {
			r := &next.reach
			// what is read again, because it was taken back, is in no hurry either
			r.Behind = r.Behind && next.cursor.next() > furthest && time.Since(looked) < mostHaste
			furthest = max(furthest, next.cursor.next())
			if behind = r.Behind; !next.cursor.same(at) || due || r.Head.Number > head || r.Shared.Number > shared || r.Highest > highest {
				if err := handle(ctx, next); err != nil {
					return err
				}
				at, head, shared, highest, due = next.cursor, r.Head.Number, r.Shared.Number, r.Highest, behind
			}
			if !behind {
				looked = time.Now()
			}
		}
		if behind {
			continue
		}
		waited.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.config.After(min(f.config.Poll<<min(failures, 10), max(slowest, f.config.Poll))):
		}
	}
}
