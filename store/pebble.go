package store

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// Pebble is a store on disk.
type Pebble struct {
	dir     string // holds the lock, the reserve and data
	data    string
	log     *slog.Logger
	faults  *sparing // of the database
	db      *pebble.DB
	ballast *ballast
	unlock  func() error

	mu     sync.Mutex // guards closed and calls.Add
	closed bool
	calls  sync.WaitGroup // calls under way

	requests chan request
	closing  chan struct{} // closed when nobody commits any more
	stopped  chan struct{} // closed when the commit loop has ended

	failOnce sync.Once
	failed   chan struct{} // closed once cause is set
	cause    error
}

// enter begins a call; every success is followed by calls.Done.
func (p *Pebble) enter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	if err := p.failure(); err != nil {
		return err
	}
	p.calls.Add(1)
	return nil
}

// Get implements Store.
func (p *Pebble) Get(key string) ([]byte, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.calls.Done()
	value, closer, err := p.db.Get([]byte(key))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", key, err)
	}
	value = bytes.Clone(value)
	return value, closer.Close()
}

// Scan implements Store.
func (p *Pebble) Scan(prefix, from string, visit func(key string, value []byte) error) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.calls.Done()
	bounds := pebble.IterOptions{UpperBound: after(prefix)}
	if low := max(prefix, from); low != "" { // Pebble does not seek to an empty key
		bounds.LowerBound = []byte(low)
	}
	it, err := p.db.NewIter(&bounds)
	if err != nil {
		return fmt.Errorf("scan %q: %w", prefix, err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return errors.Join(fmt.Errorf("scan %q: %w", prefix, err), it.Close())
		}
		if err := visit(string(it.Key()), bytes.Clone(value)); err != nil {
			return errors.Join(unlessStop(err), it.Close())
		}
	}
	if err := it.Close(); err != nil {
		return fmt.Errorf("scan %q: %w", prefix, err)
	}
	return nil
}

// after returns the lowest key above all that begin with prefix, nil for none.
func after(prefix string) []byte {
	end := []byte(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return end[:i+1]
		}
	}
	return nil
}

// Close implements Store.
func (p *Pebble) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.mu.Unlock()
	p.calls.Wait()
	close(p.closing)
	select {
	case <-p.stopped:
	case <-p.failed:
	}
	if p.failure() != nil {
		return p.unlock() // what is left of Pebble may not be touched, and ends with the process
	}
	return errors.Join(p.guard(p.db.Close), p.unlock())
}
