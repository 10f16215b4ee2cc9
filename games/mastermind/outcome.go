package mastermind

import (
	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Outcome implements games.Typed. The pot goes to the seat with more points, or that the other
// forfeited it to; a draw splits it, the odd wei to seat 0. A seat proved to have lied is guilty, a
// silent one is not.
func (rules) Outcome(s State, stakes []uint256.Int) (games.Outcome, error) {
	if s.Phase != Over {
		return games.Outcome{}, games.BadState("no outcome before the match is over")
	}
	pot, err := games.Pot(stakes)
	if err != nil {
		return games.Outcome{}, err
	}
	o := games.Outcome{Payouts: make([]uint256.Int, 2)}
	copy(o.Reason[:], s.Ending.reason())
	if s.Ending.lie() {
		o.Guilty = 1 << s.loser()
	}
	if s.draw() {
		o.Payouts[1].Rsh(pot, 1)
		o.Payouts[0].Sub(pot, &o.Payouts[1])
		return o, nil
	}
	o.Payouts[1-s.loser()] = *pot
	return o, nil
}

func (s *State) draw() bool { return s.Ending == ByPoints && s.Points[0] == s.Points[1] }

// loser returns the seat that gets nothing, unless the match is drawn.
func (s *State) loser() uint8 {
	switch s.Ending {
	case ByPoints:
		if s.Points[0] > s.Points[1] {
			return 1
		}
		return 0
	case FalseAccusation, BreakerSilent:
		return s.breaker()
	default:
		return s.Maker
	}
}

func (e Ending) lie() bool { return e == FalseFeedback || e == IllegalCode || e == FalseAccusation }

func (e Ending) reason() string {
	return [...]string{
		FalseFeedback: "false feedback", IllegalCode: "illegal code", FalseAccusation: "false accusation",
		MakerSilent: "silence", BreakerSilent: "silence",
	}[e]
}
