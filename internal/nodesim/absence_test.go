package nodesim

import (
	"context"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// absence is a time for which a seat's node is off, so that its tower alone can act. A tower
// answers with what was signed. It can't move.
type absence struct {
	// the newest block that the node had followed, and the head when it was back; until is 0 before
	from, until uint64
	knew        map[common.Hash]protocol.Turn // the newest turn of each match
}

// leaves turns the seat's node off from a block on, or as soon after it as its tower holds all.
func (s *seat) leaves(ctx context.Context, at, blocks uint64) {
	s.at(at, func() {
		if n := s.running(); n != nil {
			for _, t := range n.Towers() {
				for _, c := range t.Channels {
					if c.Behind || c.Refused != "" {
						s.leaves(ctx, at+1, blocks)
						return
					}
				}
			}
		}
		s.note("seat %d goes away, and has a tower", s.index)
		s.look()
		s.away = &absence{from: s.followed(), knew: map[common.Hash]protocol.Turn{}}
		s.stop()
		for id, c := range s.claims {
			s.away.knew[id] = c.turn
		}
		s.at(at+blocks, func() {
			s.away.until = s.world.head()
			s.back(ctx)
		})
	})
}

// followed returns the newest block that the seat's node has looked at.
func (s *seat) followed() uint64 {
	if n := s.running(); n != nil {
		return n.Head().Block
	}
	return s.world.head()
}

// harmless reports whether nothing hinges on a match: what its channel paid out doesn't lock it.
func (s *seat) harmless(id common.Hash, in common.Hash) bool {
	over := false
	for _, e := range s.world.events() {
		switch e := e.(type) {
		case onchain.LockPaid:
			if e.MatchID == id {
				return false
			}
		case onchain.Closed:
			over = over || e.ChannelID == in
		case onchain.Settled:
			over = over || e.ChannelID == in
		}
	}
	return over
}

// helpless reports whether the seat could do nothing against a clock of its own: it was started
// while the node was off, the node wasn't back in time, and only a move would have answered, since
// what is recorded is as new as what the node knew.
func (s *seat) helpless(id common.Hash, r *protocol.Record) bool {
	a := s.away
	switch {
	case a == nil || r.Clock <= a.from || r.Turn.Turn() < a.knew[id]:
		return false
	case a.until == 0:
		return true
	}
	return r.Clock <= a.until && r.Deadline <= a.until+mostIll+2
}
