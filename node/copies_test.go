package node_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/node"
)

// TestAttack_TwoCopies_Alarm: another program plays with a player's keys. The player's node has an
// alarm that stands.
func TestAttack_TwoCopies_Alarm(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	copied := func() bool {
		return slices.ContainsFunc(alice.Standing(), func(e node.Event) bool { return strings.Contains(e.Text, "another program signs with the key") })
	}
	if copied() {
		t.Fatal("an alarm without a copy")
	}
	m := speak(t, alice, alice.Domain())
	must(t, m.Keep(bob.Account(), bob.Network().Addresses()...))
	must(t, m.Connect(tb.ctx, bob.Account()))
	tb.wait(t, alice, copied)
}
