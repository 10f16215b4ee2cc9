package p2p

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/transport"
)

// TestWhatIsRefusedIsNotQueued: a queue that is full of messages, or of bytes, has as much room as
// before when it has refused one.
func TestWhatIsRefusedIsNotQueued(t *testing.T) {
	s := &session{limits: &Limits{QueueBytes: 100}, out: make(chan []byte, 1), ended: make(chan struct{})}
	for i, c := range []struct {
		size int
		want error
	}{{101, transport.ErrQueueFull}, {10, nil}, {10, transport.ErrQueueFull}, {101, transport.ErrQueueFull}} {
		if err := s.send(make([]byte, c.size)); !errors.Is(err, c.want) {
			t.Errorf("message %d of %d bytes: %v", i, c.size, err)
		}
	}
	if n := s.queued.Load(); n != 10 {
		t.Errorf("%d bytes are queued, want 10", n)
	}
}
