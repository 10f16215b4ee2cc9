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
	from := v.Support
	if had := f.supports[v.ID]; len(had) > 0 && f.IntN(2) == 0 {
		from = &had[f.late(len(had))]
	}
	s := &protocol.Support{Turn: from.Turn, Base: from.Base, Moves: slices.Clone(from.Moves), Signatures: slices.Clone(from.Signatures)}
	if f.IntN(3) == 0 {
		s.Moves = s.Moves[:f.IntN(len(s.Moves)+1)]
		s.Signatures = slices.DeleteFunc(s.Signatures, func(x protocol.SeatSignature) bool { return int(x.At) > len(s.Moves) })
	}
	for f.IntN(3) > 0 && f.leadsOn(v, s) {
	}
	switch f.IntN(4) {
	case 0, 1:
		for at, state := range f.way(v, s) {
			for seat := range v.Terms.Seats {
				if f.IntN(4) > 0 {
					f.signs(v, s, at, uint8(seat), state)
				}
			}
		}
		slices.SortStableFunc(s.Signatures, func(a, b protocol.SeatSignature) int { return cmp.Compare(a.At, b.At) })
	case 2:
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

// leadsOn adds a move of a dishonest seat or of the chain, where one of them is on move.
func (f *forks) leadsOn(v *channel.MatchView, s *protocol.Support) bool {
	way := f.way(v, s)
	last := way[len(way)-1]
	mover, err := f.me().Judge(v.ID).Mover(last)
	if err != nil || mover == games.Nobody || int(mover) == v.Seat {
		return false
	}
	s.Moves = append(s.Moves, f.move(last, mover, len(v.Terms.Seats)))
	state := f.way(v, s)[len(way)]
	f.audit.position(v.ID, s.Last(), state)
	if mover != games.Chance {
		f.signs(v, s, len(s.Moves), mover, state)
	}
	return true
}

// signs adds the signature of a position by a seat of the match, unless it is the honest one.
func (f *forks) signs(v *channel.MatchView, s *protocol.Support, at int, seat uint8, state []byte) {
	if int(seat) != v.Seat {
		sig := f.signPosition(int(v.Terms.Seats[seat]), v.ID, s.Turn+protocol.Turn(at), state)
		s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(at), Seat: seat, Signature: sig})
	}
}
