package p2p

import (
	"fmt"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/network"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
)

// accept takes a stream that a peer opened. libp2p calls it in a goroutine of its own, which
// becomes the reader's.
func (h *Host) accept(stream network.Stream) {
	if !h.enter() {
		_ = stream.ResetWithError(codeClosed)
		return
	}
	defer h.running.Done()
	s := newSession(&h.cfg.Limits, stream, false)
	done, err := h.admit(s)
	if err == nil {
		err = h.greet(s)
		done()
	}
	var a *account
	if err == nil {
		a, err = h.begin(s)
	}
	if err != nil {
		h.refuse(s, err)
		return
	}
	h.serve(a, s)
}

// enter counts a goroutine that Close waits for, unless the host is closed.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.running.Add(1)
	return true
}

// greet does the handshake within its time.
func (h *Host) greet(s *session) error {
	if err := s.stream.SetDeadline(time.Now().Add(h.cfg.Limits.Handshake)); err != nil {
		return fmt.Errorf("%w: %w", transport.ErrHandshake, err)
	}
	s.shaking = true
	if err := h.handshake(s); err != nil {
		if s.over() {
			return s.why
		}
		return explain(err)
	}
	s.shaking = false
	return s.stream.SetDeadline(time.Time{})
}

// begin gives a session its place among those of its account.
func (h *Host) begin(s *session) (*account, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, transport.ErrClosed
	}
	if s.over() {
		return nil, s.why
	}
	if err := h.room(s); err != nil {
		return nil, err
	}
	a := h.accounts.at(s.account)
	a.sessions = append(slices.DeleteFunc(a.sessions, func(old *session) bool {
		// Two that dial each other at once keep both streams. A later one replaces what its account
		// has given up, or what another program with the same key had.
		if old.dialled != s.dialled && time.Since(old.born) <= h.cfg.Limits.Handshake {
			return false
		}
		old.end(errReplaced)
		return true
	}), s)
	a.last, a.err = s.stream.Conn().RemotePeer(), nil
	a.proof, a.proved = s.proof, time.Now()
	if s.dialled {
		a.reach(s.stream.Conn())
	}
	s.alive()
	h.protect(a)
	a.change()
	return a, nil
}

// serve runs a session that has begun until it is over.
func (h *Host) serve(a *account, s *session) {
	h.running.Go(s.write)
	h.awaitArrival(a, s)
	a.handling.Lock()
	if !s.over() { // else it would be told of for nothing
		h.tell(a, s)
	}
	a.handling.Unlock()

	why := s.read(func(n int) { h.awaitTurn(a, s, n) }, func(env *antev1.Envelope) {
		a.handling.Lock()
		defer a.handling.Unlock()
		if !s.over() {
			h.cfg.Handler.Receive(s.account, env)
		}
	})

	h.refuse(s, why)
	a.handling.Lock()
	switch h.finish(a, s, why) {
	case gone:
		if a.told {
			a.told = false
			h.cfg.Log.Log(h.ctx, h.level(a, s), "peer disconnected", "account", s.account, "why", why)
			h.cfg.Handler.Disconnected(s.account, why)
		}
	case halved: // what was queued on this stream is lost
		h.cfg.Handler.Connected(s.account)
	}
	a.handling.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.accounts.drop(a)
}

// tell tells the handler of a new session. The account's calls are held.
func (h *Host) tell(a *account, s *session) {
	if !a.told { // else it dialled us while we dialled it, or connected anew
		h.cfg.Log.Log(h.ctx, h.level(a, s), "peer connected", "account", s.account, "address", s.stream.Conn().RemoteMultiaddr())
	}
	a.told = true
	h.cfg.Handler.Connected(s.account)
}

// What the end of a session means for its account.
type outcome int

const (
	// a newer one has taken its place; or the host is closed, and nothing is told any more
	replaced outcome = iota
	halved           // another one goes on
	gone             // it was the last
)

// finish takes a session out.
func (h *Host) finish(a *account, s *session, why error) outcome {
	h.mu.Lock()
	defer h.mu.Unlock()
	in := slices.Contains(a.sessions, s)
	a.sessions = slices.DeleteFunc(a.sessions, func(other *session) bool { return other == s })
	h.protect(a)
	a.change()
	switch {
	case h.closed:
		return replaced
	case len(a.sessions) == 0:
		a.err = why
		return gone
	case in:
		return halved
	default:
		return replaced
	}
}

// refuse ends a stream, telling the other side why, and refuses the peer for a while if it deserves
// that.
func (h *Host) refuse(s *session, why error) {
	if punishable(why, s.dialled) {
		h.ban(s.stream.Conn().RemotePeer())
	}
	h.cfg.Log.Debug("stream ended", "account", s.account, "address", s.stream.Conn().RemoteMultiaddr(), "why", why)
	// waits if the connection is stuck
	h.running.Go(func() { _ = s.stream.ResetWithError(codeOf(why)) })
}
