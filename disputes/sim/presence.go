package sim

import (
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/transport/memory"
	"github.com/holiman/uint256"
)

// presence is when a seat is there.
type presence struct {
	node    *memory.Node           // nil while it is away
	leaves  uint64                 // the block from which on it is away; 0: none
	returns uint64                 // the block from which on it is back
	wants   []channel.ProposeMatch // that it has still to propose
}

// away has a seat go away for some blocks.
func (s *seat) away(from, blocks uint64) { s.leaves, s.returns = from, from+blocks }

// present reports whether the seat is there in the block at hand, and has it come or go.
func (s *seat) present() bool {
	at := s.chain.Block()
	if s.leaves == 0 || at < s.leaves || at >= s.returns {
		if s.node == nil {
			s.note("seat %d is back", s.index)
			s.comes()
		}
		if at >= s.returns {
			s.leaves, s.returns = 0, 0
		}
		return true
	}
	if s.node != nil {
		s.note("seat %d goes away until block %d", s.index, s.returns-s.began)
		_ = s.node.Close() // once
		s.node = nil
	}
	return false
}

// comes has the seat join the network, and meet everybody.
func (s *seat) comes() {
	s.node, s.fresh = s.net.Join(s.player.Address(), s), true
	for _, other := range s.seats {
		if other != s {
			if err := s.node.Keep(other.player.Address(), "/memory/"+other.player.Address().Hex()); err != nil {
				s.fail("seat %d: %v", s.index, err)
			}
		}
	}
}

// schedule has seats want their matches.
func (h *history) schedule(params []byte, stakes []uint256.Int, matches int) {
	p := channel.ProposeMatch{Rules: h.rules, Params: params, Stakes: stakes}
	for i := range h.seats {
		p.Seats = append(p.Seats, uint8(i))
	}
	for range matches {
		s := h.seats[h.r.IntN(len(h.seats))]
		s.wants = append(s.wants, p)
	}
}

// propose proposes the matches that the seat wants.
func (s *seat) propose() {
	for _, p := range s.wants {
		_ = s.feed(p) // refused when the channel is contested by now: then nobody plays
	}
	s.wants = nil
}
