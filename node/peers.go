package node

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

const (
	peerPrefix  = "peer/"  // by account: the addresses at which it was reached
	namedPrefix = "named/" // by account: the user added it
)

// directory knows where accounts can be reached.
type directory struct {
	*base
	mu     sync.Mutex
	chosen map[common.Address]bool // accounts that the user added: peers, towers, lobbies
}

// AddPeer remembers permanently where an account can be reached, and keeps a connection to it.
func (n *directory) AddPeer(account common.Address, addresses ...string) error {
	if err := n.choose(account, addresses...); err != nil {
		return err
	}
	if err := n.persist(namedPrefix+account.Hex(), true); err != nil {
		return err
	}
	return n.persist(peerPrefix+account.Hex(), addresses)
}

// choose keeps a connection to an account whatever becomes of channels with it.
func (n *directory) choose(account common.Address, addresses ...string) error {
	if err := n.net.Keep(account, addresses...); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.chosen[account] = true
	return nil
}

func (n *directory) isChosen(account common.Address) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.chosen[account]
}

// partFrom notes that a channel with players, of whom this node's may be one, is over or does not
// come about. Whoever was last a player longest ago is no longer kept, and competes for a place
// with strangers.
func (n *core) partFrom(players []common.Address) {
	others := slices.DeleteFunc(slices.Clone(players), func(a common.Address) bool { return a == n.Account() })
	for _, gone := range n.retire(others) {
		if !n.isChosen(gone) {
			n.net.Forget(gone)
		}
	}
}

// forgetPeers forgets where players of channels that are forgotten can be reached, but for those
// who are to stay: there are ever more.
func (n *archive) forgetPeers(over []ending, stay map[common.Address]bool) error {
	stay[n.Account()] = true
	for i := range over {
		for _, player := range over[i].Terms.Players {
			if stay[player] || n.isChosen(player) || n.partner(player) {
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

// keepPeers asks the network to stay connected to those whom the user added, and to the players of
// channels that were over last. See watched for those with whom there is one.
func (n *core) keepPeers() {
	var over []ending
	_, err := n.endings(func(e ending) { over = append(over, e) })
	err = errors.Join(err, allStored(n.config.Store, namedPrefix, func(account string, named bool) { n.chosen[common.HexToAddress(account)] = named }))
	slices.SortStableFunc(over, func(a, b ending) int { return cmp.Compare(a.Ended, b.Ended) })
	for i := range over {
		n.partFrom(over[i].Terms.Players)
	}
	err = errors.Join(err, allStored(n.config.Store, peerPrefix, func(account string, addresses []string) {
		peer := common.HexToAddress(account)
		if !n.isChosen(peer) && !n.partner(peer) && !n.retired(peer) {
			return
		}
		if err := n.net.Keep(peer, addresses...); err != nil {
			n.config.Log.Warn("peer not kept", "peer", account, "error", err)
		}
	}))
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

// seek reports whether the network can reach an account, or knows where to try: it is told where
// one was that is no longer kept.
func (n *directory) seek(account common.Address) bool {
	if slices.ContainsFunc(n.net.Peers(), func(p transport.Peer) bool {
		return p.Account == account && (p.Connected || len(p.Addresses) > 0)
	}) {
		return true
	}
	addresses, err := stored[[]string](n.config.Store, peerPrefix+account.Hex())
	return err == nil && addresses != nil && len(*addresses) > 0 && n.net.Keep(account, *addresses...) == nil
}

// reachable returns where this node can be reached, as far as a message has room for it.
func (n *directory) reachable(most int) []string {
	list := slices.DeleteFunc(slices.Clone(n.net.Addresses()), func(a string) bool { return len(a) > protocol.MaxText })
	return list[:min(len(list), most)]
}
