package mastermind

import (
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// What the seats commit to.
var (
	CoinTag = commit.NewTag("ante.mastermind.coin")
	CodeTag = commit.NewTag("ante.mastermind.code")
)

// rules implements games.Typed; the contract twin is contracts/src/games/Mastermind.sol.
type rules struct{}

func (rules) Start(c *games.Context, _ Params) (State, error) {
	_, err := games.Pot(c.Stakes)
	return State{Phase: Toss}, err
}

func (rules) Mover(s State) uint8 {
	switch s.Phase {
	case Over:
		return games.Nobody
	case Calling, Guessing, Disputing:
		return s.breaker()
	default:
		return s.Maker
	}
}

func (rules) Play(c *games.Context, p Params, s State, m Move) (State, error) {
	if err := s.check(p); err != nil {
		return State{}, err
	}
	return m.play(c, p, s)
}

func (m Commit) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Toss && s.Phase != Making {
		return State{}, wrongPhase(s)
	}
	s.Phase++
	s.Commitment = common.Hash(m)
	return s, nil
}

func (m Call) play(_ *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Calling {
		return State{}, wrongPhase(s)
	}
	if m > 1 {
		return State{}, games.BadMove("a coin has sides 0 and 1, not %d", m)
	}
	s.Phase, s.Call = Showing, uint8(m)
	return s, nil
}

func (m Show) play(c *games.Context, _ Params, s State) (State, error) {
	if s.Phase != Showing {
		return State{}, wrongPhase(s)
	}
	maker, ok := coin.Coin{Commitment: s.Commitment, Call: s.Call}.Favours(CoinTag, c.MatchID, coin.Shown(m))
	if !ok {
		return State{}, games.BadMove("it does not open the coin")
	}
	return State{Phase: Making, Maker: maker}, nil
}

func (m Guess) play(_ *games.Context, p Params, s State) (State, error) {
	if s.Phase != Guessing {
		return State{}, wrongPhase(s)
	}
	if !Code(m).Legal(p) {
		return State{}, games.BadMove("%#04x is no code of %d pegs and %d colours", uint16(m), p.Pegs, p.Colours)
	}
	s.Phase, s.Guess = Answering, Code(m)
	return s, nil
}

func (m Reply) play(_ *games.Context, p Params, s State) (State, error) {
	if s.Phase != Answering {
		return State{}, wrongPhase(s)
	}
	if !Feedback(m).Possible(p.Pegs) {
		return State{}, games.BadMove("no guess can be answered %v", Feedback(m))
	}
	s.Transcript = append(slices.Clip(s.Transcript), Entry{s.Guess, Feedback(m)})
	s.Phase, s.Guess = Guessing, 0
	if s.solved(p) || len(s.Transcript) == int(p.Guesses) {
		s.Phase = Revealing
	}
	return s, nil
}

func (m Reveal) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Revealing {
		return State{}, wrongPhase(s)
	}
	if !s.opens(c, m) {
		return State{}, games.BadMove("it does not open the commitment of round %d", s.Round)
	}
	if !m.Code.Legal(p) {
		return s.end(IllegalCode), nil
	}
	s.Code = m.Code
	if p.Dispute == 1 {
		s.Phase, s.Commitment = Disputing, common.Hash{}
		return s, nil
	}
	if s.lies(p) != 0 {
		return s.end(FalseFeedback), nil
	}
	return s.finish(p)
}

func (m Dispute) play(_ *games.Context, p Params, s State) (State, error) {
	if s.Phase != Disputing {
		return State{}, wrongPhase(s)
	}
	if uint64(m)>>len(s.Transcript) != 0 {
		return State{}, games.BadMove("it disputes more than %d answers", len(s.Transcript))
	}
	if m == 0 {
		return s.finish(p)
	}
	if s.lies(p)&uint32(m) != 0 {
		return s.end(FalseFeedback), nil
	}
	return s.end(FalseAccusation), nil
}

// Expire implements games.Typed. Silence forfeits, but for a breaker who is asked whether it
// disputes: its silence passes.
func (r rules) Expire(_ *games.Context, p Params, s State) (State, error) {
	if err := s.check(p); err != nil {
		return State{}, err
	}
	switch {
	case s.Phase == Over:
		return State{}, wrongPhase(s)
	case s.Phase == Disputing:
		return s.finish(p)
	case r.Mover(s) == s.Maker:
		return s.end(MakerSilent), nil
	default:
		return s.end(BreakerSilent), nil
	}
}

// lies returns the answers of the round that are false for s.Code, bit i for answer i.
func (s *State) lies(p Params) (mask uint32) {
	for i, e := range s.Transcript {
		right, wrong := match(s.Code, e.Guess, int(p.Pegs))
		if right != e.Answer.Right() || wrong != e.Answer.Wrong() {
			mask |= 1 << i
		}
	}
	return mask
}

// finish ends a round without a conviction.
func (s *State) finish(p Params) (State, error) {
	points := uint32(len(s.Transcript))
	if !s.solved(p) {
		points += uint32(p.Bonus)
	}
	points += uint32(s.Points[s.Maker])
	if points > 1<<16-1 {
		return State{}, games.BadState("more points than any match has")
	}
	s.Points[s.Maker] = uint16(points)
	if s.Round+1 == p.Rounds {
		return s.end(ByPoints), nil
	}
	return State{Phase: Making, Maker: s.breaker(), Round: s.Round + 1, Points: s.Points}, nil
}

func (s *State) end(e Ending) State {
	return State{Phase: Over, Maker: s.Maker, Round: s.Round, Points: s.Points, Ending: e}
}

func (s *State) opens(c *games.Context, m Reveal) bool {
	scope := commit.Scope{Tag: CodeTag, MatchID: c.MatchID, Seat: s.Maker, Round: uint32(s.Round)}
	return scope.Hash(m.Code.secret(), m.Salt) == s.Commitment
}

// secret returns the code as what is committed to.
func (c Code) secret() common.Hash { return common.Hash{30: byte(c >> 8), 31: byte(c)} }

func wrongPhase(s State) error { return games.BadMove("not in phase %d", s.Phase) }
