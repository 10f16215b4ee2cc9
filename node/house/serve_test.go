package house_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/house"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/holiman/uint256"
)

// A house that doesn't serve yet has no channels to close.
func TestHouse_SweepBeforeServing(t *testing.T) {
	p, err := house.Parse([]byte(policy), catalog.Standard())
	must(t, err)
	house.Join(&node.Config{Games: catalog.Standard()}, p).Sweep(time.Unix(1e9, 0))
}

// A house answers a proposal that waits while it closes the idle channel: it could not store its
// answer before.
func TestAttack_DiskFull_Sweep(t *testing.T) {
	var full atomic.Bool
	var once sync.Once
	refused := make(chan struct{})
	_, h, keeper, players := openAs(t, 1, policy, func(c *node.Config) {
		c.Store = &storetest.Faulty{Store: c.Store, Before: func(op storetest.Op) error {
			if op != storetest.Commit || !full.Load() {
				return nil
			}
			once.Do(func() { close(refused) })
			return store.ErrFull
		}}
		approve := c.Policy.Approve
		c.Policy.Approve = func(p node.Proposal) bool {
			select {
			case <-refused:
			default:
				full.Store(true)
			}
			return approve(p)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p := players[0]
	offer, err := p.Offer(ctx, request(h, 3e17, 4e17))
	must(t, err)
	c, err := p.Opened(ctx, offer)
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) { c, err := h.Channel(c.ID); return c.Status == node.ChannelOpen, err }))
	keeper.Sweep(time.Unix(1e9, 0))
	must(t, p.Propose(c.ID, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(1e16)}}))
	<-refused
	full.Store(false)
	swept := make(chan struct{})
	go func() {
		keeper.Sweep(time.Unix(1e9, 0).Add(2 * time.Hour))
		close(swept)
	}()
	select {
	case <-swept:
	case <-time.After(time.Minute):
		t.Fatal("the house waits for itself")
	}
	must(t, p.Closed(ctx, c.ID))
}

// A channel is idle from when something last happened in it, and not while a match is locked,
// however long a player thinks; and a policy without a limit closes none.
func TestHouse_SweepSparesPlay(t *testing.T) {
	w, h, keeper, _ := open(t, 0)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := w.Config(1)
	must(t, err)
	slow, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, slow.Close()) })
	must(t, dev.Connect(ctx, slow, h))
	must(t, dev.Deposit(ctx, slow, uint256.NewInt(5e17)))
	offer, err := slow.Offer(ctx, request(h, 3e17, 4e17))
	must(t, err)
	opened, err := slow.Opened(ctx, offer)
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) { c, err := h.Channel(opened.ID); return c.Status == node.ChannelOpen, err }))
	spared := func(after time.Duration) {
		t.Helper()
		keeper.Sweep(time.Unix(1e9, 0).Add(after))
		if c, err := h.Channel(opened.ID); err != nil || c.Status != node.ChannelOpen {
			t.Fatalf("after %s it is %s, %v", after, c.Status, err)
		}
	}
	locked := func(n *node.Node, matches int) {
		t.Helper()
		must(t, n.Wait(ctx, func() (bool, error) { c, err := n.Channel(opened.ID); return len(c.Ledger.Locks) == matches, err }))
	}
	begin := func() {
		t.Helper()
		must(t, slow.Propose(opened.ID, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game)}))
		locked(h, 1)
	}
	end := func() {
		t.Helper()
		must(t, slow.Wait(ctx, func() (bool, error) { matches := slow.Matches(); return len(matches) == 1 && matches[0].MayMove, nil }))
		must(t, slow.Concede(slow.Matches()[0].ID))
		locked(h, 0)
		locked(slow, 0)
	}
	spared(0)
	begin()
	end()
	spared(2 * time.Hour) // a match was played since
	begin()
	spared(4 * time.Hour)
	spared(6 * time.Hour) // it still is
	end()
	spared(8 * time.Hour)
	idle := keeper.Idle(0)
	spared(100 * time.Hour)
	keeper.Idle(idle)
	keeper.Sweep(time.Unix(1e9, 0).Add(10 * time.Hour))
	if c, err := h.Channel(opened.ID); err != nil || c.Status == node.ChannelOpen {
		t.Errorf("it closes no idle channel: %v", err)
	}
}

// What a house is offered before it serves is answered when it does; what its own node offers is
// left alone.
func TestHouse_ServesWhatCameBefore(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w, err := dev.Start(ctx, devnet.Config{Accounts: 20}, games.Catalog{sumscows.Game()})
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	c, err := w.Config(0)
	must(t, err)
	p, err := house.Parse([]byte(policy), w.Games)
	must(t, err)
	keeper := house.Join(&c, p)
	h, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, h.Close()) })
	c, err = w.Config(1)
	must(t, err)
	player, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, player.Close()) })
	must(t, dev.Connect(ctx, player, h))
	for _, n := range []*node.Node{h, player} {
		must(t, dev.Deposit(ctx, n, uint256.NewInt(1e18)))
	}
	theirs, err := player.Offer(ctx, request(h, 1e17, 2e17))
	must(t, err)
	own, err := h.Offer(ctx, request(player, 1e17, 1e17))
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) { list, err := h.Offers(); return len(list) == 2, err }))
	must(t, keeper.Serve(h))
	list, err := h.Offers()
	must(t, err)
	for _, o := range list {
		if o.ID == own && o.State != node.OfferOpen || o.ID == theirs && o.State == node.OfferOpen {
			t.Errorf("the offer of %s is %s: %s", o.Terms.Players[0], o.State, o.Reason)
		}
	}
}

// In a channel of another asset, which its owner has opened by hand, a house plays nothing.
func TestHouse_PlaysForItsAssetOnly(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	units := strings.NewReplacer("0.001eth", "1000000000000000", "0.01eth", "10000000000000000", "0.1eth", "100000000000000000", "0.5eth", "500000000000000000",
		"2eth", "2000000000000000000").Replace(policy)
	_, h, _, players := openWith(t, 1, strings.Replace(units, "{", `{"asset": "0x00000000000000000000000000000000000000ee",`, 1), time.Now)
	player := players[0]
	offer, err := h.Offer(ctx, request(player, 2e17, 2e17))
	must(t, err)
	must(t, player.Wait(ctx, func() (bool, error) { list, err := player.Offers(); return len(list) == 1, err }))
	must(t, player.Accept(ctx, offer))
	_, err = h.Opened(ctx, offer)
	must(t, err)
	c, err := player.Opened(ctx, offer)
	must(t, err)
	must(t, player.Propose(c.ID, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game)}))
	for e, err := range player.Events(ctx, 0) {
		must(t, err)
		if e.Kind == node.ProposalFailed {
			if !strings.Contains(e.Text, "plays for the token") {
				t.Errorf("refused because %q", e.Text)
			}
			break
		}
	}
}
