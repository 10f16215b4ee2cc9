package node_test

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// TestAttack_Onlooker: two of three who share a channel play. The node of the third lives on, and takes their match neither for one of
// its own nor for one whose terms it has lost.
func TestAttack_Onlooker(t *testing.T) {
	t.Parallel()
	tb := sit(t, 3, func(_ int, c *node.Config) { c.Policy.Bot = true })
	onlooker := tb.players[2]
	must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "mastermind", Seats: []uint8{0, 1}, Stakes: []uint256.Int{*stake}}))
	for _, p := range tb.players[:2] {
		_, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
	}
	tb.wait(t, onlooker, func() bool {
		c, err := onlooker.Channel(tb.channel)
		return err == nil && c.Ledger.Version > 2 && len(c.Ledger.Locks) == 0
	})
	if list, err := onlooker.Results(); err != nil || len(list) > 0 {
		t.Errorf("results of others: %v %v", list, err)
	}
	tb.close(t)
	alarms, err := onlooker.Alarms()
	must(t, err)
	for _, a := range alarms {
		t.Errorf("alarm: %s", a.Text)
	}
}
