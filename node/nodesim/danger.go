package nodesim

import (
	"slices"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
)

// notice is how many blocks a node has to say that money is in danger.
const notice = 4

// watch checks that an alarm stands where the money of an honest seat has been in danger for some blocks.
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
}

// broke reports whether an account has nothing outside the Arena.
func (w *world) broke(account common.Address) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.purse(account).IsZero()
}
