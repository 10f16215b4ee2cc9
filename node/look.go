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
	*member
	look func(ctx context.Context, now uint64, also ...channel.Input) error

	mu     sync.Mutex
	busy   bool
	late   bool          // its look takes longer than lookWait
	remind bool          // the next look repeats what is outstanding
	next   chan struct{} // closes with the end of the next look; nil: none is wanted
}

var errLate = errors.New("its game takes too long to find a move, or the endpoint to answer, so that your moves there may be " +
	"too late: make them yourself, or concede; other channels are looked after")

// soon has the session look at the newest block: now, or as soon as the look under way ends. The
// channel that it returns closes when that look has ended. It is called by the goroutines that
// Close waits for.
func (l *looking) soon(ctx context.Context, remind bool) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		l.next = make(chan struct{})
	}
	l.remind = l.remind || remind
	if !l.busy {
		l.busy = true
		l.node.done.Go(func() { l.goOn(ctx) })
	}
	return l.next
}

// goOn looks as long as looks are wanted.
func (l *looking) goOn(ctx context.Context) {
	for {
		next, remind := l.take()
		if next == nil {
			return
		}
		var also []channel.Input
		if remind {
			also = append(also, channel.Tick{})
		}
		l.node.fault("channel "+l.id.Hex(), l.look(ctx, l.node.now(), also...))
		l.markLate(false)
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
func (l *looking) markLate(late bool) {
	l.mu.Lock()
	late = late && l.busy
	l.late = late
	l.mu.Unlock()
	var err error
	if late {
		err = errLate
	}
	l.node.fault("looking after channel "+l.id.Hex(), err)
}

func (l *looking) isLate() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.late
}

// lookAround has every session look at the newest block, all at once, and waits for those that are
// not known to be late.
func (n *channels) lookAround(ctx context.Context) {
	begun := map[*session]<-chan struct{}{}
	for _, s := range n.allSessions() {
		if done := s.looking.soon(ctx, false); !s.looking.isLate() {
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
			s.looking.markLate(ctx.Err() == nil)
		}
	}
}
