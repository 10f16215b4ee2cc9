package sumscows

import (
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Outcome implements games.Typed. Each seat has its stake back, the player less the fees and with
// the prize, the server the reverse. A server proved to have lied is guilty, a silent seat is not.
func (rules) Outcome(s State, stakes []uint256.Int) (games.Outcome, error) {
	if s.Phase != Over {
		return games.Outcome{}, games.BadState("no outcome before the match is over")
	}
	if _, err := games.Pot(stakes); err != nil {
		return games.Outcome{}, err
	}
	if s.Fees.Gt(&stakes[Player]) || s.Prize.Gt(&stakes[Server]) {
		return games.Outcome{}, fmt.Errorf("%w match: its stakes do not cover what it pays", games.ErrIllegal)
	}
	o := games.Outcome{Payouts: make([]uint256.Int, 2)}
	o.Payouts[Player].Sub(&stakes[Player], &s.Fees).Add(&o.Payouts[Player], &s.Prize)
	o.Payouts[Server].Sub(&stakes[Server], &s.Prize).Add(&o.Payouts[Server], &s.Fees)
	copy(o.Reason[:], s.Ending.reason())
	if s.Ending == FalseResult || s.Ending == IllegalList {
		o.Guilty = 1 << Server
	}
	return o, nil
}

func (e Ending) reason() string {
	return [...]string{
		Unfounded: "unfounded claim", FalseResult: "false result", IllegalList: "illegal list",
		PlayerSilent: "silence", ServerSilent: "silence",
	}[e]
}
