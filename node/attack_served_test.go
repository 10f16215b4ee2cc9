package node_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/house"
	"github.com/holiman/uint256"
)

// TestAttack_SybilPair_Served: one of a subsidised pair proposes another match in their channel
// while the house does not see the chain and before it serves. The house's policy takes it, but
// what the round says of it counts.
func TestAttack_SybilPair_Served(t *testing.T) {
	t.Parallel()
	var late atomic.Int64
	var keeper *house.House
	tb := sit(t, 3, func(seat int, c *node.Config) {
		if seat > 0 {
			return
		}
		now := func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
		c.Now, c.Chain.Now, c.Chain.MaxAge = now, now, time.Hour
		p, err := house.Parse([]byte(`{"channels": 1, "exposure": "1eth", "deposit": "1eth", "games": {"toy": {"stake": "1eth"}}}`), c.Games)
		must(t, err)
		keeper = house.Join(c, p)
	})
	served, mallory := tb.players[0], tb.players[1]
	head := world(t).Chain.Head()
	id, err := served.OpenRound(node.RoundRequest{Game: splitsteal.Name, Least: *stake, Most: *stake, Window: 20, Closes: head + 10_000, Shuffle: head + 10_001})
	must(t, err)
	must(t, served.EditRound(id, func(r *node.Round) { r.Groups = []node.RoundGroup{{State: node.GroupDone, Channel: tb.channel}} }))
	late.Store(int64(2 * time.Hour))
	must(t, mallory.Propose(tb.channel, node.MatchRequest{Game: "toy", Seats: []uint8{0, 1}, Stakes: []uint256.Int{*stake}}))
	tb.wait(t, served, func() bool { return len(served.Proposals()) == 1 })
	late.Store(0)
	must(t, keeper.Serve(served.Node))
	tb.wait(t, mallory, func() bool { return len(mallory.Matches())+len(mallory.FailedProposals()) > 0 })
	if list := mallory.Matches(); len(list) > 0 {
		t.Errorf("the house plays %s there", list[0].Game)
	}
}
