package p2p

import (
	"fmt"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/multiformats/go-multiaddr"
)

// Loopback returns the addresses that only this machine's programs can reach, by TCP and QUIC; port
// 0 is any.
func Loopback(port uint16) []string {
	return []string{fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", port), fmt.Sprintf("/ip4/127.0.0.1/udp/%d/quic-v1", port)}
}

// listen makes a host listen wherever it is told to; libp2p itself is content with one address of
// all. Only IPv6 may be missing, as it is from many machines.
func listen(h host.Host, where []string) error {
	var missing error
	for _, text := range where {
		a, err := multiaddr.NewMultiaddr(text)
		if err != nil {
			return fmt.Errorf("p2p: listening on %q: %w; it should look like %s", text, err, Loopback(4001)[0])
		}
		switch err := h.Network().Listen(a); {
		case err == nil:
		case a[0].Protocol().Code == multiaddr.P_IP6:
			missing = fmt.Errorf("p2p: listening on %s: %w", text, err)
		default:
			return fmt.Errorf("p2p: listening on %s: %w; is another node or program using the port? Stop it, or listen at another (peers.listen)", text, err)
		}
	}
	if len(h.Network().ListenAddresses()) == 1 { // of relays
		return missing
	}
	return nil
}
