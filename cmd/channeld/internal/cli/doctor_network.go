package cli

import (
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

// lookAtReach looks at where other players reach the daemon.
func lookAtReach(f *findings, addresses []string) {
	for _, text := range addresses {
		if address, err := multiaddr.NewMultiaddr(text); err == nil && manet.IsPublicAddr(address) {
			f.ok("network", "other players reach the daemon at %s", text)
			return
		}
	}
	f.warn("network", "forward the port of peers.listen in your router, or let the other player's node be the one that is reached",
		"the daemon knows no public address: only players of your network, or whom it dials itself, reach it")
}

// lookAtPorts looks at whether the ports are free at which a daemon would listen.
func lookAtPorts(f *findings, settings *config.Config) {
	lookAtPort(f, "api.listen", settings.API.Listen, daemon.FreePort("tcp", settings.API.Listen))
	for _, text := range settings.Peers.Listen {
		lookAtPort(f, "peers.listen", text, daemon.Free(text))
	}
}

func lookAtPort(f *findings, setting, at string, err error) {
	if err != nil {
		f.bad("port", "stop what uses it, or set "+setting+" to another", "%v", err)
		return
	}
	f.ok("port", "%s of %s is free", at, setting)
}
