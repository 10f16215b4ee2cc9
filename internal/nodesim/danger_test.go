package nodesim

import (
	"slices"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// notice is how many blocks a node has to say that money is in danger.
const notice = 4

// watch checks that an alarm stands where the money of an honest seat has been in danger for some
// blocks.
func (s *seat) watch(n *node.Node) {
	open := slices.ContainsFunc(n.Channels(), func(c node.Channel) bool { return c.Status != node.ChannelEnded && c.Seen })
	if !s.honest || !open {
		clear(s.dangers)
		return
	}
	now, silent := s.world.head(), len(n.Standing()) == 0
	for what, is := range map[string]bool{
		"its endpoint doesn't answer": s.port.is(illDown) && s.second == nil,
		"it can't pay for gas":        s.world.broke(s.account()),
	} {
		since, before := s.dangers[what]
		switch {
		case !is:
			delete(s.dangers, what)
		case !before:
			s.dangers[what] = now
		case silent && now-since >= notice:
			s.lose("no alarm stands at seat %d, and for %d blocks %s", s.index, now-since, what)
		}
	}
	if silent && now >= s.since+notice {
		s.late(n, now+1)
	}
}

// late checks, where no alarm stands, that nothing is too late for an answer in the next block that
// a node should have answered.
func (s *seat) late(n *node.Node, next uint64) {
	for _, c := range n.Channels() {
		if l, end := s.world.contested(c.ID); end == next && l.Version < c.Ledger.Version && s.worth(l, c.Seat).Lt(s.worth(&c.Ledger.Ledger, c.Seat)) {
			s.lose("no alarm stands at seat %d, and in the next block ledger %d counts instead of %d", s.index, l.Version, c.Ledger.Version)
		}
		for _, l := range c.Ledger.Locks {
			m := s.claims[l.MatchID]
			list := s.world.recorded(l.MatchID)
			if m == nil || len(list) == 0 {
				continue
			}
			if r := list[len(list)-1].Record; r.Status == protocol.MatchLive && r.Mover == m.seat && r.Deadline == next {
				s.lose("no alarm stands at seat %d, and in the next block its time runs out at turn %s of match %x", s.index, r.Turn.Turn(), l.MatchID[:4])
			}
		}
	}
}

// worth returns what a ledger gives a seat, its stakes included.
func (s *seat) worth(l *protocol.Ledger, seat int) *uint256.Int {
	sum := l.Balances[seat]
	for i := range l.Locks {
		if c := s.claims[l.Locks[i].MatchID]; c != nil {
			sum.Add(&sum, &l.Locks[i].Stakes[c.seat])
		}
	}
	return &sum
}

// contested returns the ledger with which a channel is contested, and when it can be settled.
func (w *world) contested(id common.Hash) (l *protocol.Ledger, end uint64) {
	for _, e := range w.events() {
		if c, is := e.(onchain.Contested); is && c.ChannelID == id {
			l, end = &c.Ledger.Ledger, c.Deadline
		}
	}
	return l, end
}

// broke reports whether an account has nothing outside the Arena.
func (w *world) broke(account common.Address) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wallet(account).IsZero()
}
