package p2p

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/event"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libprotocol "github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
	"github.com/libp2p/go-libp2p/p2p/protocol/holepunch"
	"github.com/multiformats/go-multiaddr"
	"github.com/multiformats/go-multistream"

	"github.com/ante-games/ante/transport"
)

// punchTime is that of one try, of three, to open a direct way.
const punchTime = 4 * time.Second

// someAddress is public, and nobody's.
var someAddress = multiaddr.StringCast("/dns4/nobody.net/udp/1/quic-v1/p2p-circuit")

// reservedAtOnce is at how many relays a host holds a place; the others stand by.
const reservedAtOnce = 3

// errHungUp says that the connection with a relay ended.
var errHungUp = fmt.Errorf("%w: the relay hung up", transport.ErrNotConnected)

// errNotRelay says that a lobby or a tower, which may be a relay, is none.
var errNotRelay = errors.New("it is no relay: its peers.relay is off")

// relays are where a host lets itself be reached by those who can't dial it.
type relays struct {
	slots chan struct{} // a token for each place that is held or asked for

	telling sync.Mutex
	told    bool // that there is no place, which stands

	mu      sync.Mutex
	punch   bool                      // libp2p is ready to open direct ways
	known   map[peer.ID]chan struct{} // a token: look again
	held    map[peer.ID][]multiaddr.Multiaddr
	missed  map[peer.ID]bool // where the last try failed
	counted bool             // somebody relies on them: they were named for it, or one held a place
	public  bool             // others can dial the host, so it needs none
}

func newRelays(counted bool) *relays {
	return &relays{slots: make(chan struct{}, reservedAtOnce), known: map[peer.ID]chan struct{}{}, held: map[peer.ID][]multiaddr.Multiaddr{},
		missed: map[peer.ID]bool{}, counted: counted}
}

// addTo adds the ways through relays to a host's own addresses.
func (r *relays) addTo(own []multiaddr.Multiaddr) []multiaddr.Multiaddr {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.punch {
		own = append(own, someAddress)
	}
	for _, ways := range r.held {
		own = append(own, ways...)
	}
	return own
}

// awaitPunching waits until libp2p opens direct ways. It does so once it knows a public address of
// its own, looks for one ever more rarely, and never comes back to connections that it missed. So
// it is shown one, before there is anybody who could be told of it.
func (r *relays) awaitPunching(h host.Host) {
	for !slices.Contains(h.Mux().Protocols(), holepunch.Protocol) {
		time.Sleep(time.Millisecond)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.punch = true
}

// trusted reports whether the host holds places at a relay, or wants to.
func (r *relays) trusted(p peer.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[p] != nil
}

// wake has the keeper of a place look again; of all if p is "".
func (r *relays) wake(p peer.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, look := range r.known {
		if p != "" && p != id {
			continue
		}
		select {
		case look <- struct{}{}:
		default:
		}
	}
}

func (r *relays) hold(p peer.ID, ways []multiaddr.Multiaddr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[p], r.counted = ways, true
	delete(r.missed, p)
}

// leave gives a place up; missed says that the relay had none.
func (r *relays) leave(p peer.ID, missed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.held, p)
	if missed {
		r.missed[p] = true
	}
}

// lost reports whether somebody relies on a relay and each has been tried in vain.
func (r *relays) lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counted && !r.public && len(r.held) == 0 && len(r.missed) == len(r.known)
}

// tell tells whether they are lost, if that has changed.
func (r *relays) tell(o transport.RelayWatcher) {
	r.telling.Lock()
	defer r.telling.Unlock()
	lost := r.lost()
	if lost == r.told {
		return
	}
	r.told = lost
	if lost {
		o.Relayed(transport.ErrNoRelay)
	} else {
		o.Relayed(nil)
	}
}

func (r *relays) needed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.public
}

// reserveAll begins to hold places at the relays of the configuration.
func (h *Host) reserveAll() error {
	r := h.relays
	all := slices.Concat(h.cfg.Relays, h.cfg.MayRelay)
	if len(all) == 0 {
		return nil
	}
	infos, err := h.parseAddresses(all[:min(len(all), maxAddresses)])
	if err != nil {
		return fmt.Errorf("p2p: relays: %w", err)
	}
	found, err := h.host.EventBus().Subscribe(new(event.EvtHostReachableAddrsChanged))
	if err != nil {
		return fmt.Errorf("p2p: relays: %w", err)
	}
	h.running.Go(func() {
		defer found.Close()
		for {
			select {
			case e := <-found.Out():
				r.mu.Lock()
				r.public = len(e.(event.EvtHostReachableAddrsChanged).Reachable) > 0 //nolint:forcetypeassert // it subscribed to no other
				r.mu.Unlock()
				r.wake("")
				h.tellRelays()
			case <-h.ctx.Done():
				return
			}
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, info := range infos {
		look := make(chan struct{}, 1)
		r.known[info.ID] = look
		h.running.Go(func() { h.reserve(info, look) })
	}
	return nil
}

// tellRelays tells the handler what has become of the places at relays.
func (h *Host) tellRelays() {
	if o, ok := h.cfg.Handler.(transport.RelayWatcher); ok && h.ctx.Err() == nil {
		h.relays.tell(o)
	}
}

// reserve holds a place at a relay as long as others need one to reach us.
func (h *Host) reserve(info peer.AddrInfo, look <-chan struct{}) {
	pause := h.cfg.Limits.RetryMin
	for h.ctx.Err() == nil {
		if !h.relays.needed() {
			select {
			case <-look:
			case <-h.ctx.Done():
			}
			continue
		}
		select {
		case h.relays.slots <- struct{}{}:
		case <-h.ctx.Done():
			return
		}
		err := h.occupy(info, look, func() { pause = h.cfg.Limits.RetryMin })
		h.relays.leave(info.ID, err != nil && !errors.Is(err, errHungUp))
		<-h.relays.slots
		h.tellRelays()
		if errors.Is(err, errNotRelay) {
			pause = h.cfg.Limits.RetryMax
		}
		if err != nil {
			h.cfg.Log.Info("no place at the relay", "relay", info.ID, "why", err, "again_in", pause)
			h.pause(h.ctx, nil, &pause)
		}
	}
}

// occupy takes a place at a relay, and holds it until it is lost or needed no more.
func (h *Host) occupy(info peer.AddrInfo, look <-chan struct{}, took func()) error {
	for h.relays.needed() && h.ctx.Err() == nil {
		expiry, err := h.reserveOnce(info)
		if err != nil {
			return err
		}
		took()
		h.tellRelays()
		due := time.After(h.renewal(time.Until(expiry)))
		for again := false; !again; {
			select {
			case <-due:
				again = true
			case <-look:
				if h.host.Network().Connectedness(info.ID) != network.Connected {
					return errHungUp
				}
				again = !h.relays.needed()
			case <-h.ctx.Done():
				again = true
			}
		}
	}
	return nil
}

// renewal is after how long a place is asked for again that a relay gives for some time.
func (h *Host) renewal(given time.Duration) time.Duration {
	// a relay that gives little time, or time that is over, isn't asked all the time; one that says
	// that it gives years is asked whether it still does
	return max(min(given, reservationTime), h.cfg.Limits.RetryMax) * 3 / 4
}

func (h *Host) reserveOnce(info peer.AddrInfo) (expiry time.Time, err error) {
	ctx, cancel := context.WithTimeout(h.ctx, h.cfg.Limits.Dial)
	defer cancel()
	h.gate.seek(info.ID)
	if err := h.host.Connect(ctx, info); err != nil {
		return expiry, fmt.Errorf("%w at %v: %w", transport.ErrUnreachable, info.Addrs, err)
	}
	place, err := client.Reserve(ctx, h.host, info)
	switch {
	case errors.Is(err, multistream.ErrNotSupported[libprotocol.ID]{}):
		return expiry, errNotRelay
	case err != nil:
		return expiry, fmt.Errorf("%w: %w", transport.ErrNoRoom, err)
	}
	circuit := multiaddr.StringCast("/p2p/" + info.ID.String() + "/p2p-circuit")
	var ways []multiaddr.Multiaddr
	for _, a := range info.Addrs {
		ways = append(ways, a.Encapsulate(circuit))
	}
	if !slices.ContainsFunc(h.host.Network().ConnsToPeer(info.ID), func(c network.Conn) bool { return !relayed(c.RemoteMultiaddr()) }) {
		return expiry, errHungUp
	}
	h.relays.hold(info.ID, ways)
	return place.Expiration, nil
}

// parted looks after the place at a relay whose connection is gone.
func (h *Host) parted(_ network.Network, c network.Conn) {
	h.relays.wake(c.RemotePeer())
	if h.passing != nil {
		h.passing.parted(c.RemotePeer())
	}
}

// carries reports whether a connection is worth more than its own stream: it is the newest with a
// relay that we use, or with somebody for whom we are one, callers or not.
func (h *Host) carries(c network.Conn, callers bool) bool {
	p := c.RemotePeer()
	newer := func(d network.Conn) bool { return d.Stat().Opened.After(c.Stat().Opened) }
	if (h.relays.trusted(p) || h.passing != nil && h.passing.carries(p, callers)) && !slices.ContainsFunc(h.host.Network().ConnsToPeer(p), newer) {
		return true
	}
	return slices.ContainsFunc(c.GetStreams(), func(s network.Stream) bool {
		return s.Stat().Direction == network.DirOutbound && s.Protocol() == hopProtocol
	})
}
