package p2p

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
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
	local   bool // the host is for this machine's programs only

	mu     sync.Mutex
	sought map[peer.ID]wish
}

// wish is to reach a peer.
type wish struct {
	until time.Time
	relay peer.ID // the only one that is tried this time; "": the peer is at none
}

func newGate(h *Host) *gate {
	local := !slices.ContainsFunc(h.cfg.Listen, func(a string) bool { return !strings.HasPrefix(a, "/ip4/127.") && !strings.HasPrefix(a, "/ip6/::1/") })
	return &gate{host: h, local: local, punches: budget.New(time.Now, punchLimit), sought: map[peer.ID]wish{}}
}

// seek lets a peer be dialled at its addresses, for as long as dialling takes. Of several relays it
// draws one: a bad one then fails by itself, and the next try may draw another.
func (g *gate) seek(p peer.ID, at ...multiaddr.Multiaddr) {
	var relays []peer.ID
	for _, a := range append(at, g.host.host.Peerstore().Addrs(p)...) {
		if r := relayOf(a); r != "" && !slices.Contains(relays, r) {
			relays = append(relays, r)
		}
	}
	w := wish{until: time.Now().Add(g.host.cfg.Limits.Dial)}
	if len(relays) > 0 {
		w.relay = relays[rand.IntN(len(relays))] //nolint:gosec // it is no secret
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.sought, func(_ peer.ID, old wish) bool { return time.Now().After(old.until) })
	g.sought[p] = w
}

func (g *gate) wished(p peer.ID) (wish, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w, ok := g.sought[p]
	return w, ok && time.Now().Before(w.until)
}

// InterceptAddrDial implements connmgr.ConnectionGater. What isn't our own wish is the peer's: it
// costs a budget, and goes to public addresses only, so that nobody looks round our network through
// us.
func (g *gate) InterceptAddrDial(p peer.ID, a multiaddr.Multiaddr) bool {
	if w, ok := g.wished(p); ok {
		relay := relayOf(a)
		if relay != "" && relay == w.relay {
			g.seek(relay)
		}
		return relay == w.relay || relay == ""
	}
	if !g.harmless(a) {
		return false
	}
	g.host.mu.Lock()
	friend := g.host.keeps(p)
	g.host.mu.Unlock()
	return g.punches.Allow(budget.Who{Account: accountOf(p), Friend: friend})
}

// harmless reports whether others may have us dial an address.
func (g *gate) harmless(a multiaddr.Multiaddr) bool {
	return manet.IsPublicAddr(a) || g.local && manet.IsIPLoopback(a)
}

// InterceptAccept implements connmgr.ConnectionGater. Only a relay that we asked for a place may
// bring us others.
func (g *gate) InterceptAccept(c network.ConnMultiaddrs) bool {
	return !relayed(c.RemoteMultiaddr()) || g.host.relays.trusted(relayOf(c.RemoteMultiaddr()))
}

func (*gate) InterceptPeerDial(peer.ID) bool { return true }

func (*gate) InterceptSecured(network.Direction, peer.ID, network.ConnMultiaddrs) bool { return true }

// InterceptUpgraded implements connmgr.ConnectionGater.
func (*gate) InterceptUpgraded(c network.Conn) (bool, control.DisconnectReason) {
	if e, ok := c.Scope().(*entry); ok {
		e.entered()
	}
	return true, 0
}
