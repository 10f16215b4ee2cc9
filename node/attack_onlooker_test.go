package node_test

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// TestAttack_Onlooker: two of three who share a channel play. The node of the third lives on, and
// takes their match neither for one of its own nor for one whose terms it has lost.
func TestAttack_Onlooker(t *testing.T) {
	t.Parallel()
	tb := sit(t, 3, nil)
	onlooker := tb.players[2]
	locks := func() int {
		c, err := onlooker.Channel(tb.channel)
		must(t, err)
		return len(c.Ledger.Locks)
	}
	must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "mastermind", Seats: []uint8{0, 1}, Stakes: []uint256.Int{*stake}}))
	tb.wait(t, onlooker, func() bool { return locks() == 1 })
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, onlooker, func() bool { return onlooker.Head().Block >= world(t).Chain.Head() })
	for _, p := range tb.players[:2] {
		tb.wait(t, p, func() bool { return len(p.Matches()) == 1 })
		must(t, p.SetBot(p.Matches()[0].ID, true))
	}
	for _, p := range tb.players[:2] {
		_, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
	}
	tb.wait(t, onlooker, func() bool { return locks() == 0 })
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
