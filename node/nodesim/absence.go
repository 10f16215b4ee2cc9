package nodesim

import (
	"context"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// absence is a time for which a seat's node is off, so that its tower alone can act. A tower answers with what was signed. It can't move.
type absence struct {
	from, until uint64                       // blocks; until is 0 before the node is back
	knew        map[common.Hash]channel.Turn // the newest turn of each match
	locked      map[common.Hash]bool         // the matches that its newest ledger locked
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
		s.away = &absence{from: s.world.head(), knew: map[common.Hash]channel.Turn{}, locked: s.locked()}
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

// locked returns the matches that the seat's newest ledgers lock.
func (s *seat) locked() map[common.Hash]bool {
	list := map[common.Hash]bool{}
	if n := s.running(); n != nil {
		for _, c := range n.Channels() {
			for i := range c.Ledger.Locks {
				list[c.Ledger.Locks[i].MatchID] = true
			}
		}
	}
	return list
}

// harmless reports whether nothing hinges on a clock that was started while the seat was away: the match was booked before.
func (s *seat) harmless(id common.Hash, r *channel.Record) bool {
	return s.away != nil && r.Clock > s.away.from && !s.away.locked[id]
}

// helpless reports whether the seat could do nothing against a clock of its own: it was started while the node was off, the node wasn't
// back in time, and only a move would have answered, since what is recorded is as new as what the node knew.
func (s *seat) helpless(id common.Hash, r *channel.Record) bool {
	a := s.away
	switch {
	case a == nil || r.Clock <= a.from || r.Turn.Turn() < a.knew[id]:
		return false
	case a.until == 0:
		return true
	}
	return r.Clock <= a.until && r.Deadline <= a.until+mostIll+2
}
