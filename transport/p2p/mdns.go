package p2p

import (
	"fmt"
	"io"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/discovery/mdns"
)

// service is the name under which Ante's nodes find each other on a local network.
const service = "_ante._udp"

// announce tells the local network where we are, and listens for others.
func (h *Host) announce() (io.Closer, error) {
	f := mdns.NewMdnsService(h.host, service, finder{h, make(chan struct{}, 8)})
	if err := f.Start(); err != nil {
		return nil, fmt.Errorf("p2p: announcing on the local network: %w; go on without mDNS if there is none", err)
	}
	return f, nil
}

// finder takes what mDNS finds. Anybody on the local network can make it find things, so it dials
// few at once.
type finder struct {
	host  *Host
	slots chan struct{}
}

// HandlePeerFound learns where a kept account is, and dials others to hear which account they are.
func (f finder) HandlePeerFound(info peer.AddrInfo) {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		return
	}
	h := f.host
	h.mu.Lock()
	known := false
	for _, a := range h.accounts {
		if a.kept && a.last == info.ID {
			a.learn(info)
			a.change()
			known = true
		}
	}
	full := h.accounts.strangers() >= h.cfg.Limits.Strangers
	h.mu.Unlock()
	if known || full {
		return
	}
	if _, err := h.dialAny(h.ctx, info); err != nil {
		h.cfg.Log.Debug("can't connect to a node on the local network", "peer", info.ID, "why", err)
	}
}

var _ mdns.Notifee = finder{}
