package node_test

import (
	"testing"
	"time"

	"github.com/ante-games/ante/node"
)

// TestAttack_ClockSkew: whatever this computer's clock says, deadlines are the chain's. A channel
// is opened, played in, contested with a stale ledger and defended, and nobody takes a deadline for
// past that isn't, or the other way round.
func TestAttack_ClockSkew(t *testing.T) {
	t.Parallel()
	const decade = 10 * 365 * 24 * time.Hour
	for name, now := range map[string]func() time.Time{
		"ten years behind": func() time.Time { return time.Now().Add(-decade) },
		"ten years ahead":  func() time.Time { return time.Now().Add(decade) },
		"stopped":          func() time.Time { return time.Unix(1, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			sit(t, 2, func(seat int, c *node.Config) {
				if seat == 0 {
					c.Now = now
				}
			}).refutesStaleLedger(t)
		})
	}
}
