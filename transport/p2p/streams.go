package p2p

import (
	"errors"
	"fmt"
	"strings"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libprotocol "github.com/libp2p/go-libp2p/core/protocol"
	"github.com/multiformats/go-multiaddr"

	"github.com/ante-games/ante/transport/budget"
)

// streamLimit bounds the streams that others open and say nothing on, or nothing that another limit
// is for. Over TCP each takes 256 KiB of what all may have.
var streamLimit = budget.Limit{Name: "p2p/streams", Counts: "streams of others that speak neither Ante nor to the relay",
	Account: budget.Places(8), Group: budget.Places(32), Total: budget.Places(128), Friend: budget.Places(streamsPerPeer)}

// streams is libp2p's resource manager, with places for such streams, and for connections that
// yield.
type streams struct {
	network.ResourceManager
	host     *Host
	places   *budget.Budget
	entering *budget.Budget
}

// taken returns how many connections that others dialled have places of all connections, or of
// those that aren't encrypted yet.
func (*streams) taken(view func(func(network.ResourceScope) error) error) (taken int) {
	_ = view(func(s network.ResourceScope) error { // fails never
		taken = s.Stat().NumConnsInbound
		return nil
	})
	return taken
}

// OpenConnection implements network.ResourceManager. The last of the connections that others may
// dial are for newcomers, of addresses that haven't had too many.
func (m *streams) OpenConnection(dir network.Direction, usefd bool, at multiaddr.Multiaddr) (network.ConnManagementScope, error) {
	scope, err := m.ResourceManager.OpenConnection(dir, usefd, at)
	if dir == network.DirOutbound || err != nil && !errors.Is(err, network.ErrResourceLimitExceeded) {
		return scope, err
	}
	few := func(taken, most int) bool { return taken >= most-max(1, most/16) }
	l := &m.host.cfg.Limits
	if all := few(m.taken(m.ViewSystem), l.inbound()); all || few(m.taken(m.ViewTransient), l.transient()) {
		m.host.makeRoom(all)
	}
	if err != nil || usefd { // over TCP
		return scope, err
	}
	release, err := m.entering.Take(budget.Who{Group: groupOf(at)})
	if err != nil {
		scope.Done()
		return nil, fmt.Errorf("%w: %w", network.ErrResourceLimitExceeded, err)
	}
	return &entry{scope, release}, nil
}

// OpenStream implements network.ResourceManager.
func (m *streams) OpenStream(p peer.ID, dir network.Direction) (network.StreamManagementScope, error) {
	scope, err := m.ResourceManager.OpenStream(p, dir)
	conns := m.host.host.Network().ConnsToPeer(p)
	if err != nil || dir == network.DirOutbound || len(conns) == 0 {
		return scope, err
	}
	who := m.host.who(p, conns[0].RemoteMultiaddr())
	who.Friend = who.Friend || m.host.relays.trusted(p)
	release, err := m.places.Take(who)
	if err != nil {
		scope.Done()
		return nil, fmt.Errorf("%w: %w", network.ErrResourceLimitExceeded, err)
	}
	return &stream{scope, m.host.protocol, release}, nil
}

// stream is one that holds a place.
type stream struct {
	network.StreamManagementScope
	ours    libprotocol.ID
	release func()
}

// SetProtocol implements network.StreamManagementScope.
func (s *stream) SetProtocol(id libprotocol.ID) error {
	if strings.HasPrefix(string(id), string(s.ours)) || id == hopProtocol {
		s.release()
	}
	return s.StreamManagementScope.SetProtocol(id)
}

// Done implements network.StreamManagementScope.
func (s *stream) Done() {
	s.release()
	s.StreamManagementScope.Done()
}
