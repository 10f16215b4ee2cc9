package node_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/house"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_BlindHouse_Invite: the channel that an invite of the operator's calls for is offered
// before the house serves, while it does not see the chain. The house's policy refuses it, but what
// its operator agreed to counts.
func TestAttack_BlindHouse_Invite(t *testing.T) {
	t.Parallel()
	var late atomic.Int64
	var keeper *house.House
	lost := new(atomic.Bool)
	lost.Store(true)
	tb := emptyTable(t)
	served := join(t, func(c *node.Config) {
		now := func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
		c.Chain.Now, c.Chain.MaxAge = now, time.Hour
		p, err := house.Parse([]byte(`{"channels": 1, "exposure": "1wei", "deposit": "1wei", "games": {"toy": {"stake": "1wei"}}}`), c.Games)
		must(t, err)
		keeper = house.Join(c, p)
	})
	alice := join(t, func(c *node.Config) {
		nodetest.Lose(c, func(env *antev1.Envelope) bool { return lost.Load() && env.GetOpenOffer() != nil })
	})
	tb.players = []*player{alice, served}
	must(t, dev.Connect(tb.ctx, alice.Node, served.Node))
	alice.fund(t)
	served.fund(t)
	id, err := served.Invite(tb.ctx, duel(stake))
	must(t, err)
	_, err = alice.Join(tb.ctx, tb.invite(t, served, id).SignedInvite, stake)
	must(t, err)
	tb.wait(t, alice, func() bool { return tb.invite(t, alice, id).Offer != common.Hash{} })
	late.Store(int64(2 * time.Hour))
	lost.Store(false)
	tb.wait(t, served, func() bool { list, err := served.Offers(); return err == nil && len(list) == 1 })
	must(t, keeper.Serve(served.Node))
	late.Store(0)
	tb.mine(t)
	tb.wait(t, alice, func() bool {
		s := tb.invite(t, alice, id).State
		return s == node.InvitePlayed || s == node.InviteEnded
	})
	if i := tb.invite(t, alice, id); i.State != node.InvitePlayed {
		t.Errorf("the invite ended: %s", i.Reason)
	}
}
