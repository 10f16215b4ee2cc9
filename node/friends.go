package node

import (
	"slices"

	"github.com/ante-games/ante/disputes"
	"github.com/ethereum/go-ethereum/common"
)

// A friend is an account with whom there is a channel that the chain has shown. All others are strangers: whoever is about to open
// a channel can stop doing so at no cost.

// enrol adds a session to those that are found by channel and by player.
func (n *Node) enrol(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sessions[s.id] = s
	for _, player := range s.others() {
		n.shares[player] = append(n.shares[player], s)
	}
}

// dismiss undoes enrol.
func (n *Node) dismiss(s *session) {
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
func (n *Node) friend(account common.Address) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.shares[account], func(s *session) bool { return s.opened.Load() })
}

// others are the other players of a channel.
func (s *session) others() []common.Address {
	return slices.DeleteFunc(slices.Clone(s.terms.Players), func(a common.Address) bool { return a == s.terms.Players[s.seat] })
}

// watched notes whether the chain shows the channel's opening. Only then are the other players kept connected: who merely signed
// could be anybody. The caller holds one of the session's locks.
func (s *session) watched() {
	seen := s.watcher.View().Status() != disputes.Unopened
	if had := s.opened.Swap(seen); seen && !had {
		s.node.keepSeats(&s.terms)
	}
}
