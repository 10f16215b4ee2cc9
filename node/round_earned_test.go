package node_test

import (
	"encoding/json"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestSubsidiesAtStakeAreSpent: what the house has won in earlier rounds is not there twice. A subsidy that is at stake for players
// whom it has not named counts as lost until their match is over; one for players whom it has named is its own.
func TestSubsidiesAtStakeAreSpent(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	head := world(t).Chain.Head()
	id, err := p.OpenRound(node.RoundRequest{
		Least: *uint256.NewInt(100), Most: *uint256.NewInt(1000), Window: 20, Closes: head + 10_000, Shuffle: head + 10_010,
	})
	must(t, err)
	like, err := p.Round(id)
	must(t, err)
	pair := []channel.Registration{
		{Player: common.Address{1}, Stake: *uint256.NewInt(400)}, {Player: common.Address{2}, Stake: *uint256.NewInt(400)},
	}
	stakes, err := like.Stakes(&node.RoundGroup{Players: pair})
	must(t, err)
	subsidy := stakes[0]
	put := func(key string, value any) {
		t.Helper()
		text, err := json.Marshal(value)
		must(t, err)
		must(t, p.memory.Commit(map[string][]byte{key: text}))
	}
	group := func(n byte, named bool, gain int64) {
		t.Helper()
		r := like
		r.ID = common.Hash{n}
		r.Groups = []node.RoundGroup{{Players: pair, State: node.GroupPlaying, Channel: common.Hash{n}, Since: 1 << 40, Named: named}}
		put("round/"+r.ID.Hex(), &r)
		if gain != 0 {
			gets := *uint256.NewInt(subsidy.Uint64() + uint64(gain))
			put("result/"+r.ID.Hex(), &node.Result{
				Match: r.ID, Channel: r.ID, Terms: channel.MatchTerms{Stakes: stakes}, Payouts: []uint256.Int{gets, {}, {}},
			})
		}
	}
	want := func(earned uint64) {
		t.Helper()
		if got, err := p.Earned(&like); err != nil || got.Uint64() != earned {
			t.Errorf("it has earned %v, %v; want %d", got, err, earned)
		}
	}
	want(0)
	group(1, false, 5_000)
	want(5_000)
	group(2, true, 0)
	want(5_000)
	group(3, false, 0)
	want(5_000 - subsidy.Uint64())
	group(4, false, -30)
	want(5_000 - subsidy.Uint64() - 30)
}
