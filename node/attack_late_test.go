package node_test

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
)

// tardy is a house that closes the bets when it knows the hash of the round's block.
type tardy struct {
	games.Player
	head func() uint64
}

func (h tardy) Unwrap() games.Player { return h.Player }

func (h tardy) Auto(t games.Table) (*games.Decision, error) {
	s, err := box9.Codec().DecodeState(t.State)
	if err != nil || s.Phase != box9.Betting || t.Seat != box9.House {
		return h.Player.Auto(t)
	}
	if h.head() < s.Block {
		return nil, nil
	}
	return h.Player.Choose(t, "close")
}

// TestAttack_LateBet_LaggingEndpoint: the first of a player's two endpoints shows it the chain
// late, the other doesn't. The player does not sign closed bets after the round's block, which the
// others may have chosen when they knew what it draws.
func TestAttack_LateBet_LaggingEndpoint(t *testing.T) {
	for _, lag := range []uint64{0, 5, 10} {
		t.Run(fmt.Sprint(lag), func(t *testing.T) {
			var late atomic.Bool
			w := world(t)
			shows := func(c *node.Config, lag uint64) {
				c.Chain.URL = newProxy(t, func(body []byte) []byte {
					if late.Load() && bytes.Contains(body, []byte("eth_getBlockByNumber")) {
						body = bytes.Replace(body, []byte(`"latest"`), fmt.Appendf(nil, `"0x%x"`, w.Chain.Head()-lag), 1)
					}
					return body
				})
			}
			tb := sitBox9(t, 1, `{"rounds": 1}`, func(seat int, c *node.Config) {
				if seat == box9.House { // its machine signs when it likes: here because it sees the chain late
					plays(c, func(p games.Player) games.Player { return tardy{p, w.Chain.Head} })
					shows(c, 11)
					return
				}
				c.Chain.Second = c.Chain.URL
				shows(c, lag)
			})
			tb.reaches(t, 0, box9.Betting)
			tb.agree(t)
			must(t, tb.players[1].Play(tb.match, "1 2 3"))
			block := tb.state(t, 1).Block
			late.Store(true)
			for w.Chain.Head() < block {
				must(t, w.Chain.Mine(1))
				tb.wait(t, tb.players[1], func() bool { return tb.players[1].Head().Block+lag >= w.Chain.Head() })
			}
			tb.reaches(t, 0, box9.Drawing, box9.House)
			for range 5 {
				must(t, w.Chain.Mine(1))
				tb.wait(t, tb.players[1], func() bool { return tb.players[1].Head().Block+lag >= w.Chain.Head() })
			}
			m, err := tb.players[box9.House].Match(tb.match)
			must(t, err)
			if m.Agreed && tb.state(t, 1).Bets != (box9.Masks{}) {
				t.Errorf("lag %d: all have signed at block %d what was bet on block %d", lag, w.Chain.Head(), block)
			}
		})
	}
}
