package p2p

import (
	"fmt"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"

	"github.com/ante-games/ante/transport"
)

// maxAddresses is the most addresses that are remembered for one account.
const maxAddresses = 16

// parseAddresses takes multiaddrs that end in a peer id, and groups them by it.
func (h *Host) parseAddresses(list []string) ([]peer.AddrInfo, error) {
	if len(list) > maxAddresses {
		return nil, fmt.Errorf("%w: %d of them, at most %d", transport.ErrAddress, len(list), maxAddresses)
	}
	addrs := make([]multiaddr.Multiaddr, len(list))
	for i, text := range list {
		a, id, err := parseAddress(text)
		if err != nil {
			return nil, err
		}
		if id == h.host.ID() {
			return nil, fmt.Errorf("%w %q: that is this node's own", transport.ErrAddress, text)
		}
		addrs[i] = a
	}
	infos, err := peer.AddrInfosFromP2pAddrs(addrs...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", transport.ErrAddress, err)
	}
	return infos, nil
}

// CheckAddress fails with ErrAddress where a text doesn't say where a peer is, and who.
func CheckAddress(text string) error {
	_, _, err := parseAddress(text)
	return err
}

func parseAddress(text string) (multiaddr.Multiaddr, peer.ID, error) {
	a, err := multiaddr.NewMultiaddr(text)
	if err != nil {
		return nil, "", fmt.Errorf("%w %q: %w; it should look like /ip4/192.0.2.1/tcp/4001/p2p/12D3Koo…", transport.ErrAddress, text, err)
	}
	info, err := peer.AddrInfoFromP2pAddr(a)
	if err != nil {
		return nil, "", fmt.Errorf("%w %q: it should end in /p2p/ and the peer's id: %w", transport.ErrAddress, text, err)
	}
	if len(info.Addrs) == 0 {
		return nil, "", fmt.Errorf("%w %q: it should begin with where the peer is, as in /ip4/192.0.2.1/tcp/4001", transport.ErrAddress, text)
	}
	return a, info.ID, nil
}

// fullAddresses returns an info's addresses with the peer id.
func fullAddresses(info peer.AddrInfo) []string {
	full, err := peer.AddrInfoToP2pAddrs(&info)
	if err != nil {
		return nil
	}
	list := make([]string, len(full))
	for i, a := range full {
		list[i] = a.String()
	}
	return list
}
