package p2p

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"golang.org/x/time/rate"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// session is one stream with a peer that has proved its account. Two goroutines serve it: one reads
// and calls the handler, one writes what is queued.
type session struct {
	limits  *Limits
	stream  network.Stream
	in      *wire.Reader
	account common.Address
	proof   *antev1.Rival // of the account, as it is shown to it
	dialled bool
	shaking bool // the handshake is going on; the reader's own

	out    chan []byte
	queued atomic.Int64 // bytes in out
	born   time.Time
	active atomic.Int64 // when the last message came, in nanoseconds since born

	messages, bytes *rate.Limiter
	throttled       time.Duration // how long its messages have waited since it last paused

	ended chan struct{} // closed when the session is over
	once  sync.Once
	why   error // set before ended is closed
}

func newSession(limits *Limits, stream network.Stream, dialled bool) *session {
	s := &session{
		limits: limits, stream: stream, dialled: dialled, born: time.Now(),
		out:      make(chan []byte, limits.QueueMessages),
		messages: rate.NewLimiter(rate.Limit(limits.MessagesPerSecond), 2*limits.MessagesPerSecond),
		bytes:    rate.NewLimiter(rate.Limit(limits.BytesPerSecond), 2*limits.BytesPerSecond),
		ended:    make(chan struct{}),
	}
	s.in = wire.NewReader(stream, s.partial)
	return s
}

// end ends the session; the first reason counts. It doesn't block: the reader wakes, and resets the
// stream.
func (s *session) end(why error) {
	s.once.Do(func() {
		s.why = why
		close(s.ended)
		// a stream that can't be woken is one that is gone
		_ = s.stream.SetDeadline(time.Unix(1, 0))
	})
}

// alive notes a sign of life.
func (s *session) alive() { s.active.Store(int64(time.Since(s.born))) }

// silent returns the time since the last sign of life. A step of the computer's clock doesn't
// change it.
func (s *session) silent() time.Duration { return time.Since(s.born) - time.Duration(s.active.Load()) }

func (s *session) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// partial sets a deadline while a message is incomplete. A handshake has its own, for all its
// messages.
func (s *session) partial(on bool) {
	if s.shaking {
		return
	}
	var t time.Time
	if on {
		t = time.Now().Add(s.limits.Message)
	}
	_ = s.stream.SetReadDeadline(t)
	if s.over() { // it may have ended before the line above undid its waking
		_ = s.stream.SetReadDeadline(time.Unix(1, 0))
	}
}

// send queues a framed message.
func (s *session) send(frame []byte) error {
	if s.over() {
		return fmt.Errorf("%w: %w", transport.ErrNotConnected, s.why)
	}
	n := int64(len(frame))
	if s.queued.Add(n) > int64(s.limits.QueueBytes) {
		s.queued.Add(-n)
		return transport.ErrQueueFull
	}
	select {
	case s.out <- frame:
		return nil
	default:
		s.queued.Add(-n)
		return transport.ErrQueueFull
	}
}

// read passes messages on, each after a wait for its turn by its bytes, until the session is over,
// and returns why it is.
func (s *session) read(awaitTurn func(n int), receive func(*antev1.Envelope)) error {
	for !s.over() {
		b, err := s.in.Next(wire.MaxMessage)
		if err == nil {
			err = s.pace(len(b))
		}
		if err == nil {
			awaitTurn(len(b))
		}
		var env *antev1.Envelope
		if err == nil {
			env, err = wire.Envelope(b)
		}
		if err != nil {
			s.end(explain(err))
			break
		}
		receive(env)
	}
	return s.why
}

// pace makes a peer that sends too much wait, and ends it when it keeps on. Not reading is what
// slows it down: the stream's window fills.
func (s *session) pace(n int) error {
	now := time.Now()
	s.alive()
	var wait time.Duration
	if !s.messages.AllowN(now, 1) {
		wait = s.messages.ReserveN(now, 1).DelayFrom(now)
	}
	if !s.bytes.AllowN(now, n) {
		wait = max(wait, s.bytes.ReserveN(now, n).DelayFrom(now))
	}
	if wait == 0 {
		if s.throttled > 0 && s.messages.TokensAt(now) >= float64(s.limits.MessagesPerSecond) && s.bytes.TokensAt(now) >= float64(s.limits.BytesPerSecond) {
			s.throttled = 0 // half its burst has come back, so it did pause
		}
		return nil
	}
	if s.throttled += wait; s.throttled > s.limits.Flood {
		return fmt.Errorf("%w: above %d messages or %d bytes a second for %s",
			transport.ErrMisbehaved, s.limits.MessagesPerSecond, s.limits.BytesPerSecond, s.limits.Flood)
	}
	select {
	case <-time.After(wait):
	case <-s.ended:
	}
	return nil
}

// batch is how many bytes are written at once when several messages wait.
const batch = 32 << 10

// write writes what is queued until the session is over. A queue of its own costs under a
// microsecond a message, and keeps a peer that doesn't read from holding up whoever sends.
func (s *session) write() {
	var deadline time.Time
	var b []byte
	for {
		select {
		case <-s.ended:
			return
		case frame := <-s.out:
			b = append(b[:0], frame...)
		}
		for len(s.out) > 0 && len(b) < batch {
			b = append(b, <-s.out...)
		}
		// Setting a deadline costs more than queueing, so it is set for later than needed, every
		// other time.
		if now := time.Now(); deadline.Before(now.Add(s.limits.Message)) {
			deadline = now.Add(2 * s.limits.Message)
			_ = s.stream.SetWriteDeadline(deadline)
		}
		if s.over() {
			return
		}
		if _, err := s.stream.Write(b); err != nil {
			s.end(explain(err))
			return
		}
		s.queued.Add(-int64(len(b)))
	}
}
