package api

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
)

// TestRoundState: after its registration a round is not open any more, and one of too few players
// is cancelled.
func TestRoundState(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		block, shuffle uint64
		sealed         bool
		players        int
		want           string
	}{
		"open": {99, 0, false, 1, "open"}, "closed": {100, 0, false, 1, "closed"}, "full early": {99, 0, true, 2, "seated"},
		"too few": {100, 0, true, 1, "cancelled"}, "nobody": {100, 0, true, 0, "cancelled"}, "a round": {100, 110, true, 2, "sealed"},
		"a round of too few": {100, 110, true, 1, "cancelled"},
	} {
		r := &node.Round{Terms: matchmaking.Round{Closes: 100, Shuffle: c.shuffle, Fewest: 2}, Entries: make([]matchmaking.Registration, c.players)}
		if c.sealed {
			r.Seal = protocol.Signature{1}
		}
		if got := roundState(r, c.block); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
