package p2p

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/protocol/autonatv2"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/proto"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/relay"
	"github.com/multiformats/go-multiaddr"

	"github.com/ante-games/ante/transport/budget"
)

const hopProtocol = proto.ProtoIDv2Hop

const (
	// circuitsPerPeer is how many relayed connections one peer has at once.
	circuitsPerPeer = 12
	reservationTime = 30 * time.Minute
)

// reservations are the places at which others are reached through this host.
func (l *Limits) reservations() budget.Limit {
	return budget.Limit{Name: "p2p/reservations", Counts: "nodes that are reached through this relay",
		Account: budget.Places(1), Group: budget.Places(max(1, l.Reservations/8)), Total: budget.Places(l.Reservations),
		Friend: budget.Places(1), Friends: budget.Places(l.Reservations)}
}

// circuits bounds what relaying costs: each may carry CircuitBytes in each direction, for
// CircuitTime.
func (l *Limits) circuits() budget.Limit {
	every := time.Minute / time.Duration(max(1, l.Circuits))
	return budget.Limit{Name: "p2p/circuits", Counts: "connections that this relay makes",
		Account: budget.Rate(8, 10*time.Second), Group: budget.Rate(16, 4*every), Total: budget.Rate(2*l.Circuits, every),
		Friend: budget.Rate(16, 5*time.Second), Friends: budget.Rate(2*l.Circuits, every)}
}

// passing is what a relay grants: it is libp2p's access control.
type passing struct {
	host         *Host
	circuits     *budget.Budget
	reservations *budget.Budget

	mu      sync.Mutex
	places  map[peer.ID]func()    // gives it back
	sources map[peer.ID]time.Time // until when those who dialled through us may do so
}

// relay begins to pass on what others say to each other, if the configuration says so. Only relays
// tell others whether they can be reached: that, too, makes them dial.
func (h *Host) relay() error {
	if !h.cfg.Relay {
		h.host.RemoveStreamHandler(autonatv2.DialProtocol)
		return nil
	}
	l := &h.cfg.Limits
	p := &passing{host: h, circuits: budget.New(time.Now, l.circuits()), reservations: budget.New(time.Now, l.reservations()),
		places: map[peer.ID]func(){}, sources: map[peer.ID]time.Time{}}
	service, err := relay.New(h.host, relay.WithACL(p), relay.WithResources(relay.Resources{
		Limit:          &relay.RelayLimit{Duration: l.CircuitTime, Data: int64(l.CircuitBytes)},
		ReservationTTL: reservationTime, MaxReservations: 2 * l.Reservations, MaxCircuits: circuitsPerPeer, BufferSize: 4 << 10,
		// ours are by account and group
		MaxReservationsPerIP: 2 * l.Reservations, MaxReservationsPerASN: 2 * l.Reservations,
	}))
	if err != nil {
		return fmt.Errorf("p2p: relaying: %w", err)
	}
	h.passing, h.service = p, service
	return nil
}

func (p *passing) AllowReserve(from peer.ID, at multiaddr.Multiaddr) bool {
	return p.speaks(from) && p.reserve(from, at) && !p.parted(from)
}

func (p *passing) reserve(from peer.ID, at multiaddr.Multiaddr) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.places[from] != nil {
		return true
	}
	release, err := p.reservations.Take(p.host.who(from, at))
	if err != nil {
		return false
	}
	p.places[from] = release
	return true
}

func (p *passing) AllowConnect(from peer.ID, at multiaddr.Multiaddr, _ peer.ID) bool {
	if !p.speaks(from) || !p.circuits.Allow(p.host.who(from, at)) {
		return false
	}
	p.mu.Lock()
	p.sources[from] = time.Now().Add(p.host.cfg.Limits.CircuitTime)
	p.mu.Unlock()
	return !p.parted(from)
}

// speaks reports whether a peer is a node of this chain and Arena, and isn't banned. What libp2p
// has noted of it lags, and is missing on a connection that was slow at first: so the peer is
// asked.
func (p *passing) speaks(from peer.ID) bool {
	h := p.host
	h.mu.Lock()
	banned := h.isBanned(from)
	h.mu.Unlock()
	if banned {
		return false
	}
	if known, err := h.host.Peerstore().SupportsProtocols(from, h.protocol); err == nil && len(known) > 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(network.WithNoDial(h.ctx, "it is connected"), h.cfg.Limits.Handshake)
	defer cancel()
	s, err := h.host.NewStream(ctx, from, h.protocol)
	if err != nil {
		return false
	}
	_ = s.Reset()
	return true
}

// who tells whose budget pays for what a peer asks that has shown no account on its connection.
func (h *Host) who(from peer.ID, at multiaddr.Multiaddr) budget.Who {
	h.mu.Lock()
	defer h.mu.Unlock()
	return budget.Who{Account: accountOf(from), Group: groupOf(at), Friend: h.keeps(from)}
}

// accountOf stands for a peer that has proved no account.
func accountOf(p peer.ID) common.Address { return common.BytesToAddress([]byte(p)) }

// parted reports whether a peer is gone, and gives its place back then. It is asked when a
// connection ends, and when something has been granted, which may be later.
func (p *passing) parted(from peer.ID) bool {
	if p.host.host.Network().Connectedness(from) == network.Connected {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if release := p.places[from]; release != nil {
		release()
		delete(p.places, from)
	}
	delete(p.sources, from)
	return true
}

// carries reports whether a peer is reached through us, or, if callers count, reaches others.
func (p *passing) carries(from peer.ID, callers bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.places[from] != nil || callers && time.Now().Before(p.sources[from])
}
