package nodesim

import (
	"context"
	"math/rand/v2"
	"strings"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
)

// olderCopy has a seat play on from an older copy of its store.
func olderCopy(ctx context.Context, s *seat, r *rand.Rand) {
	from := r.Uint64N(soon)
	var knew map[common.Hash]claim
	var said words
	s.at(from, func() { s.kept, knew, said = copyOf(s.store), s.knows(), s.recalls() })
	s.at(from+1+r.Uint64N(10), func() {
		s.note("seat %d plays on from an older copy of its store", s.index)
		before := s.newest()
		s.look()
		if n := s.running(); n != nil {
			s.finish(n)
		}
		s.stop()
		s.store, s.said = s.kept, said
		s.forget(knew)
		s.back(ctx)
		for id, version := range s.newest() {
			s.forgot = s.forgot || version < before[id]
		}
	})
}

// knows returns what the seat's node knows of its matches.
func (s *seat) knows() map[common.Hash]claim {
	s.look()
	list := map[common.Hash]claim{}
	for id, c := range s.claims {
		list[id] = *c
	}
	return list
}

// forget takes the seat's claims back to what its node knew before. What nobody tells it again is
// lost with its store, and what it had lost stays lost.
func (s *seat) forget(knew map[common.Hash]claim) {
	for id, c := range s.claims {
		old, is := knew[id]
		if !is {
			old = claim{in: c.in, terms: c.terms, game: c.game, seat: c.seat}
		}
		forgotten := *c
		old.locked, old.forgotten = c.locked, &forgotten
		*c = old
	}
}

// newest returns the newest ledgers of the seat's open channels.
func (s *seat) newest() map[common.Hash]uint64 {
	list := map[common.Hash]uint64{}
	if n := s.running(); n != nil {
		for _, c := range n.Channels() {
			if c.Status == node.ChannelOpen {
				list[c.ID] = c.Ledger.Version
			}
		}
	}
	return list
}

// remembers checks that a node that has forgotten a ledger said so, unless a peer cheats and told
// it nothing.
func (s *seat) remembers() {
	for text := range s.alarms {
		if strings.Contains(text, "nothing is signed") {
			return
		}
	}
	if s.forgot && !s.cheating() {
		s.lose("seat %d plays on from an old copy of its store, and says nothing of it", s.index)
	}
}
