package p2p

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/wire"
)

// accounts are those that are kept or connected. Host.mu guards them and their fields.
type accounts map[common.Address]*account

type account struct {
	address   common.Address
	kept      bool
	stop      func()        // ends its keeper; nil: none
	locations []location    // where it is dialled, the newest first
	reached   []location    // where it was last, none or one
	last      peer.ID       // the peer that proved it last
	spared    peer.ID       // that libp2p doesn't disconnect for the number of connections; "": none
	proof     *antev1.Rival // how, nil: not yet
	proved    time.Time     // when
	err       error         // why it isn't connected

	// at most one that we dialled and one that it dialled at the same time; the last is the newest
	sessions []*session

	changed  chan struct{} // closed and replaced when sessions or locations change
	dialling chan struct{} // holds a token during an attempt: one at a time

	handling sync.Mutex // held during the handler's calls about it; guards told
	told     bool       // the handler was told that it is connected, and not yet that it isn't
}

// at returns an account, made if it isn't there.
func (m accounts) at(address common.Address) *account {
	a := m[address]
	if a == nil {
		a = &account{address: address, changed: make(chan struct{}), dialling: make(chan struct{}, 1)}
		m[address] = a
	}
	return a
}

// drop forgets an account that is neither kept nor connected.
func (m accounts) drop(a *account) {
	if !a.kept && len(a.sessions) == 0 && m[a.address] == a {
		delete(m, a.address)
	}
}

// strangers counts the connected accounts that aren't kept.
func (m accounts) strangers() (n int) {
	for _, a := range m {
		if !a.kept && len(a.sessions) > 0 {
			n++
		}
	}
	return n
}

// guests returns the sessions that hold the places of friends, or of strangers: those of accounts
// that aren't kept and dialled us.
func (h *Host) guests(friends bool) map[*session]struct{} {
	held := map[*session]struct{}{}
	for _, a := range h.accounts {
		for _, s := range a.sessions {
			if !a.kept && !s.dialled && !s.over() && h.befriended(a.address) == friends {
				held[s] = struct{}{}
			}
		}
	}
	return held
}

func (a *account) change() {
	close(a.changed)
	a.changed = make(chan struct{})
}

func (a *account) end(why error) {
	for _, s := range a.sessions {
		s.end(why)
	}
}

// Send queues a message for an account, and never blocks. It arrives at most once, and after those
// sent before it unless the connection changes. The caller may change the message afterwards.
// Errors: ErrUnknownPeer, ErrNotConnected, ErrQueueFull, ErrClosed, wire.ErrTooLarge and
// wire.ErrMalformed.
func (h *Host) Send(to common.Address, env *antev1.Envelope) error {
	frame, err := wire.FrameEnvelope(env)
	if err != nil {
		return err
	}
	s, err := h.newest(to)
	if err != nil {
		return err
	}
	if err := s.send(frame); err != nil {
		return fmt.Errorf("sending to %s: %w", to, err)
	}
	return nil
}

func (h *Host) newest(to common.Address) (*session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.accounts[to]
	switch {
	case h.closed:
		return nil, transport.ErrClosed
	case a == nil:
		return nil, transport.Unknown(to)
	case len(a.sessions) == 0:
		return nil, fmt.Errorf("%w to %s: %w", transport.ErrNotConnected, to, a.reason())
	}
	return a.sessions[len(a.sessions)-1], nil
}

// reason says why an account isn't connected.
func (a *account) reason() error { return transport.Unconnected(a.err, len(a.locations) > 0) }

// Group returns the group of network addresses that a connected account counts with, see
// budget.Group; "" if there is none.
func (h *Host) Group(account common.Address) string {
	s, err := h.newest(account)
	if err != nil {
		return ""
	}
	return groupOf(s.stream.Conn().RemoteMultiaddr())
}

// groupOf returns the group of a multiaddr; "" if it names no address on the internet. Those who
// come through a relay can't be told apart: they are one group, of the relay's address.
func groupOf(a multiaddr.Multiaddr) string {
	if relay := relayOf(a); relay != "" {
		return relayGroup + cmp.Or(groupOf(a[:1]), relay.String())
	}
	ip, err := manet.ToIP(a)
	if err != nil {
		return ""
	}
	addr, _ := netip.AddrFromSlice(ip)
	return budget.Group(addr)
}

// Peers returns what is known of every account that is kept or connected, by ascending account.
func (h *Host) Peers() []transport.Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]transport.Peer, 0, len(h.accounts))
	for _, a := range h.accounts {
		p := transport.Peer{Account: a.address, Kept: a.kept, Connected: len(a.sessions) > 0}
		if p.Connected {
			c := a.sessions[len(a.sessions)-1].stream.Conn()
			p.Relayed, p.RoundTrip = relayed(c.RemoteMultiaddr()), roundTrip(c)
		} else {
			p.Err = a.reason()
		}
		for _, info := range a.infos() {
			p.Addresses = append(p.Addresses, fullAddresses(info)...)
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y transport.Peer) int { return x.Account.Cmp(y.Account) })
	return list
}
