package node_test

import (
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// TestAttack_ClockSkew: whatever this computer's clock says, deadlines are the chain's. A channel is opened, played in,
// contested with a stale ledger and defended, and nobody takes a deadline for past that isn't, or the other way round.
func TestAttack_ClockSkew(t *testing.T) {
	const decade = 10 * 365 * 24 * time.Hour
	for name, now := range map[string]func() time.Time{
		"ten years behind": func() time.Time { return time.Now().Add(-decade) },
		"ten years ahead":  func() time.Time { return time.Now().Add(decade) },
		"stopped":          func() time.Time { return time.Unix(1, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			tb := sit(t, 2, func(seat int, c *node.Config) {
				if seat == 0 {
					c.Now = now
				}
			})
			alice, mallory := tb.players[0], tb.players[1]
			id := tb.match(t, "toy", "")
			tb.play(t, alice, id, "win 0")
			_, err := alice.Finished(tb.ctx, tb.channel, 1)
			must(t, err)
			before := tb.free(t, alice)
			must(t, mallory.Close())
			contestFirst(t, tb, mallory)
			tb.mine(t)
			must(t, alice.Closed(tb.ctx, tb.channel))
			want := new(uint256.Int).Add(before, ether)
			if got := tb.free(t, alice); !got.Eq(want.Add(want, stake)) {
				t.Errorf("alice has %s, want %s", got.Dec(), want.Dec())
			}
			mallory.start(t)
		})
	}
}
