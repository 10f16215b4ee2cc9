package battleships

import (
	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Outcome implements games.Typed. The winner takes the pot. A seat proved to have cheated is
// guilty, a silent one is not.
func (rules) Outcome(s State, stakes []uint256.Int) (games.Outcome, error) {
	if s.Phase != Over {
		return games.Outcome{}, games.BadState("no outcome before the match is over")
	}
	pot, err := games.Pot(stakes)
	if err != nil {
		return games.Outcome{}, err
	}
	o := games.Outcome{Payouts: make([]uint256.Int, 2)}
	o.Payouts[1-s.Seat] = *pot
	copy(o.Reason[:], s.Ending.reason())
	if s.Ending == BadFleet || s.Ending == FalseAnswer {
		o.Guilty = 1 << s.Seat
	}
	return o, nil
}

func (e Ending) reason() string {
	return [...]string{AllHit: "", EarlyReveal: "early reveal", BadFleet: "bad fleet", FalseAnswer: "false answer", Silence: "silence"}[e]
}
