package protocol

import (
	"bytes"
	"fmt"
	"math"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Replayed is where a support leads, and how.
type Replayed struct {
	Turn  Turn
	State []byte
	Hash  common.Hash // of State
	Mover uint8       // seat of the match, games.Nobody or games.Chance
	// by seat: the highest turn that each has signed in the support, or in the record it is based
	// on
	Marks   []Mark
	Signed  uint16        // bit mask of the seats that signed State itself
	Outcome games.Outcome // set when Over

	States [][]byte // the base and the state after each move; the last is State
	// who moves on from each of them: Movers[i] made the move to States[i+1]; the last is Mover
	Movers   []uint8
	OnRecord bool // the base is the recorded position, so that it needs no signatures
	Extends  bool // the support leads through the recorded position, or starts with it
}

// Rank returns how the supported position ranks.
func (r *Replayed) Rank() Rank { return Rank{Agreed: lowest(r.Marks), Turn: MarkOf(r.Turn)} }

// Outranks reports whether the supported position replaces the Arena's record (nil: none) at a
// clock time, in a channel with the given window. A support that does not show that the match began
// never does.
func (r *Replayed) Outranks(record *Record, now, window uint64) bool {
	if record == nil {
		return r.Rank().Agreed > 0
	}
	return r.Rank().Outranks(record.RankAt(now, window), r.Extends)
}

// Over reports whether the match is over in the supported position.
func (r *Replayed) Over() bool { return r.Mover == games.Nobody }

// SignedByAll reports whether all seats signed the supported position, so that an over one is final
// at once.
func (r *Replayed) SignedByAll() bool { return lowest(r.Marks) == MarkOf(r.Turn) }

// Replay replays a support as the Arena would: over what it has recorded of the match (nil:
// nothing), at a time of its clock. Every signature is checked strictly. The base is
//
//   - the recorded position: then the recorded marks count too, and a record of three or more seats
//     that stood for a
//     window counts as signed by all; or
//   - any other position of the record's epoch, or of epoch 0: then every seat must have signed it
//     or one after it. A
//     turn 0 that a seat has not signed must be what the rules start with, alone: with a Demand the
//     Arena records it, and
//     voids the match a window later. Rank().Agreed is 0 then.
//
// The error wraps ErrSupport, and ErrSignature or games.ErrIllegal where that is why.
func (j *Judge) Replay(s *Support, record *Record, now uint64) (Replayed, error) {
	out := Replayed{Turn: s.Turn, State: s.Base, Hash: StateHash(s.Base), Marks: make([]Mark, len(j.match.Seats))}
	if err := s.Check(len(j.match.Seats)); err != nil {
		return out, err
	}
	out.States = append(make([][]byte, 0, len(s.Moves)+1), s.Base)
	out.Movers = make([]uint8, 0, len(s.Moves)+1)
	out.OnRecord = record.Holds(s.Turn, out.Hash)
	out.Extends = out.OnRecord
	var block uint64
	if out.OnRecord {
		block = record.Block
		out.Signed = out.start(record, now, j.window)
	} else if s.Turn.Epoch() != record.Epoch() {
		return out, fmt.Errorf("%w: turn %s is of another epoch than the recorded position", ErrSupport, s.Turn)
	}
	rest := s.Signatures
	for at := 0; ; at++ {
		signed, n, err := j.count(&out, rest, uint16(at))
		if err != nil {
			return out, err
		}
		rest, out.Signed = rest[n:], out.Signed|signed
		if at > 0 && out.Mover != games.Chance && out.Signed&(1<<out.Mover) == 0 {
			return out, fmt.Errorf("%w: turn %s lacks the signature of its mover, seat %d", ErrSupport, out.Turn, out.Mover)
		}
		mover, err := j.Mover(out.State)
		if err != nil {
			return out, fmt.Errorf("%w: turn %s: %w", ErrSupport, out.Turn, err)
		}
		out.Mover, out.Movers = mover, append(out.Movers, mover)
		if at == len(s.Moves) {
			break
		}
		if err := j.forward(&out, s.Moves[at], block); err != nil {
			return out, err
		}
		out.Extends = out.Extends || record.Holds(out.Turn, out.Hash)
		block = 0
	}
	if !out.OnRecord && lowest(out.Marks) == 0 {
		return out, j.unsignedStart(s)
	}
	if out.Over() {
		var err error
		if out.Outcome, err = j.Outcome(out.State); err != nil {
			return out, fmt.Errorf("%w: %w", ErrSupport, err)
		}
	}
	return out, nil
}

// Walk calls visit for the base of a support and for each position after it, as far as the moves
// and signatures are valid, whether or not the Arena would accept the support. at counts the moves
// before the position.
func (j *Judge) Walk(s *Support, record *Record, now uint64, visit func(at uint16, turn Turn, state common.Hash)) {
	r := Replayed{Turn: s.Turn, State: s.Base, Hash: StateHash(s.Base), Marks: make([]Mark, len(j.match.Seats))}
	var block uint64
	if record.Holds(r.Turn, r.Hash) {
		block = record.Block
		r.Signed = r.start(record, now, j.window)
	}
	rest := s.Signatures
	for at := uint16(0); ; at++ {
		visit(at, r.Turn, r.Hash)
		if int(at) == len(s.Moves) {
			return
		}
		signed, n, err := j.count(&r, rest, at)
		if err != nil {
			return
		}
		rest, r.Signed = rest[n:], r.Signed|signed
		if j.forward(&r, s.Moves[at], block) != nil {
			return
		}
		block = 0
	}
}

// forward plays one move. The mover of the position left stays in Mover, for the check of its
// signature.
func (j *Judge) forward(r *Replayed, move []byte, block uint64) error {
	if r.Over() {
		return fmt.Errorf("%w: a move after the match was over, at turn %s", ErrSupport, r.Turn)
	}
	next, err := j.Play(r.State, move, r.Signed, block)
	if err != nil {
		return fmt.Errorf("%w: move to turn %s: %w", ErrSupport, r.Turn+1, err)
	}
	r.Turn, r.State, r.Hash, r.Signed = r.Turn+1, next, StateHash(next), 0
	r.States = append(r.States, next)
	return nil
}

// count checks the leading signatures that are of the position at hand and raises the marks of
// those who signed it.
func (j *Judge) count(r *Replayed, list []SeatSignature, at uint16) (signed uint16, n int, err error) {
	for n < len(list) && list[n].At == at {
		sig := &list[n]
		if err := j.Verify(r.Turn, r.Hash, sig.Seat, sig.Signature); err != nil {
			return 0, n, fmt.Errorf("%w: turn %s, seat %d: %w", ErrSupport, r.Turn, sig.Seat, err)
		}
		r.Marks[sig.Seat] = max(r.Marks[sig.Seat], MarkOf(r.Turn))
		signed |= 1 << sig.Seat
		n++
	}
	return signed, n, nil
}

// start takes over the marks of the record that a support is based on, and returns who signed that
// very position: to the rules, standing for a window is no signature.
func (r *Replayed) start(record *Record, now, window uint64) (signed uint16) {
	copy(r.Marks, record.Marks)
	for i, m := range r.Marks {
		if m == record.Turn {
			signed |= 1 << i
		}
	}
	if record.RankAt(now, window).Agreed == record.Turn {
		for i := range r.Marks {
			r.Marks[i] = record.Turn
		}
	}
	return signed
}

// unsignedStart lets an unsigned turn 0 pass if it is alone and what the rules start with: with a
// Demand, the Arena records it, and voids the match a window later if nobody comes with the
// signatures.
func (j *Judge) unsignedStart(s *Support) error {
	if s.Turn != 0 || len(s.Moves) > 0 {
		return fmt.Errorf("%w: a seat signed nothing in it, and its base is not recorded", ErrSupport)
	}
	start, err := j.Start()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSupport, err)
	}
	if !bytes.Equal(start, s.Base) {
		return fmt.Errorf("%w: turn 0 is not what the rules start with", ErrSupport)
	}
	return nil
}

// Check checks the counts and sizes of a support for a match of so many seats. The error wraps
// ErrSupport.
func (s *Support) Check(seats int) error {
	if size := s.movesSize(); size > MaxRunBytes {
		return fmt.Errorf("%w: %d bytes of moves, where a call carries %d", ErrSupport, size, MaxRunBytes)
	}
	if uint64(s.Turn.Moves())+uint64(len(s.Moves)) > math.MaxUint32 {
		return fmt.Errorf("%w: %d moves from turn %s", ErrSupport, len(s.Moves), s.Turn)
	}
	if err := checkState(s.Base); err != nil {
		return fmt.Errorf("%w: %w", ErrSupport, err)
	}
	for i, sig := range s.Signatures {
		if int(sig.At) > len(s.Moves) || int(sig.Seat) >= seats {
			return fmt.Errorf("%w: signature %d is of position %d by seat %d", ErrSupport, i, sig.At, sig.Seat)
		}
		if i > 0 && sig.At < s.Signatures[i-1].At {
			return fmt.Errorf("%w: signatures are not in ascending order of position", ErrSupport)
		}
	}
	return nil
}

// Holds reports whether the recorded position can be a base by itself. An unsigned turn 0 cannot.
func (r *Record) Holds(turn Turn, state common.Hash) bool {
	return r != nil && r.Status > MatchUnsigned && r.Turn == MarkOf(turn) && r.State == state
}

// Epoch returns the epoch of the recorded position, 0 if there is none.
func (r *Record) Epoch() uint32 {
	if r == nil || r.Turn == 0 {
		return 0
	}
	return r.Turn.Turn().Epoch()
}
