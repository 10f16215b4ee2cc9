package splitsteal

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Tag is of what the players commit to.
var Tag = commit.NewTag("ante.splitsteal.choice")

// rules implements games.Typed; the contract twin is contracts/src/games/SplitOrSteal.sol.
type rules struct{}

func (rules) Start(c *games.Context, p Params) (State, error) {
	if _, err := NewStakes(p, c.Stakes); err != nil {
		return State{}, err
	}
	return State{Phase: CommitX, House: p.House}, nil
}

func (rules) Mover(s State) uint8 {
	if s.Phase == Over {
		return games.Nobody
	}
	return s.Phase.role().Seat(s.House)
}

func (r rules) Play(c *games.Context, p Params, s State, m Move) (State, error) {
	if err := s.check(p); err != nil {
		return State{}, err
	}
	role := s.Phase.role()
	switch m := m.(type) {
	case Commit:
		if s.Phase > CommitY {
			return State{}, games.BadMove("no commitment is due in phase %d", s.Phase)
		}
		// Bound to its seat, a copy could never be opened: better to be told at once.
		if s.Phase == CommitY && s.Out == 0 && common.Hash(m) == s.Commitments[X] {
			return State{}, games.BadMove("the other's commitment, copied")
		}
		s.Commitments[role] = common.Hash(m)
	case Open:
		if s.Phase != OpenX && s.Phase != OpenY {
			return State{}, games.BadMove("nothing is to be opened in phase %d", s.Phase)
		}
		scope := commit.Scope{Tag: Tag, MatchID: c.MatchID, Seat: r.Mover(s)}
		if scope.Hash(m.Number, m.Salt) != s.Commitments[role] {
			return State{}, games.BadMove("it does not open the commitment of %s", role)
		}
		s.Commitments[role] = common.Hash{}
		s.Splits |= uint8(ChoiceOf(m.Number)) << role
	default:
		return State{}, games.BadMove("it is none")
	}
	return s.next(p, s.Out), nil
}

func (rules) Expire(_ *games.Context, p Params, s State) (State, error) {
	if err := s.check(p); err != nil {
		return State{}, err
	}
	role, before := s.Phase.role(), s.Out
	s.Out |= role.bit()
	s.Commitments[role] = common.Hash{}
	return s.next(p, before), nil
}

// check refuses states that are over or not of a match with these parameters.
func (s *State) check(p Params) error {
	if s.Phase == Over || s.House != p.House {
		return games.BadState("phase %d with the house in seat %d", s.Phase, s.House)
	}
	return nil
}

// next goes on to the next phase, from a state in which some were out before what was just done.
// Once a player is out, the other has to do but the next thing asked of it, which shows that it is
// there.
func (s *State) next(p Params, before uint8) State {
	if before != 0 || s.Phase == OpenY {
		return State{Phase: Over, House: s.House, Out: s.Out, Splits: s.Splits, Params: p}
	}
	s.Phase++
	return *s
}

// Outcome implements games.Typed. Nobody is ever guilty: nothing that can be proved wrong is a
// legal move.
func (rules) Outcome(s State, stakes []uint256.Int) (games.Outcome, error) {
	if s.Phase != Over {
		return games.Outcome{}, games.BadState("no outcome before the match is over")
	}
	staked, err := NewStakes(s.Params, stakes)
	if err != nil {
		return games.Outcome{}, err
	}
	o := games.Outcome{Payouts: make([]uint256.Int, len(stakes))}
	copy(o.Reason[:], s.reason())
	shares := s.shares(&staked)
	o.Payouts[X.Seat(s.House)], o.Payouts[Y.Seat(s.House)] = shares.X, shares.Y
	if s.House != NoHouse {
		o.Payouts[s.House] = shares.House
	}
	return o, nil
}

func (s *State) shares(staked *Stakes) Shares {
	if s.Out != 0 {
		return staked.Disqualified(s.Params, s.Out)
	}
	return staked.Matrix(s.Params, s.choice(X), s.choice(Y))
}

// choice returns what a player who has opened has chosen.
func (s *State) choice(r Role) Choice { return Choice(s.Splits >> r & 1) }

func (s *State) reason() string {
	return [...]string{"", "silence", "silence", "silence of both"}[s.Out]
}
