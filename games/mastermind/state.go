package mastermind

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Phase is what happens next in a match.
type Phase uint8

// The phases, in order. Those from Commit to Dispute repeat each round.
const (
	Toss    Phase = iota // seat 0 commits to a side of the coin
	Calling              // seat 1 calls it
	Showing              // seat 0 shows it
	Making               // the maker commits to a code
	Guessing
	Answering
	Revealing // the maker opens the code
	Disputing // the breaker disputes answers or passes; only with Params.Dispute
	Over
)

// Ending is why a match is over.
type Ending uint8

// The endings. "Maker" and "breaker" are the roles at the end; in the coin, seat 0 counts as the
// maker.
const (
	ByPoints Ending = iota
	FalseFeedback
	IllegalCode
	FalseAccusation
	MakerSilent
	BreakerSilent
)

// Entry is a guess and its answer.
type Entry struct {
	Guess  Code
	Answer Feedback
}

// State is a position of a match. What a phase has no use for is zero.
type State struct {
	Phase  Phase
	Maker  uint8     // the seat that makes the code of this round; 0 before the coin has fallen
	Round  uint8     // from 0
	Points [2]uint16 // by seat

	// from Calling to Showing to the coin, from Guessing to Revealing to the code
	Commitment common.Hash
	Call       uint8   // Showing: the side that seat 1 called
	Code       Code    // Disputing: the code, opened
	Transcript []Entry // from Guessing to Disputing: the round's guesses that are answered
	Guess      Code    // Answering: the guess that is not
	Ending     Ending  // Over
}

const (
	headSize  = 7
	entrySize = 3
)

// EncodeState implements games.Typed. Layout: encoding.txt.
func (rules) EncodeState(s State) []byte {
	b := make([]byte, 0, headSize+32+2+entrySize*len(s.Transcript))
	b = append(b, byte(s.Phase), s.Maker, s.Round)
	b = binary.BigEndian.AppendUint16(b, s.Points[0])
	b = binary.BigEndian.AppendUint16(b, s.Points[1])
	switch s.Phase {
	case Calling, Showing, Guessing, Answering, Revealing:
		b = append(b, s.Commitment[:]...)
	case Disputing:
		b = binary.BigEndian.AppendUint16(b, uint16(s.Code))
	case Over:
		b = append(b, byte(s.Ending))
	}
	if s.Phase == Showing {
		b = append(b, s.Call)
	}
	for _, e := range s.Transcript {
		b = binary.BigEndian.AppendUint16(b, uint16(e.Guess))
		b = append(b, byte(e.Answer))
	}
	if s.Phase == Answering {
		b = binary.BigEndian.AppendUint16(b, uint16(s.Guess))
	}
	return b
}

func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) < headSize {
		return s, games.BadState("%d bytes, want at least %d", len(b), headSize)
	}
	s = State{Phase: Phase(b[0]), Maker: b[1], Round: b[2]}
	s.Points = [2]uint16{binary.BigEndian.Uint16(b[3:]), binary.BigEndian.Uint16(b[5:])}
	if s.Maker > 1 {
		return s, games.BadState("maker %d", s.Maker)
	}
	if s.Phase < Making && (s.Maker != 0 || s.Round != 0 || s.Points != [2]uint16{}) {
		return s, games.BadState("a round before the coin has fallen")
	}
	return s, s.decodeBody(b[headSize:])
}

func (s *State) decodeBody(b []byte) error {
	want, pending := 0, 0 // bytes before and behind the transcript
	switch s.Phase {
	case Toss, Making:
	case Calling, Guessing, Revealing:
		want = 32
	case Showing:
		want = 33
	case Answering:
		want, pending = 32, 2
	case Disputing:
		want = 2
	case Over:
		want = 1
	default:
		return games.BadState("phase %d", s.Phase)
	}
	rest := len(b) - want - pending
	if rest < 0 || rest%entrySize != 0 || rest > 0 && !s.Phase.inRound() {
		return games.BadState("%d bytes in phase %d", len(b), s.Phase)
	}
	switch want {
	case 1:
		s.Ending = Ending(b[0])
	case 2:
		s.Code = Code(binary.BigEndian.Uint16(b))
	case 32:
		s.Commitment = common.Hash(b[:32])
	case 33:
		s.Commitment, s.Call = common.Hash(b[:32]), b[32]
	}
	if s.Ending > BreakerSilent || s.Call > 1 {
		return games.BadState("ending %d, call %d", s.Ending, s.Call)
	}
	for e := b[want : want+rest]; len(e) > 0; e = e[entrySize:] {
		s.Transcript = append(s.Transcript, Entry{Code(binary.BigEndian.Uint16(e)), Feedback(e[2])})
	}
	if pending > 0 {
		s.Guess = Code(binary.BigEndian.Uint16(b[want+rest:]))
	}
	return s.checkLength(MaxGuesses)
}

// check refuses states that a match with these parameters can't have: as DecodeState, but for what
// needs the parameters.
func (s *State) check(p Params) error {
	if s.Round >= p.Rounds {
		return games.BadState("round %d of %d", s.Round, p.Rounds)
	}
	if !s.Phase.inRound() {
		return nil
	}
	if err := s.checkLength(int(p.Guesses)); err != nil {
		return err
	}
	ends := s.solved(p) || len(s.Transcript) == int(p.Guesses)
	if ends != (s.Phase == Revealing || s.Phase == Disputing) {
		return games.BadState("phase %d after the answers given", s.Phase)
	}
	if s.Phase == Disputing && p.Dispute == 0 {
		return games.BadState("a dispute in a match without")
	}
	return nil
}

// checkLength refuses transcripts that are too long, or too short, for their phase.
func (s *State) checkLength(most int) error {
	n := len(s.Transcript)
	switch s.Phase {
	case Guessing, Answering:
		if n >= most {
			return games.BadState("%d answers and no end of at most %d", n, most)
		}
	case Revealing, Disputing:
		if n == 0 || n > most {
			return games.BadState("%d answers of at most %d", n, most)
		}
	}
	return nil
}

func (f Phase) inRound() bool { return f >= Guessing && f <= Disputing }

func (s *State) breaker() uint8 { return 1 - s.Maker }

// solved reports whether the last answer was that the code is found.
func (s *State) solved(p Params) bool {
	n := len(s.Transcript)
	return n > 0 && s.Transcript[n-1].Answer.solved(p.Pegs)
}
