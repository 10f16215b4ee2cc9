package p2p

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-yamux/v5"
	"github.com/multiformats/go-multiaddr"
	"github.com/quic-go/quic-go"
)

// relayGroup begins the name of a group that comes through a relay.
const relayGroup = "relay "

// relayOf returns the relay that an address goes through; "" if it is direct.
func relayOf(a multiaddr.Multiaddr) peer.ID {
	way, through := multiaddr.SplitFunc(a, func(c multiaddr.Component) bool { return c.Protocol().Code == multiaddr.P_CIRCUIT })
	if len(through) == 0 {
		return ""
	}
	id, _ := peer.IDFromP2PAddr(way) // "" again if it names none: nobody can be reached there
	return id
}

func relayed(a multiaddr.Multiaddr) bool {
	_, err := a.ValueForProtocol(multiaddr.P_CIRCUIT)
	return err == nil
}

// roundTrip returns how long a packet takes to the other side of a connection and back, as the
// connection measures it by itself; 0 if it hasn't yet.
func roundTrip(c network.Conn) time.Duration {
	var overUDP *quic.Conn
	if c.As(&overUDP) {
		return overUDP.ConnectionStats().SmoothedRTT
	}
	var overTCP *yamux.Session
	if c.As(&overTCP) {
		return overTCP.RTT()
	}
	return 0
}

// straighten moves the stream of an account from a relay to the direct connection that has come to
// be. Whoever opened the old stream opens the new one, which takes its place.
func (h *Host) straighten(_ network.Network, direct network.Conn) {
	p := direct.RemotePeer()
	account, found := h.detoured(p)
	if relayed(direct.RemoteMultiaddr()) || !found || !h.enter() {
		return
	}
	go func() {
		defer h.running.Done()
		if _, err := h.dial(h.ctx, peer.AddrInfo{ID: p}, &account); err != nil {
			h.cfg.Log.Debug("the direct way is no better", "account", account, "why", err)
			return
		}
		for _, c := range h.host.Network().ConnsToPeer(p) {
			if relayed(c.RemoteMultiaddr()) {
				_ = c.Close()
			}
		}
	}()
}

// detoured returns the account to which we opened a stream that goes through a relay to a peer.
func (h *Host) detoured(p peer.ID) (account common.Address, found bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.accounts {
		for _, s := range a.sessions {
			if c := s.stream.Conn(); s.dialled && c.RemotePeer() == p && relayed(c.RemoteMultiaddr()) {
				return a.address, true
			}
		}
	}
	return common.Address{}, false
}
