package sumscows

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// ListTag is the tag under which the server commits to its list.
var ListTag = commit.NewTag("ante.sumscows.list")

// rules implements games.Typed; the contract twin is contracts/src/games/SumsAndCows.sol.
type rules struct{}

func (rules) Start(c *games.Context, p Params) (State, error) {
	if _, err := games.Pot(c.Stakes); err != nil {
		return State{}, err
	}
	if fees := p.fees(int(p.Guesses)); c.Stakes[Player].Lt(&fees) {
		return State{}, games.Amounts(games.ErrIllegal, " match: the player stakes %s, and the fees of its guesses are %s", &c.Stakes[Player], &fees)
	}
	if c.Stakes[Server].Lt(&p.Prize) {
		return State{}, games.Amounts(games.ErrIllegal, " match: the server stakes %s, and the prize is %s", &c.Stakes[Server], &p.Prize)
	}
	return State{Phase: Committing, D: p.D}, nil
}

func (rules) Mover(s State) uint8 {
	switch s.Phase {
	case Over:
		return games.Nobody
	case Guessing:
		return Player
	default:
		return Server
	}
}

func (rules) Play(c *games.Context, p Params, s State, m Move) (State, error) {
	if err := s.check(p); err != nil {
		return State{}, err
	}
	return m.play(c, p, s)
}

func (m Commit) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Committing {
		return State{}, wrongPhase(s)
	}
	s.Phase, s.Commitment = Guessing, common.Hash(m)
	return s, nil
}

func (m Guess) play(_ *games.Context, p Params, s State) (State, error) {
	if s.Phase != Guessing {
		return State{}, wrongPhase(s)
	}
	if !List(m).Legal(p) {
		return State{}, games.BadMove("%x is no list of %d different letters out of %d", string(m), p.D, p.N)
	}
	s.Phase, s.Guess = Answering, List(m)
	return s, nil
}

func (m Claim) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Guessing {
		return State{}, wrongPhase(s)
	}
	s.Phase, s.Cause = Opening, Cause(m)
	return s, nil
}

func (m Reply) play(_ *games.Context, p Params, s State) (State, error) {
	if s.Phase != Answering {
		return State{}, wrongPhase(s)
	}
	answer := Answer(m)
	if !answer.Possible(p) {
		return State{}, games.BadMove("no guess can be answered %v", answer)
	}
	if i := s.contradicted(answer); i >= 0 {
		return State{}, games.BadMove("%v contradicts the answer to guess %d", answer, i+1)
	}
	s.Transcript = append(slices.Clip(s.Transcript), Entry{s.Guess, answer})
	s.Phase, s.Guess = Guessing, ""
	if answer.Found() || len(s.Transcript) == int(p.Guesses) {
		s.Phase = Opening
	}
	return s, nil
}

// contradicted returns the earlier guess of the same letters to which an answer does not fit, -1 if
// there is none. Letters in another order have the same result; only the identical list may be the
// hidden one, and none is that was not before.
func (s *State) contradicted(answer Answer) int {
	for i, e := range s.Transcript {
		switch {
		case e.Answer == answer:
		case e.Answer == answer&^found:
			if e.Guess == s.Guess {
				return i
			}
		case e.Guess.within(s.Guess):
			return i
		}
	}
	return -1
}

func (m Reveal) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Opening {
		return State{}, wrongPhase(s)
	}
	scope := commit.Scope{Tag: ListTag, MatchID: c.MatchID, Seat: Server}
	if scope.Hash(m.Secret, m.Salt) != s.Commitment {
		return State{}, games.BadMove("it does not open the commitment")
	}
	hidden, legal := listOf(m.Secret, p)
	if !legal {
		return s.forfeit(c, IllegalList, m.Secret)
	}
	for _, e := range s.Transcript {
		if Truth(hidden, e.Guess) != e.Answer {
			return s.forfeit(c, FalseResult, m.Secret)
		}
	}
	over := State{Phase: Over, D: s.D, Ending: Ending(s.Cause), Fees: p.fees(len(s.Transcript)), Secret: m.Secret}
	if s.found() {
		over.Prize = p.Prize
	}
	return over, nil
}

// Expire implements games.Typed. A silent server loses; after a silent player the server still has
// to open its list.
func (rules) Expire(c *games.Context, p Params, s State) (State, error) {
	if err := s.check(p); err != nil {
		return State{}, err
	}
	switch s.Phase {
	case Over:
		return State{}, wrongPhase(s)
	case Guessing:
		s.Phase, s.Cause = Opening, Silent
		return s, nil
	default:
		return s.forfeit(c, ServerSilent, common.Hash{})
	}
}

// forfeit ends a match to the server's loss: no fees, and all that it staked to the player.
func (s *State) forfeit(c *games.Context, e Ending, secret common.Hash) (State, error) {
	if len(c.Stakes) != 2 {
		return State{}, fmt.Errorf("%w match: %d seats, want 2", games.ErrIllegal, len(c.Stakes))
	}
	return State{Phase: Over, D: s.D, Ending: e, Prize: c.Stakes[Server], Secret: secret}, nil
}

func wrongPhase(s State) error { return games.BadMove("not in phase %v", s.Phase) }
