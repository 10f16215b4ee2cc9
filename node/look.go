package node

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ante-games/ante/channel"
)

// lookWait is how long a new block waits for the channels to look at it. A channel that takes
// longer raises an alarm, and nothing waits for it until it has caught up.
const lookWait = 3 * time.Second

// looking runs a session's looks at the chain, one at a time: blocks that come meanwhile make one
// more look, at the newest.
type looking struct {
	mu     sync.Mutex
	busy   bool
	late   bool          // its look takes longer than lookWait
	remind bool          // the next look repeats what is outstanding
	next   chan struct{} // closes with the end of the next look; nil: none is wanted
}

var errLate = errors.New("its game takes too long to find a move, or the endpoint to answer, so that your moves there may be " +
	"too late: make them yourself, or concede; other channels are looked after")

// lookSoon has the session look at the newest block: now, or as soon as the look under way ends.
// The channel that it returns closes when that look has ended. It is called by the goroutines that
// Close waits for.
func (s *session) lookSoon(ctx context.Context, remind bool) <-chan struct{} {
	l := &s.looking
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		l.next = make(chan struct{})
	}
	l.remind = l.remind || remind
	if !l.busy {
		l.busy = true
		s.node.done.Go(func() { s.lookOn(ctx) })
	}
	return l.next
}

// lookOn looks as long as looks are wanted.
func (s *session) lookOn(ctx context.Context) {
	for {
		next, remind := s.looking.take()
		if next == nil {
			return
		}
		var also []channel.Input
		if remind {
			also = append(also, channel.Tick{})
		}
		s.node.fault("channel "+s.id.Hex(), s.look(ctx, s.node.now(), also...))
		s.markLate(false)
		close(next)
	}
}

// take returns the look that is wanted. When none is, the session is no longer busy.
func (l *looking) take() (next chan struct{}, remind bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next, remind = l.next, l.remind
	l.next, l.remind, l.busy = nil, false, next != nil
	return next, remind
}

// markLate notes whether the session's look takes too long, and raises or ends the alarm.
func (s *session) markLate(late bool) {
	s.looking.mu.Lock()
	late = late && s.looking.busy
	s.looking.late = late
	s.looking.mu.Unlock()
	var err error
	if late {
		err = errLate
	}
	s.node.fault("looking after channel "+s.id.Hex(), err)
}

func (s *session) isLate() bool {
	s.looking.mu.Lock()
	defer s.looking.mu.Unlock()
	return s.looking.late
}

// lookAround has every session look at the newest block, all at once, and waits for those that are
// not known to be late.
func (n *channels) lookAround(ctx context.Context) {
	begun := map[*session]<-chan struct{}{}
	for _, s := range n.allSessions() {
		if done := s.lookSoon(ctx, false); !s.isLate() {
			begun[s] = done
		}
	}
	limit, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	for s, done := range begun {
		select {
		case <-done:
			continue
		case <-limit.Done():
		}
		select {
		case <-done:
		default:
			s.markLate(ctx.Err() == nil)
		}
	}
}
