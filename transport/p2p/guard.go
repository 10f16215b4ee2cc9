package p2p

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
)

// maxBanned bounds what strangers can make us remember.
const maxBanned = 1024

// protectTag, with the account for which, spares a peer's connections when libp2p closes some for
// their number.
const protectTag = "ante/kept/"

// protect spares the peer that proved an account last, if it is kept, or connected and a friend.
func (h *Host) protect(a *account) {
	var spare peer.ID
	if a.kept || h.befriended(a.address) && len(a.sessions) > 0 {
		spare = a.last
	}
	if spare == a.spared {
		return
	}
	tag := protectTag + a.address.Hex() // a peer may have proved several
	if a.spared != "" {
		h.host.ConnManager().Unprotect(a.spared, tag)
	}
	if a.spared = spare; spare != "" {
		h.host.ConnManager().Protect(spare, tag)
	}
}

// admit decides whether a peer may try to prove an account. done gives the place back once it has
// tried. Peers of kept accounts need none, so that strangers can't keep them out. The place may be
// lost meanwhile, to another stranger.
func (h *Host) admit(s *session) (done func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := s.stream.Conn()
	if h.isBanned(c.RemotePeer()) {
		return nil, errBanned
	}
	if h.keeps(c.RemotePeer()) {
		return func() {}, nil
	}
	who := budget.Who{Account: accountOf(c.RemotePeer()), Group: groupOf(c.RemoteMultiaddr())}
	if err := h.proofs.Spend(who, 1); err != nil {
		return nil, fmt.Errorf("%w: %w", transport.ErrNoRoom, err)
	}
	if err := h.place(h.cfg.Limits.handshakes(), h.shaking, c); err != nil {
		return nil, err
	}
	h.shaking[s] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.shaking, s)
	}, nil
}

// room finds a place for an account. Kept accounts, those that are connected already, and whom we
// dialled need none. Friends have places of their own, so that strangers can't keep them out.
func (h *Host) room(s *session) error {
	if a := h.accounts[s.account]; s.dialled || a != nil && (a.kept || len(a.sessions) > 0) {
		return nil
	}
	places, friend := h.cfg.Limits.guests(), h.befriended(s.account)
	if friend {
		places = h.cfg.Limits.friends()
	}
	return h.place(places, h.guests(friend), s.stream.Conn())
}

// place finds room for one more among the sessions that hold places, and ends the one that yields.
func (h *Host) place(p places, held map[*session]struct{}, c network.Conn) error {
	holders := make([]holder, 0, len(held))
	for s := range held {
		holders = append(holders, holder{s, groupOf(s.stream.Conn().RemoteMultiaddr()), s.stream.Conn().RemotePeer(), s.silent()})
	}
	yields, err := p.room(holders, groupOf(c.RemoteMultiaddr()), c.RemotePeer())
	if yields != nil {
		delete(held, yields)
		yields.end(errYielded)
	}
	return err
}

func (h *Host) isBanned(p peer.ID) bool {
	until, ok := h.banned[p]
	return ok && time.Now().Before(until)
}

// keeps reports whether a peer is where a kept account is dialled, or what proved it last.
func (h *Host) keeps(p peer.ID) bool {
	for q := range h.keptPeers {
		if p == q {
			return true
		}
	}
	return false
}

// keptPeers yields the peers that keeps is about, some more than once.
func (h *Host) keptPeers(yield func(peer.ID) bool) {
	for _, a := range h.accounts {
		if a.kept && (!yield(a.last) || slices.ContainsFunc(a.locations, func(q location) bool { return !yield(q.peer) })) {
			return
		}
	}
}

// ban refuses a peer for a while. The ban that ends first makes room for one too many.
func (h *Host) ban(p peer.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.banned[p] = time.Now().Add(h.cfg.Limits.Ban)
	if len(h.banned) <= maxBanned {
		return
	}
	first := p
	for q, until := range h.banned {
		if until.Before(h.banned[first]) {
			first = q
		}
	}
	delete(h.banned, first)
}

// sweep lets go, now and then, what takes room for nothing: silent strangers, connections without a
// stream of ours, whoever has them, and bans that are over.
func (h *Host) sweep() {
	every := min(h.cfg.Limits.Idle/4, h.cfg.Limits.Ban, h.cfg.Limits.Handshake)
	tick := time.NewTicker(max(every, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case now := <-tick.C:
			for _, c := range h.sweepAt(now) {
				_ = c.Close()
			}
		}
	}
}

// sweepAt does it, and returns the connections to be closed.
func (h *Host) sweepAt(now time.Time) (parked []network.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p, until := range h.banned {
		if !now.Before(until) {
			delete(h.banned, p)
		}
	}
	for _, a := range h.accounts {
		h.protect(a)
		for _, s := range a.sessions {
			if !a.kept && s.silent() > h.cfg.Limits.Idle {
				s.end(transport.ErrIdle)
			}
		}
	}
	return slices.DeleteFunc(h.unused(true), func(c network.Conn) bool { return now.Sub(c.Stat().Opened) <= 2*h.cfg.Limits.Handshake })
}

// unused returns the connections without a session of ours, except those that a relay needs; those
// of who called somebody through it are spared or not.
func (h *Host) unused(spareCallers bool) (list []network.Conn) {
	busy := map[network.Conn]bool{}
	for _, a := range h.accounts {
		for _, s := range a.sessions {
			busy[s.stream.Conn()] = true
		}
	}
	for _, c := range h.host.Network().Conns() {
		if !busy[c] && !h.carries(c, spareCallers) {
			list = append(list, c)
		}
	}
	return list
}

// makeRoom closes one of the connections that others dialled and use for nothing of ours, which has
// had its time: the oldest of the address group that has most of them. Of all, or of those that are
// entering.
func (h *Host) makeRoom(all bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	var list []io.Closer
	var held []holder
	groups := map[string]int{}
	add := func(c io.Closer, at multiaddr.Multiaddr, since time.Time) {
		group := groupOf(at)
		groups[group]++
		list, held = append(list, c), append(held, holder{group: group, silent: time.Since(since)})
	}
	for c, since := range h.entering {
		add(c, c.RemoteMultiaddr(), since)
	}
	if all {
		spared := map[peer.ID]bool{}
		for p := range h.keptPeers {
			spared[p] = true
		}
		for _, c := range h.unused(false) {
			if c.Stat().Direction == network.DirInbound && !spared[c.RemotePeer()] {
				add(c, c.RemoteMultiaddr(), c.Stat().Opened)
			}
		}
	}
	if len(held) == 0 {
		return
	}
	p := h.cfg.Limits.handshakes()
	if i := p.oldest(held, crowd(groups)); i >= 0 {
		h.running.Go(func() { _ = list[i].Close() })
	}
}

// thin closes, of the connections that one relay makes to us, those of peers that aren't kept and
// use them for nothing of ours, from the oldest on and those last whose handshake goes on, until
// such peers have no more than half of its ways, and one for the newest to show what it wants.
func (h *Host) thin(_ network.Network, newest network.Conn) {
	relay := relayOf(newest.RemoteMultiaddr())
	h.mu.Lock()
	defer h.mu.Unlock()
	if relay == "" || h.closed {
		return
	}
	kept := func(c network.Conn) bool {
		return relayOf(c.RemoteMultiaddr()) != relay || c.Stat().Direction != network.DirInbound || h.keeps(c.RemotePeer())
	}
	surplus := len(slices.DeleteFunc(h.host.Network().Conns(), kept)) - circuitsPerPeer/2 - 1
	unused := slices.DeleteFunc(h.unused(false), func(c network.Conn) bool { return c == newest || kept(c) })
	shaking := map[network.Conn]int{}
	for s := range h.shaking {
		shaking[s.stream.Conn()] = 1
	}
	slices.SortFunc(unused, func(a, b network.Conn) int {
		return cmp.Or(shaking[a]-shaking[b], a.Stat().Opened.Compare(b.Stat().Opened))
	})
	for _, c := range unused[:max(0, min(surplus, len(unused)))] {
		h.running.Go(func() { _ = c.Close() })
	}
}
