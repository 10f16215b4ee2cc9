package node_test

import (
	"fmt"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
)

// farther is a house that names a block far away, and closes the round at once, without bets.
type farther struct{ games.Player }

func (h farther) Unwrap() games.Player { return h.Player }

func (h farther) Auto(t games.Table) (*games.Decision, error) {
	s, err := box9.Codec().DecodeState(t.State)
	if err != nil || t.Seat != box9.House {
		return nil, err
	}
	var m box9.Move = box9.Close{}
	switch s.Phase {
	case box9.Naming:
		m = box9.Name(box9.NextRound(t.Context.Facts.Head() + 1_000_000))
	case box9.Betting:
	default:
		return nil, nil
	}
	return &games.Decision{Move: box9.Codec().EncodeMove(m), Secrets: t.Secrets}, nil
}

// TestAttack_Withhold_FarBlock: the house, which stakes nothing, names a block that comes in
// months, closes the round without bets at once, and is gone. The players don't wait for the block:
// the chain's clock runs out, and they have their stakes back, whether they leave or not.
func TestAttack_Withhold_FarBlock(t *testing.T) {
	t.Parallel()
	for _, exits := range []bool{false, true} {
		t.Run(fmt.Sprint("exits ", exits), func(t *testing.T) {
			tb := sitBox9(t, 2, `{"rounds": 1}`, func(seat int, c *node.Config) {
				if seat == box9.House {
					plays(c, func(p games.Player) games.Player { return farther{p} })
				}
			})
			tb.reaches(t, 0, box9.Drawing)
			tb.agree(t)
			tb.leaves(t, box9.House)
			if exits {
				must(t, tb.players[1].Exit(tb.ctx, tb.channel))
			}
			tb.pays(t, 1, "", tb.stakes)
		})
	}
}
