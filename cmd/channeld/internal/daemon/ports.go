package daemon

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

// portPrefix stands in the store before an address of peers.listen that takes any port: under it is
// the one that it got. Peers remember it.
const portPrefix = "daemon/port/"

var (
	anyPort = regexp.MustCompile(`/(tcp|udp)/0(/|$)`)
	port    = regexp.MustCompile(`^/(ip[46])/[^/]+/(tcp|udp)/(\d+)(/|$)`)
)

// join joins the network at the ports that the node had before, where its settings leave them open.
func join(s store.Store, c p2p.Config) (*p2p.Host, error) {
	wanted := c.Listen
	var err error
	if c.Listen, err = keptPorts(s, wanted); err != nil {
		return nil, err
	}
	host, err := p2p.New(c)
	if err != nil {
		return nil, err
	}
	if err := keepPorts(s, wanted, host.Addresses()); err != nil {
		return nil, errors.Join(err, host.Close())
	}
	return host, nil
}

// keptPorts returns where a node listens: at the ports that it got before, where any will do and
// they are free.
func keptPorts(s store.Store, listen []string) ([]string, error) {
	listen = slices.Clone(listen)
	for i, text := range listen {
		if !anyPort.MatchString(text) {
			continue
		}
		kept, err := s.Get(portPrefix + text)
		if err != nil {
			return nil, err
		}
		if kept == nil {
			continue
		}
		if before := anyPort.ReplaceAllString(text, "/$1/"+string(kept)+"$2"); Free(before) == nil {
			listen[i] = before
		}
	}
	return listen, nil
}

// keepPorts notes which ports a node got.
func keepPorts(s store.Store, listen, reached []string) error {
	got := map[string][]byte{}
	for _, text := range listen {
		if !anyPort.MatchString(text) {
			continue
		}
		wanted := port.FindStringSubmatch(text)
		for _, address := range reached {
			at := port.FindStringSubmatch(address)
			if wanted != nil && at != nil && wanted[1] == at[1] && wanted[2] == at[2] && !strings.Contains(address, "/p2p-circuit") {
				got[portPrefix+text] = []byte(at[3])
				break
			}
		}
	}
	return s.Commit(got)
}

// Free fails when something else listens at a multiaddr's port.
func Free(address string) error {
	at, err := multiaddr.NewMultiaddr(address)
	if err != nil {
		return fmt.Errorf("read the address %s: %w", address, err)
	}
	network, where, err := manet.DialArgs(at)
	if err != nil {
		return fmt.Errorf("read the address %s: %w", address, err)
	}
	return FreePort(network, where)
}

// FreePort is Free for a network and an address of package net.
func FreePort(network, at string) error {
	if strings.HasPrefix(network, "udp") {
		socket, err := net.ListenPacket(network, at)
		if err != nil {
			return err
		}
		return socket.Close()
	}
	listener, err := net.Listen(network, at)
	if err != nil {
		return err
	}
	return listener.Close()
}
