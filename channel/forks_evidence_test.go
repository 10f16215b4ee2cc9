package channel_test

import (
	"cmp"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
)

// evidence is what dishonest seats can show of a match: what a copy had or the honest seat has, cut
// short, led on by their moves, with more of their signatures or fewer.
func (f *forks) evidence(v *channel.MatchView) *protocol.Support {
	list := append(slices.Clone(f.supports[v.ID][max(0, len(f.supports[v.ID])-1-f.IntN(60)):]), *v.Support)
	from := &list[f.IntN(len(list))]
	s := &protocol.Support{Turn: from.Turn, Base: from.Base, Moves: slices.Clone(from.Moves), Signatures: slices.Clone(from.Signatures)}
	if f.IntN(3) == 0 {
		s.Moves = s.Moves[:f.IntN(len(s.Moves)+1)]
		s.Signatures = slices.DeleteFunc(s.Signatures, func(x protocol.SeatSignature) bool { return int(x.At) > len(s.Moves) })
	}
	states := f.way(v, s)
	for f.IntN(3) == 0 {
		if states = f.leadOn(v, s, states); states == nil {
			return s
		}
	}
	switch f.IntN(4) {
	case 0:
		for at, state := range states {
			for seat := range v.Terms.Seats {
				if f.IntN(2) == 0 {
					f.signs(v, s, at, uint8(seat), state)
				}
			}
		}
		slices.SortStableFunc(s.Signatures, func(a, b protocol.SeatSignature) int { return cmp.Compare(a.At, b.At) })
	case 1:
		s.Signatures = slices.DeleteFunc(s.Signatures, func(protocol.SeatSignature) bool { return f.IntN(4) == 0 })
	}
	return s
}

// way is the states that a support leads through.
func (f *forks) way(v *channel.MatchView, s *protocol.Support) [][]byte {
	states := [][]byte{s.Base}
	for _, move := range s.Moves {
		next, err := f.me().Judge(v.ID).Play(states[len(states)-1], move, 0, 0)
		if err != nil {
			f.t.Fatal(err)
		}
		states = append(states, next)
	}
	return states
}

// leadOn adds a move of a dishonest seat or of the chain, and returns the states with it; nil where
// neither moves.
func (f *forks) leadOn(v *channel.MatchView, s *protocol.Support, states [][]byte) [][]byte {
	j, last := f.me().Judge(v.ID), states[len(states)-1]
	mover, err := j.Mover(last)
	if err != nil || mover == games.Nobody || int(mover) == v.Seat {
		return nil
	}
	move := f.move(last, mover, len(v.Terms.Seats))
	next, err := j.Play(last, move, 0, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	s.Moves = append(s.Moves, move)
	f.audit.position(v.ID, s.Last(), next)
	if mover != games.Chance {
		f.signs(v, s, len(s.Moves), mover, next)
	}
	return append(states, next)
}

// signs adds the signature of a position by a seat of the match, unless it is the honest one.
func (f *forks) signs(v *channel.MatchView, s *protocol.Support, at int, seat uint8, state []byte) {
	if int(seat) != v.Seat {
		sig := f.signPosition(int(v.Terms.Seats[seat]), v.ID, s.Turn+protocol.Turn(at), state)
		s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(at), Seat: seat, Signature: sig})
	}
}
