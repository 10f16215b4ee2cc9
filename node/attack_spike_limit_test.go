package node_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_FeeSpike_Limit: while gas costs more than the node may ever bid, no answer of its
// would land, however much its account has. So it locks no more money, and an alarm stands while
// some is locked.
func TestAttack_FeeSpike_Limit(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	var gwei atomic.Uint64
	alice := join(t, func(c *node.Config) { c.Chain.URL, c.Policy.Accept = spiky(t, &gwei), nil })
	bob := join(t, nil)
	tb.players = []*player{bob, alice}
	must(t, dev.Connect(tb.ctx, bob.Node, alice.Node))
	bob.fund(t)
	alice.fund(t)
	offer := func() common.Hash {
		id, err := bob.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{*stake, *stake}, Window: 20})
		must(t, err)
		tb.wait(t, alice, func() bool {
			list, err := alice.Offers()
			must(t, err)
			return slices.ContainsFunc(list, func(o node.Offer) bool { return o.ID == id })
		})
		return id
	}
	first, second := offer(), offer()
	must(t, alice.Accept(tb.ctx, first))
	for _, p := range tb.players {
		_, err := p.Opened(tb.ctx, first)
		must(t, err)
	}
	stands := func() bool {
		for _, e := range alice.Standing() {
			if strings.Contains(e.Text, "wei per gas and the limit is") {
				return true
			}
		}
		return false
	}
	gwei.Store(1200)
	if r, err := alice.Reserve(tb.ctx); err != nil || r.Short() {
		t.Fatalf("the account is to be rich: %+v, %v", r, err)
	}
	if err := alice.Accept(tb.ctx, second); !errors.Is(err, node.ErrFunds) || !strings.Contains(err.Error(), "fees.urgent") {
		t.Fatalf("a channel that can't be defended is accepted: %v", err)
	}
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, alice, stands)
	gwei.Store(0)
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, alice, func() bool { return !stands() })
	must(t, alice.Accept(tb.ctx, second))
}
