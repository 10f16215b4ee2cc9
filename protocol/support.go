package protocol

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// SeatSignature is a seat's signature of one position of a support: the base (At 0) or the position
// after Moves[At-1].
type SeatSignature struct {
	At        uint16
	Seat      uint8 // seat of the match
	Signature Signature
}

// Support is the evidence for a position: a base state and the moves after it. It is valid when
// each move is legal and its result carries the mover's signature (a chance move needs none), and
// either every seat of the match signed the base or something after it, or the base is the position
// that the Arena has recorded.
type Support struct {
	Turn       Turn // of the base
	Base       []byte
	Moves      [][]byte
	Signatures []SeatSignature // by ascending At
}

// Last returns the turn of the supported position.
func (s *Support) Last() Turn { return s.Turn + Turn(len(s.Moves)) }

// Full reports whether nobody moves on from the supported position before a seat signs it or the
// Arena records it: another move might not fit, however long the game's moves are.
func (s *Support) Full() bool { return s != nil && !s.Fits(games.MaxMove) }

// Fits reports whether one call carries a move of so many bytes after those of the support.
func (s *Support) Fits(bytes int) bool {
	return len(s.Moves) < MaxRun && s.movesSize()+movePrefix+bytes <= MaxRunBytes
}

// movesSize returns the bytes of the moves as a call packs them.
func (s *Support) movesSize() (n int) {
	for _, move := range s.Moves {
		n += movePrefix + len(move)
	}
	return n
}

// Agreed returns the highest turn that each of so many seats has signed in the support, or one
// after it: what all agreed to, unless a record adds to it.
func (s *Support) Agreed(seats int) Mark {
	marks := make([]Mark, seats)
	for _, sig := range s.Signatures {
		marks[sig.Seat] = max(marks[sig.Seat], MarkOf(s.Turn+Turn(sig.At)))
	}
	return lowest(marks)
}

// Rank orders supported positions of a match: what all seats agreed to beats a longer fork.
type Rank struct {
	// the lowest, over the seats, of the highest turn that each has signed in the support
	Agreed Mark
	Turn   Mark
}

// Mark is a turn plus one; 0 means none. It is how the Arena stores turns.
type Mark uint64

// MarkOf returns the mark of a turn.
func MarkOf(t Turn) Mark { return Mark(t) + 1 }

// Turn returns the turn of a mark, which must not be 0.
func (m Mark) Turn() Turn { return Turn(m - 1) }

// OrStart returns the turn of a mark, or turn 0 where there is none.
func (m Mark) OrStart() Turn {
	if m == 0 {
		return 0
	}
	return m.Turn()
}

// Above orders evidence of a match without a record: it reports whether r ranks higher than other.
func (r Rank) Above(other Rank) bool { return r.Outranks(other, true) }

// Outranks reports whether the Arena lets a position of rank r take the place of the recorded one:
// all seats agreed to more, or it extends the recorded position, which its support leads through.
// Among forks below which all agreed to the same, the first to be recorded stands. Solidity twin:
// Ranks.outranks.
func (r Rank) Outranks(recorded Rank, extends bool) bool {
	return r.Agreed > recorded.Agreed || r.Agreed == recorded.Agreed && r.Turn > recorded.Turn && extends
}

// SignedAgreement is an Agreement with the signature of every seat of the match, in order.
type SignedAgreement struct {
	Agreement
	Signatures []Signature
}

// Equivocation proves that a seat of the match signed two positions at one turn.
type Equivocation struct {
	MatchID    common.Hash
	Turn       Turn
	Seat       uint8 // seat of the match
	States     [2]common.Hash
	Signatures [2]Signature
}
