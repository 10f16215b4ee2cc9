package node

import (
	"maps"
	"slices"
	"sync"

	"github.com/ante-games/ante/disputes"
	"github.com/ethereum/go-ethereum/common"
)

// roster finds the sessions by channel and by player.
type roster struct {
	mu       sync.Mutex
	sessions map[common.Hash]*session      // by channel id
	shares   map[common.Address][]*session // by another player
	// digests of the deputies that players of channels proved to have appointed
	proved   map[common.Address]common.Hash
	unshared map[common.Address]common.Hash // the same, of others: a channel may come of it
}

// maxUnshared caps of how many others it is remembered.
const maxUnshared = 1 << 10

// allSessions returns the sessions by channel, so that what they send one after the other comes in
// the same order each time.
func (n *roster) allSessions() []*session {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.SortedFunc(maps.Values(n.sessions), func(a, b *session) int { return a.id.Cmp(b.id) })
}

func newRoster() *roster {
	return &roster{
		sessions: map[common.Hash]*session{}, shares: map[common.Address][]*session{},
		proved: map[common.Address]common.Hash{}, unshared: map[common.Address]common.Hash{},
	}
}

// live returns the session of a channel, nil if there is none.
func (n *roster) live(id common.Hash) *session {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sessions[id]
}

// appointed reports whether a player of an open channel has proved that it made an appointment.
func (n *roster) appointed(account common.Address, digest common.Hash) bool {
	n.mu.Lock()
	known := n.proved[account] == digest || n.unshared[account] == digest
	n.mu.Unlock()
	return known && n.friend(account)
}

// prove remembers an appointment that is good, and reports whether that is news to be stored: there
// is a channel with the player.
func (n *roster) prove(account common.Address, digest common.Hash) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.shares[account]) == 0 {
		for other := range n.unshared {
			if len(n.unshared) < maxUnshared {
				break
			}
			delete(n.unshared, other)
		}
		n.unshared[account] = digest
		return false
	}
	if n.proved[account] == digest {
		return false
	}
	delete(n.unshared, account)
	n.proved[account] = digest
	return true
}

// provedBefore returns what an account proved when there was no channel with it yet.
func (n *roster) provedBefore(account common.Address) (digest common.Hash, met bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	digest, met = n.unshared[account]
	return digest, met
}

// A friend is an account with which there is a channel that the chain has shown. All others are
// strangers: an account that only offers to open a channel can stop at no cost.

// enrol adds a session to those that are found by channel and by player.
func (n *roster) enrol(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sessions[s.id] = s
	for _, player := range s.others() {
		n.shares[player] = append(n.shares[player], s)
	}
}

// dismiss undoes enrol.
func (n *roster) dismiss(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.sessions, s.id)
	for _, player := range s.others() {
		n.shares[player] = slices.DeleteFunc(n.shares[player], func(x *session) bool { return x == s })
		if len(n.shares[player]) == 0 {
			delete(n.shares, player)
			delete(n.proved, player)
		}
	}
}

// friend reports whether there is an open channel with an account.
func (n *roster) friend(account common.Address) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.shares[account], func(s *session) bool { return s.opened.Load() })
}

// friends returns the open channels that there are with each friend.
func (n *roster) friends() map[common.Address][]*session {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := map[common.Address][]*session{}
	for account, shares := range n.shares {
		for _, s := range shares {
			if s.opened.Load() {
				list[account] = append(list[account], s)
			}
		}
	}
	return list
}

// others are the other players of a channel.
func (s *member) others() []common.Address {
	return slices.DeleteFunc(slices.Clone(s.terms.Players), func(a common.Address) bool { return a == s.terms.Players[s.seat] })
}

// watched notes whether the chain shows the channel's opening. Only then does the node keep
// connections to the other players: a signature alone proves nothing about them. The caller holds
// one of the session's locks.
func (s *session) watched() {
	seen := s.watcher.View().Status() != disputes.Unopened
	if had := s.opened.Swap(seen); seen && !had {
		s.node.keepSeats(s.others())
		for _, player := range s.others() {
			if digest, met := s.node.provedBefore(player); met {
				s.node.keepProved(player, digest)
			}
		}
	}
}
