package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestDataCosts: a stake that pays for the gas of a dispute only is enough on most chains, and too
// little where the chain charges for data.
func TestDataCosts(t *testing.T) {
	t.Parallel()
	propose := func() error {
		tb := sit(t, 2, nil)
		return tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(2e15)}})
	}
	must(t, propose())
	for _, code := range []map[common.Address][]byte{chaintest.PriceOracle, chaintest.GasInfo} {
		begin(t, devnet.Config{Code: code})
		if err := propose(); !errors.Is(err, money.ErrShort) {
			t.Errorf("where data costs: %v", err)
		}
	}
}
