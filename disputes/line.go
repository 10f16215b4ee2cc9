package disputes

import (
	"github.com/ante-games/ante/protocol"
)

// line is a support that the Arena would accept, and where it leads.
type line struct {
	protocol.Replayed
	support *protocol.Support
}

// replay judges a support over a record (nil: nothing is recorded) at a clock time. One that starts
// at a position that was recorded before, and leads over the one that is now, goes on from there.
// The error says why the Arena would refuse it.
func replay(j *protocol.Judge, s *protocol.Support, record *protocol.Record, now uint64) (*line, error) {
	end, err := j.Replay(s, record, now)
	l := &line{Replayed: end, support: s}
	if err == nil {
		return l, nil
	}
	if len(end.Movers) <= len(s.Moves) {
		return nil, err // not all of it could be played
	}
	if l = l.rest(j, record, now); l != nil {
		return l, nil
	}
	return nil, err
}

// rest returns what goes on from the recorded position, nil if that doesn't lie on the line. What
// is recorded may be signed by more than the line shows: an opponent signs what it never signed to
// its peer, and posts it. Then the Arena takes the rest, and not the whole.
func (l *line) rest(j *protocol.Judge, record *protocol.Record, now uint64) *line {
	for at, state := range l.States {
		if !record.Holds(l.support.Turn+protocol.Turn(at), protocol.StateHash(state)) {
			continue
		}
		s := l.cut(at, false)
		if end, err := j.Replay(s, record, now); err == nil {
			return &line{Replayed: end, support: s}
		}
	}
	return nil
}

// sufficient reports whether the support shows that the match began: it is not an unsigned turn 0.
func (l *line) sufficient() bool { return l.Rank().Agreed > 0 }

// shortest returns the support with the least calldata that shows the same position at the same
// rank: the base moves up as far as it can, of each seat only the signatures stay that count, and
// none of a recorded base, which needs none. Rules may look at who signed a state, so what is left
// is judged again, and must lead to the same end.
func (l *line) shortest(j *protocol.Judge, record *protocol.Record, now uint64) *protocol.Support {
	for moves := len(l.support.Moves); moves >= 0; moves-- {
		for _, keepBase := range []bool{false, true} {
			s := l.cut(moves, keepBase)
			end, err := j.Replay(s, record, now)
			if err == nil && end.Hash == l.Hash && end.Rank() == l.Rank() {
				return s
			}
		}
	}
	return l.support
}

// cut drops the first moves of a support, and every signature that is neither the mover's of a
// remaining move nor the highest of its seat, nor, if told, of the new base.
func (l *line) cut(moves int, keepBase bool) *protocol.Support {
	highest := make(map[uint8]uint16)
	for _, sig := range l.support.Signatures {
		highest[sig.Seat] = max(highest[sig.Seat], sig.At)
	}
	s := &protocol.Support{Turn: l.support.Turn + protocol.Turn(moves), Base: l.States[moves], Moves: l.support.Moves[moves:]}
	for _, sig := range l.support.Signatures {
		made := int(sig.At) > moves && l.Movers[sig.At-1] == sig.Seat
		top := sig.At == highest[sig.Seat] && (int(sig.At) > moves || int(sig.At) == moves && keepBase)
		if made || top {
			sig.At -= uint16(moves)
			s.Signatures = append(s.Signatures, sig)
		}
	}
	return s
}

// signed lists every signature in the support with the position it signs.
func (l *line) signed() []Signed {
	list := make([]Signed, 0, len(l.support.Signatures))
	for _, sig := range l.support.Signatures {
		list = append(list, Signed{
			Turn:      l.support.Turn + protocol.Turn(sig.At),
			State:     protocol.StateHash(l.States[sig.At]),
			Seat:      sig.Seat,
			Signature: sig.Signature,
		})
	}
	return list
}
