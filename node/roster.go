package node

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/driver"
	"github.com/ethereum/go-ethereum/common"
)

// roster finds the sessions by channel and by player.
type roster struct {
	mu       sync.Mutex
	sessions map[common.Hash]*session      // by channel id
	shares   map[common.Address][]*session // by another player
	past     []common.Address              // see retire

	appointments *driver.Appointments // kept of those players
}

// allSessions returns the sessions by channel, so that what they send one after the other comes in
// the same order each time.
func (n *roster) allSessions() []*session {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.SortedFunc(maps.Values(n.sessions), func(a, b *session) int { return a.id.Cmp(b.id) })
}

// locked yields the sessions by channel, each with its lock held.
func (n *roster) locked() iter.Seq[*session] {
	return func(yield func(*session) bool) {
		for _, s := range n.allSessions() {
			s.mu.Lock()
			more := yield(s)
			s.mu.Unlock()
			if !more {
				return
			}
		}
	}
}

func newRoster(a *driver.Appointments) *roster {
	return &roster{sessions: map[common.Hash]*session{}, shares: map[common.Address][]*session{}, appointments: a}
}

// live returns the session of a channel, nil if there is none.
func (n *roster) live(id common.Hash) *session {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sessions[id]
}

// partner reports whether there is a channel with an account, open or not.
func (n *roster) partner(account common.Address) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.shares[account]) > 0
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
			n.appointments.Forget(player)
		}
	}
}

// keptPast is how many players are kept whose channels are all over. With more, accounts that open
// channels and close them would take the places of those with whom there is one.
const keptPast = 32

// retire notes that a channel with players is over. Of those with whom there is no other the latest
// stay kept; it returns who has to make room for them.
func (n *roster) retire(players []common.Address) (gone []common.Address) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.past = slices.DeleteFunc(n.past, func(p common.Address) bool { return slices.Contains(players, p) })
	n.past = append(n.past, players...)
	// who has another channel stays on the list: that may be forgotten before it is open
	idle := slices.DeleteFunc(slices.Clone(n.past), func(p common.Address) bool { return len(n.shares[p]) > 0 })
	gone = idle[:max(0, len(idle)-keptPast)]
	n.past = slices.DeleteFunc(n.past, func(p common.Address) bool { return slices.Contains(gone, p) })
	return gone
}

// retired reports whether an account is among the latest with whom a channel is over.
func (n *roster) retired(account common.Address) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Contains(n.past, account)
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
func (s *defence) watched() {
	seen := s.watcher.View().Status() != disputes.Unopened
	if had := s.opened.Swap(seen); seen && !had {
		s.node.keepSeats(s.others())
		for _, player := range s.others() {
			s.node.appointments.Keep(player)
		}
	}
}
