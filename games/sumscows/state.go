package sumscows

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Phase is what happens next in a match.
type Phase uint8

// The phases, in order.
const (
	Committing Phase = iota // the server commits to its list
	Guessing                // the player guesses or claims
	Answering
	Opening // the server opens its list
	Over
)

// Cause is why the server has to open its list.
type Cause uint8

// The causes.
const (
	Played  Cause = iota // the list is found, or no guess is left
	Ended                // the player has enough
	Accused              // the player claims misbehaviour
	Silent               // the player's clock ran out
)

// Ending is why a match is over.
type Ending uint8

// The endings, those up to Unanswered the causes of the opening that proved all answers true.
const (
	ByPlay       Ending = Ending(Played)
	ByClaim      Ending = Ending(Ended)
	Unfounded    Ending = Ending(Accused)
	PlayerSilent Ending = Ending(Silent)
	FalseResult  Ending = iota
	IllegalList
	ServerSilent
)

// Entry is a guess and its result.
type Entry struct {
	Guess  List
	Answer Answer
}

// State is a position of a match. What a phase has no use for is zero.
type State struct {
	Phase Phase
	D     uint8 // letters of a list
	Cause Cause // Opening

	Commitment common.Hash // from Guessing to Opening
	Transcript []Entry     // from Guessing to Opening
	Guess      List        // Answering: the guess that has no result yet

	// Over: how it ended, what the player pays and gets of the server, and the list, if it was
	// opened.
	Ending      Ending
	Fees, Prize uint256.Int
	Secret      common.Hash
}

const headSize = 3 // phase, letters of a list, cause or ending

// EncodeState implements games.Typed. Layout: encoding.txt.
func (rules) EncodeState(s State) []byte {
	b := make([]byte, 0, headSize+3*32+(len(s.Transcript)+1)*(int(s.D)+2))
	b = append(b, byte(s.Phase), s.D, byte(s.Cause)|byte(s.Ending))
	switch s.Phase {
	case Guessing, Answering, Opening:
		b = append(b, s.Commitment[:]...)
	case Over:
		fees, prize := s.Fees.Bytes32(), s.Prize.Bytes32()
		b = append(append(append(b, fees[:]...), prize[:]...), s.Secret[:]...)
	}
	for _, e := range s.Transcript {
		b = append(b, e.Guess...)
		b = binary.BigEndian.AppendUint16(b, uint16(e.Answer))
	}
	return append(b, s.Guess...)
}

func (rules) DecodeState(b []byte) (s State, err error) {
	if len(b) < headSize {
		return s, games.BadState("%d bytes, want at least %d", len(b), headSize)
	}
	s.Phase, s.D = Phase(b[0]), b[1]
	if s.D == 0 || s.D > MaxLetters {
		return s, games.BadState("lists of %d letters", s.D)
	}
	why, body := b[2], b[headSize:]
	switch s.Phase {
	case Over:
		if why > byte(ServerSilent) || len(body) != 96 {
			return s, games.BadState("ending %d, %d bytes", why, len(b))
		}
		s.Ending = Ending(why)
		s.Fees.SetBytes(body[:32])
		s.Prize.SetBytes(body[32:64])
		s.Secret = common.Hash(body[64:])
		return s, nil
	case Opening:
		s.Cause = Cause(why)
		if s.Cause > Silent {
			return s, games.BadState("cause %d", why)
		}
	case Committing, Guessing, Answering:
		if why != 0 {
			return s, games.BadState("cause %d in phase %v", why, s.Phase)
		}
	default:
		return s, games.BadState("phase %d", b[0])
	}
	if s.Phase == Committing {
		if len(body) != 0 {
			return s, games.BadState("%d bytes before the commitment", len(b))
		}
		return s, nil
	}
	return s, s.decodeTranscript(body)
}

func (s *State) decodeTranscript(b []byte) error {
	d, pending := int(s.D), 0
	if s.Phase == Answering {
		pending = d
	}
	rest := len(b) - 32 - pending
	if rest < 0 || rest%(d+2) != 0 {
		return games.BadState("%d bytes in phase %v", len(b), s.Phase)
	}
	s.Commitment = common.Hash(b[:32])
	for b = b[32:]; len(b) >= d+2; b = b[d+2:] {
		s.Transcript = append(s.Transcript, Entry{List(b[:d]), Answer(binary.BigEndian.Uint16(b[d:]))})
	}
	s.Guess = List(b)
	n := len(s.Transcript)
	if s.played() && (n == 0 || n > MaxGuesses) || !s.played() && (n >= MaxGuesses || s.found()) {
		return games.BadState("phase %v, cause %d after %d answers", s.Phase, s.Cause, n)
	}
	return nil
}

// check refuses states that a match with these parameters can't have: as DecodeState, but for what
// needs the parameters.
func (s *State) check(p Params) error {
	if s.D != p.D {
		return games.BadState("lists of %d letters, want %d", s.D, p.D)
	}
	if s.Phase < Guessing || s.Phase > Opening {
		return nil
	}
	n := len(s.Transcript)
	if n > int(p.Guesses) || s.played() != (n == int(p.Guesses) || s.found()) {
		return games.BadState("phase %v, cause %d after %d answers", s.Phase, s.Cause, n)
	}
	return nil
}

// played reports whether the guesses themselves have led to the opening.
func (s *State) played() bool { return s.Phase == Opening && s.Cause == Played }

// found reports whether the last answer was that the list is found.
func (s *State) found() bool {
	n := len(s.Transcript)
	return n > 0 && s.Transcript[n-1].Answer.Found()
}
