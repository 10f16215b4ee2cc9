package chain

import (
	"sync"
	"time"
)

// turns tells which endpoint is followed first: the first one, or each for a while where there is
// more to read for long. One that takes its time for each answer, or tells a block at a time, could
// otherwise keep what happens on the chain from being seen, while the other one tells it at once. Safe
// for concurrent use.
type turns struct {
	mu     sync.Mutex
	second bool      // it is the second one's turn
	since  time.Time // since when there was more to read in this turn; zero: there is not
}

// of returns the endpoint that is followed first.
func (t *turns) of(c *Client) *endpoint {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.second && c.second != nil {
		return c.second
	}
	return c.first
}

// took notes whether there was more to read after a step.
func (t *turns) took(behind bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch now := time.Now(); {
	case !behind:
		t.second, t.since = false, time.Time{}
	case t.since.IsZero():
		t.since = now
	case now.Sub(t.since) >= longest:
		t.second, t.since = !t.second, now
	}
}
