package contracts_test

import (
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

// model says in plain Go what the Arena must make of a match. It shares nothing with the contract,
// nor with package channel but the data types.
type model struct {
	m       *match
	window  uint64
	rec     *protocol.Record // nil: nothing is recorded
	flagged uint16
}

func (md *model) seats() int { return len(md.m.terms.Seats) }

func (md *model) final(now uint64) bool {
	if md.rec == nil {
		return false
	}
	s := md.rec.Status
	return s >= protocol.MatchFinal || (s == protocol.MatchAgreed || s == protocol.MatchOver) && now >= md.rec.Deadline
}

// copy returns the record to change, empty if there is none.
func (md *model) copy() protocol.Record {
	if md.rec == nil {
		return protocol.Record{Marks: make([]protocol.Mark, md.seats()), Spent: make([]uint64, md.seats())}
	}
	r := *md.rec
	r.Marks, r.Spent = slices.Clone(r.Marks), slices.Clone(r.Spent)
	return r
}

// stood says whether the record counts as signed by all because nobody replaced it for a window.
func (md *model) stood(r *protocol.Record, now uint64) bool {
	return md.seats() > 2 && (r.Status == protocol.MatchLive || r.Status == protocol.MatchAgreed) && now >= r.Since+md.window
}

// charge stops the clock that runs, if one does, at its mover's cost.
func (md *model) charge(r *protocol.Record, now uint64) {
	if r.Status == protocol.MatchLive && r.Deadline != 0 && int(r.Mover) < md.seats() && now > r.Clock {
		r.Spent[r.Mover] += min(now, r.Deadline) - r.Clock
	}
}

// start starts the mover's clock on a position that a seat made (games.Chance: the chain did, or it
// is not known).
func (md *model) start(r *protocol.Record, by uint8, now uint64) {
	begin := now
	if md.seats() > 2 && slices.Min(r.Marks) < r.Turn && (by == games.Chance || by != r.Mover) {
		begin = max(now, r.Since+md.window)
	}
	grant := md.window
	if r.Mover != games.Chance {
		left := 3*md.window - min(3*md.window, r.Spent[r.Mover])
		if md.flagged>>r.Mover&1 == 1 {
			left = 0
		}
		grant = max(md.window/4, min(md.window, left))
	}
	r.Clock, r.Deadline = begin, begin+grant
}

func finished(turn protocol.Mark, state []byte, payouts []uint256.Int) *protocol.Record {
	r := &protocol.Record{Status: protocol.MatchFinal, Mover: games.Nobody, Turn: turn, Payouts: payouts}
	if state != nil {
		r.State = hash(state)
	}
	return r
}

// advance is told the line and the part of it that the support shows, who signed what, and who
// demands (-1: nobody).
func (md *model) advance(line *match, base, last int, marks []signed, demand int, now, block uint64) bool {
	r := md.copy()
	known := md.rec != nil
	first, end := line.line[base], line.line[last]
	if !known && base == 0 && last == 0 && demand >= 0 && len(marks) < md.seats() {
		md.rec = &protocol.Record{
			Status: protocol.MatchUnsigned, Turn: 1, State: hash(first.state), Mover: first.mover, Marks: r.Marks, Spent: r.Spent,
			Since: now, Clock: now, Deadline: now + md.window, Block: block,
		}
		return true
	}
	if r.Status >= protocol.MatchFinal || r.Deadline != 0 && now >= r.Deadline {
		return false
	}
	epoch := uint32(0)
	if r.Turn != 0 {
		epoch = r.Turn.Turn().Epoch()
	}
	stood := md.stood(&r, now)
	agreed := slices.Min(r.Marks)
	if stood {
		agreed = r.Turn
	}
	onRecord := known && r.Status != protocol.MatchUnsigned && r.Turn == protocol.MarkOf(first.turn) && r.State == hash(first.state)
	if !onRecord && first.turn.Epoch() != epoch {
		return false
	}
	high := make([]protocol.Mark, md.seats())
	if onRecord {
		copy(high, r.Marks)
		if stood {
			high = slices.Repeat([]protocol.Mark{r.Turn}, md.seats())
		}
	}
	for _, k := range marks {
		high[k.seat] = max(high[k.seat], protocol.MarkOf(line.line[k.at].turn))
	}
	for i := base + 1; i <= last; i++ {
		by := line.line[i-1].mover
		if by == games.Nobody || by != games.Chance && !slices.Contains(marks, signed{i, by}) {
			return false
		}
	}
	through := onRecord || slices.ContainsFunc(line.line[base+1:last+1], func(p position) bool {
		return r.Turn == protocol.MarkOf(p.turn) && r.State == hash(p.state)
	})
	low, turn := slices.Min(high), protocol.MarkOf(end.turn)
	if !onRecord && low == 0 || low < agreed || low == agreed && (turn <= r.Turn || !through) || turn <= r.AgreedAt {
		return false
	}
	restart := r.Status == protocol.MatchLive && r.Deadline != 0 && end.mover == r.Mover
	md.charge(&r, now)
	closes := now + md.window
	if turn != r.Turn || hash(end.state) != r.State {
		r.Since, r.Block = now, block
	} else if r.Status == protocol.MatchOver {
		closes = r.Deadline
	}
	r.Status, r.Turn, r.State, r.Mover, r.Marks = protocol.MatchLive, turn, hash(end.state), end.mover, high
	r.AgreedAt, r.Clock, r.Deadline, r.Payouts = 0, 0, 0, nil
	if end.mover == games.Nobody {
		out, err := line.rules.Outcome(end.state, md.m.terms.Stakes)
		if err != nil {
			return false
		}
		r.Status, r.Deadline, r.Payouts = protocol.MatchOver, closes, out.Payouts
		if low == turn {
			r = *finished(turn, end.state, out.Payouts)
		}
	} else {
		if demand >= 0 {
			if demand >= md.seats() || uint8(demand) == end.mover {
				return false
			}
			restart = true
		}
		if restart {
			by := games.Chance
			if last > base {
				by = end.by
			}
			md.start(&r, by, now)
		}
	}
	md.rec = &r
	return true
}

func (md *model) demand(seat int, now uint64) bool {
	if md.rec == nil || md.rec.Status != protocol.MatchLive || md.rec.Deadline != 0 || uint8(seat) == md.rec.Mover {
		return false
	}
	r := md.copy()
	md.start(&r, games.Chance, now)
	md.rec = &r
	return true
}

// expire is told the line and where in it the recorded position is.
func (md *model) expire(line *match, at int, now, block uint64) bool {
	r := md.copy()
	if r.Status != protocol.MatchUnsigned && r.Status != protocol.MatchLive || r.Deadline == 0 || now < r.Deadline {
		return false
	}
	state := line.line[at].state
	stakes := md.m.terms.Stakes
	next, err := line.rules.Expire(line.context(0, 0), state)
	if r.Status == protocol.MatchUnsigned || err != nil {
		md.rec = finished(r.Turn, []byte{}, stakes)
		return true
	}
	turn := protocol.MarkOf(r.Turn.Turn().NextEpoch())
	if next[0] == games.Nobody {
		out, err := line.rules.Outcome(next, stakes)
		if err != nil {
			md.rec = finished(r.Turn, []byte{}, stakes)
		} else {
			md.rec = finished(turn, next, out.Payouts)
		}
		return true
	}
	md.charge(&r, now)
	r.Turn, r.State, r.Mover, r.Marks = turn, hash(next), next[0], slices.Repeat([]protocol.Mark{turn}, md.seats())
	r.Since, r.Block, r.Clock, r.Deadline = now, block, 0, 0
	md.rec = &r
	return true
}

func (md *model) agree(turn protocol.Turn, payouts []uint256.Int, now uint64) bool {
	r := md.copy()
	mark := protocol.MarkOf(turn)
	want, got := total(md.m.terms.Stakes), total(payouts)
	if r.Status >= protocol.MatchFinal || r.Deadline != 0 && now >= r.Deadline || mark < r.Turn || mark <= r.AgreedAt || !want.Eq(&got) {
		return false
	}
	md.charge(&r, now)
	if r.Status == protocol.MatchUnsigned {
		r.Turn, r.State, r.Mover, r.Block = 0, [32]byte{}, 0, 0
	}
	r.Status, r.AgreedAt, r.Payouts, r.Clock, r.Deadline = protocol.MatchAgreed, mark, payouts, 0, now+md.window
	md.rec = &r
	return true
}

func (md *model) convict(seat uint8, turn protocol.Turn, now uint64) bool {
	if md.final(now) || md.flagged>>seat&1 == 1 {
		return false
	}
	md.flagged |= 1 << seat
	if md.seats() == 2 {
		payouts := make([]uint256.Int, 2)
		payouts[1-seat] = total(md.m.terms.Stakes)
		md.rec = finished(protocol.MarkOf(turn), nil, payouts)
	}
	return true
}

// payouts are what the seats get in the end: a convicted seat's share goes to the others by their
// stakes, and what rounding leaves to the first of them.
func (md *model) payouts() []uint256.Int {
	out := slices.Clone(md.rec.Payouts)
	var pot, weight uint256.Int
	for i := range out {
		if md.flagged>>i&1 == 1 {
			pot.Add(&pot, &out[i])
		} else {
			weight.Add(&weight, &md.m.terms.Stakes[i])
		}
	}
	if md.seats() == 2 || weight.IsZero() {
		return out
	}
	rest, first := pot, -1
	for i := range out {
		if md.flagged>>i&1 == 1 {
			out[i].Clear()
			continue
		}
		if first < 0 {
			first = i
		}
		var share uint256.Int
		share.Mul(&pot, &md.m.terms.Stakes[i])
		share.Div(&share, &weight)
		out[i].Add(&out[i], &share)
		rest.Sub(&rest, &share)
	}
	out[first].Add(&out[first], &rest)
	return out
}

func total(list []uint256.Int) (sum uint256.Int) {
	for i := range list {
		sum.Add(&sum, &list[i])
	}
	return sum
}
