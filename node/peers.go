package node

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

const (
	peerPrefix  = "peer/"  // by account: the addresses at which it was reached
	namedPrefix = "named/" // by account: the user added it
)

// directory knows where accounts can be reached.
type directory struct{ *base }

// AddPeer remembers permanently where an account can be reached, and keeps a connection to it.
func (n *directory) AddPeer(account common.Address, addresses ...string) error {
	if err := n.net.Keep(account, addresses...); err != nil {
		return err
	}
	if err := n.persist(namedPrefix+account.Hex(), true); err != nil {
		return err
	}
	return n.persist(peerPrefix+account.Hex(), addresses)
}

// forgetPeers stops keeping the players of channels that are forgotten, but for those who are to
// stay: there are ever more.
func (n *archive) forgetPeers(over []ending, stay map[common.Address]bool) error {
	for _, other := range append(n.channels.towers.all(), n.Account()) {
		stay[other] = true
	}
	for i := range over {
		for _, player := range over[i].Terms.Players {
			named, err := n.config.Store.Get(namedPrefix + player.Hex())
			if err != nil {
				return err
			}
			if named != nil || stay[player] || n.partner(player) {
				continue
			}
			if err := n.config.Store.Commit(map[string][]byte{peerPrefix + player.Hex(): nil}); err != nil {
				return err
			}
			n.net.Forget(player)
		}
	}
	return nil
}

// keepPeers asks the network to stay connected to everybody who was added. See watched for those
// with whom there is a channel.
func (n *directory) keepPeers() {
	err := allStored(n.config.Store, peerPrefix, func(account string, addresses []string) {
		if err := n.net.Keep(common.HexToAddress(account), addresses...); err != nil {
			n.config.Log.Warn("peer not kept", "peer", account, "error", err)
		}
	})
	if err != nil {
		n.config.Log.Error("addresses of peers not read", "error", err)
	}
}

// keepSeats keeps connections to the other players of a channel, also after a restart.
func (n *directory) keepSeats(players []common.Address) {
	for _, player := range players {
		if err := n.net.Keep(player); err != nil {
			n.config.Log.Warn("peer not kept", "peer", player, "error", err)
			continue
		}
		n.rememberPeer(player)
	}
}

// rememberPeer stores where an account with whom there is a channel can be reached.
func (n *directory) rememberPeer(account common.Address) {
	for _, p := range n.net.Peers() {
		if p.Account != account || len(p.Addresses) == 0 {
			continue
		}
		if err := n.persist(peerPrefix+account.Hex(), p.Addresses); err != nil {
			n.config.Log.Warn("address of a peer not stored", "peer", account, "error", err)
		}
	}
}

// known reports whether the network can reach an account, or knows where to try.
func (n *directory) known(account common.Address) bool {
	return slices.ContainsFunc(n.net.Peers(), func(p transport.Peer) bool {
		return p.Account == account && (p.Connected || len(p.Addresses) > 0)
	})
}

// reachable returns where this node can be reached, as far as a message has room for it.
func (n *directory) reachable(most int) []string {
	list := slices.DeleteFunc(slices.Clone(n.net.Addresses()), func(a string) bool { return len(a) > protocol.MaxText })
	return list[:min(len(list), most)]
}
