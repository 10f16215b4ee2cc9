package store

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// maxGroup caps the bytes of changes that share one fsync.
const maxGroup = 1 << 20

type request struct {
	changes map[string][]byte
	done    chan error // buffered: the committer never waits for a caller
}

// Commit implements Store. Concurrent commits share fsyncs.
func (p *Pebble) Commit(changes map[string][]byte) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.calls.Done()
	if err := check(changes); err != nil || len(changes) == 0 {
		return err
	}
	r := request{changes, make(chan error, 1)}
	select {
	case p.requests <- r:
	case <-p.failed:
		return p.failure()
	}
	select {
	case err := <-r.done:
		return err
	case <-p.failed:
		return p.failure()
	}
}

// commitLoop is the only goroutine that writes. One writer keeps the callers out of reach of what
// Pebble does when the disk fails, which is to stop the goroutine that happens to be in it, locks
// held.
func (p *Pebble) commitLoop() {
	defer close(p.stopped)
	defer func() {
		if r := recover(); r != nil {
			_ = p.fail(asError(r)) // failure tells it
		}
	}()
	for {
		select {
		case first := <-p.requests:
			group := p.gather(first)
			err := p.commitGroup(group)
			for _, r := range group {
				r.done <- err
			}
		case <-p.closing:
			return
		}
	}
}

// gather takes what waits behind the first request.
func (p *Pebble) gather(first request) []request {
	group, size := []request{first}, first.size()
	runtime.Gosched() // those woken by the previous group get to the queue
	for size < maxGroup {
		select {
		case r := <-p.requests:
			group, size = append(group, r), size+r.size()
		default:
			return group
		}
	}
	return group
}

func (r request) size() int {
	n := 0
	for key, value := range r.changes {
		n += len(key) + len(value)
	}
	return n
}

func (p *Pebble) commitGroup(group []request) error {
	if err := p.ballast.ready(); err != nil {
		return err
	}
	batch := p.db.NewBatch()
	defer batch.Close()
	for _, r := range group {
		for key, value := range r.changes {
			if err := put(batch, key, value); err != nil {
				return fmt.Errorf("commit: %w", err)
			}
		}
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return p.fail(err)
	}
	return nil
}

func put(batch *pebble.Batch, key string, value []byte) error {
	if len(value) == 0 {
		return batch.Delete([]byte(key), nil)
	}
	return batch.Set([]byte(key), value, nil)
}

// fail closes the store for good, and returns why. Only the first cause counts.
func (p *Pebble) fail(cause error) error {
	p.failOnce.Do(func() {
		kind := ErrFailed
		if vfs.IsNoSpaceError(cause) {
			kind = errors.Join(ErrFailed, ErrFull)
		}
		p.cause = fmt.Errorf("%w: %w: free or repair the disk under %s and start again: what was acknowledged is safe",
			kind, cause, p.dir)
		p.log.Error("store failed", "dir", p.dir, "error", cause)
		close(p.failed)
	})
	return p.cause
}

// failure returns why the store failed, nil while it hasn't.
func (p *Pebble) failure() error {
	select {
	case <-p.failed:
		return p.cause
	default:
		return nil
	}
}

func asError(r any) error {
	if err, ok := r.(error); ok {
		return err
	}
	return fmt.Errorf("%v", r)
}
