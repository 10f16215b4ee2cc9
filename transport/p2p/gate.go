package p2p

import (
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/control"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/ante-games/ante/transport/budget"
)

// punchLimit bounds where others can make a host dial: to meet them half-way, or to tell them
// whether they can be reached.
var punchLimit = budget.Limit{Name: "p2p/punches", Counts: "addresses dialled because others ask for it, to find a direct way",
	Account: budget.Rate(32, 10*time.Second), Group: budget.Rate(64, 2*time.Second), Total: budget.Rate(256, 250*time.Millisecond),
	Friend: budget.Rate(64, time.Second), Friends: budget.Rate(512, 100*time.Millisecond)}

// gate is libp2p's gater: it decides what is dialled, and which relays may bring us others.
type gate struct {
	host    *Host
	punches *budget.Budget

	mu     sync.Mutex
	sought map[peer.ID]time.Time // whom we want to reach, until when
}

func newGate(h *Host) *gate {
	return &gate{host: h, punches: budget.New(time.Now, punchLimit), sought: map[peer.ID]time.Time{}}
}

// seek lets a peer be dialled at all its addresses for as long as dialling takes.
func (g *gate) seek(p peer.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	for q, until := range g.sought {
		if now.After(until) {
			delete(g.sought, q)
		}
	}
	g.sought[p] = now.Add(g.host.cfg.Limits.Dial)
}

func (g *gate) seeks(p peer.ID) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	until, ok := g.sought[p]
	return ok && time.Now().Before(until)
}

// InterceptAddrDial implements connmgr.ConnectionGater. What isn't our own wish is the peer's: it
// costs a budget, and goes to public addresses only, so that nobody looks round our network through
// us.
func (g *gate) InterceptAddrDial(p peer.ID, a multiaddr.Multiaddr) bool {
	if g.seeks(p) {
		if relay := relayOf(a); relay != "" {
			g.seek(relay)
		}
		return true
	}
	if !manet.IsPublicAddr(a) {
		return false
	}
	g.host.mu.Lock()
	friend := g.host.keeps(p)
	g.host.mu.Unlock()
	return g.punches.Allow(budget.Who{Account: accountOf(p), Friend: friend})
}

// InterceptSecured implements connmgr.ConnectionGater. Only a relay that we asked for a place may
// bring us others.
func (g *gate) InterceptSecured(d network.Direction, _ peer.ID, c network.ConnMultiaddrs) bool {
	return d == network.DirOutbound || !relayed(c.RemoteMultiaddr()) || g.host.relays.trusted(relayOf(c.RemoteMultiaddr()))
}

// InterceptPeerDial implements connmgr.ConnectionGater.
func (*gate) InterceptPeerDial(peer.ID) bool { return true }

// InterceptAccept implements connmgr.ConnectionGater.
func (*gate) InterceptAccept(network.ConnMultiaddrs) bool { return true }

// InterceptUpgraded implements connmgr.ConnectionGater.
func (*gate) InterceptUpgraded(network.Conn) (bool, control.DisconnectReason) { return true, 0 }
