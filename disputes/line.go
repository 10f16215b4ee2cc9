package disputes

import (
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
)

// line is a support that the Arena would take, with the states that its moves lead through.
type line struct {
	channel.Replayed // where it ends
	support          *channel.Support
	states           [][]byte // states[i] is the rule state after i moves
	makers           []uint8  // makers[i] made the move that led to states[i]; Nobody made the base
	based            bool     // it starts at the recorded position, so that it needs no signature of the base
}

// replay judges a support over a record (nil: nothing is recorded) at a clock time. The error says why the Arena would
// refuse it.
func replay(j *channel.Judge, s *channel.Support, record *channel.Record, now uint64) (*line, error) {
	end, err := j.Replay(s, record, now)
	if err != nil {
		return nil, err
	}
	l, err := follow(j, s, record, now)
	if err != nil {
		return nil, err
	}
	l.Replayed = end
	return l, nil
}

// follow follows the moves of a support that was judged before, by this seat or by the Arena.
func follow(j *channel.Judge, s *channel.Support, record *channel.Record, now uint64) (*line, error) {
	l := &line{support: s, states: [][]byte{s.Base}, makers: []uint8{games.Nobody}}
	signed, block := l.signers(0), uint64(0)
	if l.based = isRecorded(record, s.Turn, s.Base); l.based {
		base, err := j.Replay(&channel.Support{Turn: s.Turn, Base: s.Base}, record, now)
		if err != nil {
			return nil, err
		}
		signed, block = signed|base.Signed, record.Block
	}
	for i, move := range s.Moves {
		mover, err := j.Mover(l.states[i])
		if err != nil {
			return nil, err
		}
		next, err := j.Play(l.states[i], move, signed, block)
		if err != nil {
			return nil, err
		}
		l.states, l.makers = append(l.states, next), append(l.makers, mover)
		signed, block = l.signers(i+1), 0
	}
	return l, nil
}

// isRecorded reports whether a position is the one that the Arena has, and so a base by itself.
func isRecorded(r *channel.Record, turn channel.Turn, state []byte) bool {
	return r != nil && r.Status > channel.MatchUnsigned && r.Turn == channel.MarkOf(turn) && r.State == channel.StateHash(state)
}

// signers returns the bit mask of the seats whose signature of the state after i moves is in the support.
func (l *line) signers(i int) (mask uint16) {
	for _, sig := range l.support.Signatures {
		if int(sig.At) == i {
			mask |= 1 << sig.Seat
		}
	}
	return mask
}

// sufficient reports whether the support shows that the match began: that it is no turn 0 in want of signatures.
func (l *line) sufficient() bool { return l.based || l.Rank().Agreed > 0 }

// shortest returns the support with the least calldata that shows the same position at the same rank: the base moves up
// as far as it can, of each seat only the signatures stay that count, and none of a recorded base, which needs none.
// Rules may look at who signed a state, so what is left is judged again, and must lead to the same end.
func (l *line) shortest(j *channel.Judge, record *channel.Record, now uint64) *channel.Support {
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

// cut drops the first moves of a support, and every signature that is neither the mover's of a remaining move nor the
// highest of its seat, nor, if told, of the new base.
func (l *line) cut(moves int, keepBase bool) *channel.Support {
	highest := make(map[uint8]uint16)
	for _, sig := range l.support.Signatures {
		highest[sig.Seat] = max(highest[sig.Seat], sig.At)
	}
	s := &channel.Support{Turn: l.support.Turn + channel.Turn(moves), Base: l.states[moves], Moves: l.support.Moves[moves:]}
	for _, sig := range l.support.Signatures {
		made := int(sig.At) > moves && l.makers[sig.At] == sig.Seat
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
		if int(sig.At) < len(l.states) {
			list = append(list, Signed{
				Turn:      l.support.Turn + channel.Turn(sig.At),
				State:     channel.StateHash(l.states[sig.At]),
				Seat:      sig.Seat,
				Signature: sig.Signature,
			})
		}
	}
	return list
}
