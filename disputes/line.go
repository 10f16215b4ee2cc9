package disputes

import (
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// line is a support that the Arena would accept, and where it leads.
type line struct {
	protocol.Replayed // without States, which would take most of the memory
	support           *protocol.Support
	hashes            []common.Hash     // of the base and the state after each move
	short             *protocol.Support // see shortest; nil: not worked out yet
}

// lead is where a support leads over a record.
type lead struct {
	support *protocol.Support
	record  *protocol.Record // nil: nothing is recorded
	rank    protocol.Rank    // of the record: it changes when the record has stood for a window

	lines  []*line // all of it, if the Arena would accept that, and what goes on from the record
	err    error   // why the Arena would refuse it; there are no lines then
	played bool    // all moves were played, so that it leads there for ever
}

// follow judges a support over a record (nil: nothing is recorded) at a clock time. One that starts
// at a position that was recorded before, and leads over the one that is now, goes on from there.
func follow(j *protocol.Judge, s *protocol.Support, record *protocol.Record, now uint64) *lead {
	end, err := j.Replay(s, record, now)
	if len(end.Movers) <= len(s.Moves) {
		return &lead{err: err}
	}
	l := &lead{err: err, played: err == nil || len(s.Moves) > 0}
	if err == nil {
		l.lines = append(l.lines, newLine(end, s))
	}
	if err != nil || end.Extends && !end.OnRecord {
		l.rest(j, newLine(end, s), end.States, record, now)
	}
	return l
}

func newLine(end protocol.Replayed, s *protocol.Support) *line {
	l := &line{Replayed: end, support: s}
	for _, state := range end.States {
		l.hashes = append(l.hashes, protocol.StateHash(state))
	}
	l.States = nil
	return l
}

// rest adds what goes on from the recorded position, if that lies on the line. What is recorded may
// be signed by more than the line shows: an opponent signs what it never signed to its peer, and
// posts it. Then the Arena takes the rest, and not the whole.
func (l *lead) rest(j *protocol.Judge, on *line, states [][]byte, record *protocol.Record, now uint64) {
	for at, hash := range on.hashes {
		if !record.Holds(on.support.Turn+protocol.Turn(at), hash) {
			continue
		}
		s := on.cut(at, states[at], false)
		end, err := j.Replay(s, record, now)
		if err == nil {
			l.lines, l.err = append(l.lines, newLine(end, s)), nil
		}
		l.played = l.played && len(end.Movers) > len(s.Moves)
	}
}

// sufficient reports whether the support shows that the match began: it is not an unsigned turn 0.
func (l *line) sufficient() bool { return l.Rank().Agreed > 0 }

// shortest returns the support with the least calldata that shows the same position at the same
// rank: the base moves up as far as it can, of each seat only the signatures stay that count, and
// none of a recorded base, which needs none. Rules may look at who signed a state, so what is left
// is judged again, and must lead to the same end.
func (l *line) shortest(j *protocol.Judge, record *protocol.Record, now uint64) *protocol.Support {
	if l.short == nil {
		l.short = l.shorten(j, record, now)
	}
	return l.short
}

func (l *line) shorten(j *protocol.Judge, record *protocol.Record, now uint64) *protocol.Support {
	whole, err := j.Replay(l.support, record, now)
	if err != nil {
		return l.support
	}
	for moves := len(l.support.Moves); moves >= 0; moves-- {
		for _, keepBase := range []bool{false, true} {
			s := l.cut(moves, whole.States[moves], keepBase)
			if !record.Holds(s.Turn, l.hashes[moves]) && s.Agreed(j.Seats()) != l.Rank().Agreed {
				continue
			}
			end, err := j.Replay(s, record, now)
			if err == nil && end.Hash == l.Hash && end.Rank() == l.Rank() {
				return s
			}
		}
	}
	return l.support
}

// cut drops the first moves of a support, which lead to a base, and every signature that is neither
// the mover's of a remaining move nor the highest of its seat, nor, if told, of the new base.
func (l *line) cut(moves int, base []byte, keepBase bool) *protocol.Support {
	highest := make(map[uint8]uint16)
	for _, sig := range l.support.Signatures {
		highest[sig.Seat] = max(highest[sig.Seat], sig.At)
	}
	s := &protocol.Support{Turn: l.support.Turn + protocol.Turn(moves), Base: base, Moves: l.support.Moves[moves:]}
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
			State:     l.hashes[sig.At],
			Seat:      sig.Seat,
			Signature: sig.Signature,
		})
	}
	return list
}
