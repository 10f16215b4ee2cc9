package p2p

import (
	"fmt"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/ante-games/ante/transport"
)

// maxBanned bounds what strangers can make us remember.
const maxBanned = 1024

// protectTag spares a kept peer's connections when libp2p closes some for their number.
const protectTag = "ante/kept"

// admit decides whether a peer may try to prove an account, and returns what is to be called when it has tried. Kept
// accounts' peers aren't counted, so that strangers can't keep them out.
func (h *Host) admit(remote peer.ID) (done func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isBanned(remote) {
		return nil, errBanned
	}
	if h.keeps(remote) {
		return func() {}, nil
	}
	if h.strangers >= h.cfg.Limits.Handshakes {
		return nil, fmt.Errorf("%w: %d handshakes at once", transport.ErrNoRoom, h.strangers)
	}
	h.strangers++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.strangers--
	}, nil
}

// room refuses one stranger too many. Kept accounts, those that are connected already, and whom we dialled always find
// room.
func (h *Host) room(s *session) error {
	if a := h.accounts[s.account]; s.dialled || a != nil && (a.kept || len(a.sessions) > 0) {
		return nil
	}
	if n := h.accounts.strangers(); n >= h.cfg.Limits.Strangers {
		return fmt.Errorf("%w: %d are connected", transport.ErrNoRoom, n)
	}
	return nil
}

func (h *Host) isBanned(p peer.ID) bool {
	until, ok := h.banned[p]
	return ok && time.Now().Before(until)
}

// keeps reports whether a peer is where a kept account is dialled, or what proved it last.
func (h *Host) keeps(p peer.ID) bool {
	for _, a := range h.accounts {
		if a.kept && (a.last == p || slices.ContainsFunc(a.infos, func(i peer.AddrInfo) bool { return i.ID == p })) {
			return true
		}
	}
	return false
}

func (h *Host) ban(p peer.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.banned) < maxBanned {
		h.banned[p] = time.Now().Add(h.cfg.Limits.Ban)
	}
}

// sweep lets go, now and then, what takes room for nothing: silent strangers, connections without a proof, and bans that
// are over.
func (h *Host) sweep() {
	every := min(h.cfg.Limits.Idle/4, h.cfg.Limits.Ban, h.cfg.Limits.Handshake)
	tick := time.NewTicker(max(every, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-tick.C:
			for _, p := range h.sweepAt(now) {
				_ = h.host.Network().ClosePeer(p)
			}
		}
	}
}

// sweepAt does it, and returns the peers to be disconnected.
func (h *Host) sweepAt(now time.Time) (parked []peer.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p, until := range h.banned {
		if !now.Before(until) {
			delete(h.banned, p)
		}
	}
	busy := map[peer.ID]bool{}
	for _, a := range h.accounts {
		for _, s := range a.sessions {
			busy[s.stream.Conn().RemotePeer()] = true
			if !a.kept && now.Sub(time.Unix(0, s.active.Load())) > h.cfg.Limits.Idle {
				s.end(transport.ErrIdle)
			}
		}
	}
	for _, c := range h.host.Network().Conns() {
		if p := c.RemotePeer(); !busy[p] && now.Sub(c.Stat().Opened) > 2*h.cfg.Limits.Handshake && !h.keeps(p) {
			parked = append(parked, p)
		}
	}
	return parked
}
