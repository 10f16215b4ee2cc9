package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// TestDataCosts: where the chain charges for data, a stake that pays for the gas of a dispute only
// is too little, and so it is for an opponent who counts that.
func TestDataCosts(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(seat int, c *node.Config) { c.Chain.OPStack = seat == 0 })
	alice, bob := tb.players[0], tb.players[1]
	request := node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(2e15)}}
	if err := alice.Propose(tb.channel, request); !errors.Is(err, money.ErrShort) {
		t.Errorf("alice, who counts it, proposes: %v", err)
	}
	must(t, bob.Propose(tb.channel, request))
}
