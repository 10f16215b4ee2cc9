package p2p

import (
	"net"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	libtransport "github.com/libp2p/go-libp2p/core/transport"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/ante-games/ante/transport/budget"
)

// entering bounds the connections whose encryption isn't agreed on yet and which can't be told to
// yield. They leave half of the places of all to those over TCP, which can.
func (l *Limits) entering() budget.Limit {
	most := max(1, l.transient()/2)
	return budget.Limit{Name: "p2p/entering", Counts: "connections, not over TCP, that aren't encrypted yet",
		Group: budget.Places(max(1, most/4)), Total: budget.Places(most)}
}

// transient is how many connections of others may not be encrypted yet.
func (l *Limits) transient() int { return l.Connections / 4 }

// entry is libp2p's account of a connection from when it is accepted, which ends the entering once
// streams can be opened on it, or it is given up.
type entry struct {
	network.ConnManagementScope
	entered func()
}

// Done implements network.ConnManagementScope.
func (e *entry) Done() {
	e.entered()
	e.ConnManagementScope.Done()
}

// entrance is libp2p's upgrader. It knows the TCP connections that are entering.
type entrance struct {
	libtransport.Upgrader
	host *Host
}

// GateMaListener implements transport.Upgrader.
func (e entrance) GateMaListener(l manet.Listener) libtransport.GatedMaListener {
	return door{e.Upgrader.GateMaListener(l), e.host}
}

type door struct {
	libtransport.GatedMaListener
	host *Host
}

// Accept implements transport.GatedMaListener.
func (d door) Accept() (manet.Conn, network.ConnManagementScope, error) {
	c, scope, err := d.GatedMaListener.Accept()
	if err != nil {
		return nil, nil, err
	}
	h := d.host
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entering[c] = time.Now()
	return c, &entry{scope, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.entering, c)
	}}, nil
}

// VerifySourceAddress implements network.ResourceManager. Whoever may have forged its address takes
// none of the places when some are taken.
func (m *streams) VerifySourceAddress(from net.Addr) bool {
	return m.taken(m.ViewTransient) >= m.host.cfg.Limits.transient()/8 || m.ResourceManager.VerifySourceAddress(from)
}
