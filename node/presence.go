package node

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// awayAfter is how long a player is disconnected before the user is told: a quick reconnection is
// no news.
const awayAfter = 5 * time.Second

// presence is who is connected, and since when the players of open channels are not.
type presence struct {
	mu   sync.Mutex
	here map[common.Address]bool
	left map[common.Address]time.Time
	told map[common.Address]bool // as away
}

func newPresence() *presence {
	return &presence{here: map[common.Address]bool{}, left: map[common.Address]time.Time{}, told: map[common.Address]bool{}}
}

func (p *presence) connected(account common.Address) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.here[account] = true
	delete(p.left, account)
}

// disconnected notes when an account went. Of strangers nothing is remembered.
func (p *presence) disconnected(account common.Address, now time.Time, friend bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.here, account)
	if friend {
		p.left[account] = now
	}
}

// since returns since when an account is away, zero if it is not or nobody saw it go.
func (p *presence) since(account common.Address) (left time.Time, here bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left[account], p.here[account]
}

// turned notes that the user is told whether an account is away, and reports whether that is news.
func (p *presence) turned(account common.Address, away bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.told[account] == away {
		return false
	}
	if away {
		p.told[account] = true
	} else {
		delete(p.told, account)
	}
	return true
}

// keep forgets all who are not friends any more.
func (p *presence) keep(friends map[common.Address][]*session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gone := func(account common.Address) bool { return friends[account] == nil }
	maps.DeleteFunc(p.told, func(account common.Address, _ bool) bool { return gone(account) })
	maps.DeleteFunc(p.left, func(account common.Address, _ time.Time) bool { return gone(account) })
}

// Away reports whether an account is away and since when, as far as this node has seen since its
// start.
func (n *channels) Away(account common.Address) (since time.Time, away bool) {
	left, here := n.presence.since(account)
	if here || account == n.Account() {
		return time.Time{}, false
	}
	if left.IsZero() {
		return n.began, true
	}
	return left, true
}

// tellPresence tells the user which of the players of open channels went away and came back, in
// every match that runs with them.
func (n *channels) tellPresence() {
	friends := n.friends()
	n.presence.keep(friends)
	for _, account := range slices.SortedFunc(maps.Keys(friends), common.Address.Cmp) {
		since, away := n.Away(account)
		if away && n.config.Now().Sub(since) < awayAfter || !n.presence.turned(account, away) {
			continue
		}
		for _, s := range friends[account] {
			s.tellAway(account, away)
		}
	}
}

// tellAway tells the user that another player of the channel went away, or came back.
func (s *channelState) tellAway(account common.Address, away bool) {
	kind, text := PeerBack, "%s is back"
	if away {
		kind, text = PeerAway, "%s is away: nothing is lost, and the chain's clock decides if that lasts"
	}
	seat := slices.Index(s.terms.Players, account)
	e := Event{Kind: kind, Channel: s.id, Text: fmt.Sprintf(text, s.name(seat))}
	s.mu.Lock()
	matches := s.machine.Matches()
	s.mu.Unlock()
	told := false
	for _, m := range matches {
		if m.Seat < 0 || !m.Locked || !slices.Contains(m.Terms.Seats, uint8(seat)) { //nolint:gosec // at most games.MaxSeats
			continue
		}
		e.Match, e.Turn, told = m.ID, uint64(m.Turn), true
		s.node.tell(e)
	}
	if !told {
		s.node.tell(e)
	}
}
