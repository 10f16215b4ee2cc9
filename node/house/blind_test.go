package house_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/house"
	"github.com/holiman/uint256"
)

// TestAttack_BlindHouse: what was asked of a house before it serves, and can't be answered while
// the chain is not seen for certain, is answered when it is: an offer and a proposal.
func TestAttack_BlindHouse(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	w, err := dev.Start(ctx, devnet.Config{Accounts: 20}, games.Catalog{sumscows.Game(), mastermind.Game()})
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	var late atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
	c, err := w.Config(0)
	must(t, err)
	c.Now, c.Chain.Now, c.Chain.MaxAge = now, now, time.Hour
	p, err := house.Parse([]byte(policy), w.Games)
	must(t, err)
	h := house.Join(&c, p)
	n, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, n.Close()) })
	must(t, dev.Deposit(ctx, n, uint256.NewInt(5e18)))
	c, err = w.Config(1)
	must(t, err)
	c.Policy.Bot = true
	one, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, one.Close()) })
	must(t, dev.Connect(ctx, one, n))
	must(t, dev.Deposit(ctx, one, uint256.NewInt(5e17)))

	first, err := one.Offer(ctx, request(n, 1e17, 2e17))
	must(t, err)
	wait := func(n *node.Node, ready func() bool) {
		t.Helper()
		must(t, n.Wait(ctx, func() (bool, error) { return ready(), nil }))
	}
	offered := func(state node.OfferState) func() bool {
		return func() bool {
			list, err := n.Offers()
			must(t, err)
			count := 0
			for _, o := range list {
				if o.State == state {
					count++
				}
			}
			return count == 1
		}
	}
	wait(n, offered(node.OfferOpen))
	must(t, n.Accept(ctx, first))
	open, err := one.Opened(ctx, first)
	must(t, err)
	_, err = n.Opened(ctx, first)
	must(t, err)
	must(t, dev.Deposit(ctx, one, uint256.NewInt(3e17)))
	second, err := one.Offer(ctx, request(n, 1e17, 2e17))
	must(t, err)
	must(t, one.Propose(open.ID, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game)}))
	wait(n, offered(node.OfferOpen))
	wait(n, func() bool { return len(n.Proposals()) == 1 })

	late.Store(int64(2 * time.Hour))
	must(t, h.Serve(n))
	if _, declined, err := answers(n, one.Account()); err != nil || len(declined) != 0 {
		t.Errorf("it declines what it can't answer now: %q, %v", declined, err)
	}
	if len(n.Proposals()) != 1 {
		t.Error("it answers the proposal")
	}
	late.Store(0)
	if _, err := one.Finished(ctx, open.ID, 1); err != nil {
		t.Errorf("the match: %v", err)
	}
	if _, err := one.Opened(ctx, second); err != nil {
		t.Errorf("the channel: %v", err)
	}
}
