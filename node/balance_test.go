package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

// TestBalanceCountsOnce: while a channel is paid out in parts, what the player has in the bank, in
// channels and in matches sums up to all that it has, never to more.
func TestBalanceCountsOnce(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	bank := tb.free(t, alice)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	sum := func() *uint256.Int {
		locked, staked := alice.InChannels(eth)
		total := tb.free(t, alice)
		return total.Add(total, locked.Add(&locked, &staked))
	}
	all := new(uint256.Int).Add(bank, ether)
	if got := sum(); !got.Eq(all) {
		t.Errorf("%s while the match runs, want %s", got.Dec(), all.Dec())
	}
	tb.exit(t, bob)
	tb.mine(t)
	// paid: the free balances, while the match still runs
	tb.wait(t, alice, func() bool { return tb.free(t, alice).Gt(bank) })
	tb.wait(t, alice, func() bool { locked, _ := alice.InChannels(eth); return locked.IsZero() })
	if m, err := alice.Match(id); err == nil && (m.Record == nil || m.Record.Status < protocol.MatchFinal) && !sum().Eq(all) {
		t.Errorf("%s after the settlement, want %s", sum().Dec(), all.Dec())
	} else if err != nil && !errors.Is(err, node.ErrUnknownMatch) {
		t.Fatal(err)
	}
}
