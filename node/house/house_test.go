package house_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/house"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const policy = `{
	"channels": 5, "exposure": "2eth", "deposit": "0.5eth", "idle": "1h",
	"games": {"sums-and-cows": {"seat": 1, "params": {
		"n": {"least": 4}, "d": {"least": 2}, "guesses": {"least": 1},
		"start": {"least": "0.01eth"}, "fee": {"least": "0.001eth"}, "prize": {"most": "0.1eth"}
	}}}
}`

const game = `{"n":8,"d":4,"guesses":9,"start":"10000000000000000","fee":"1000000000000000","prize":"100000000000000000"}`

// patience is how long a test waits for anything at all: far longer than a busy machine needs.
const patience = 5 * time.Minute

// open is a world with a house, and players who are connected to it and have half an ether in the
// bank.
func open(t *testing.T, players int) (*dev.World, *node.Node, *house.House, []*node.Node) {
	t.Helper()
	return openWith(t, players, policy, time.Now)
}

// openWith is open for a house with another policy and clock.
func openWith(t *testing.T, players int, policy string, now func() time.Time) (*dev.World, *node.Node, *house.House, []*node.Node) {
	t.Helper()
	return openAs(t, players, policy, func(c *node.Config) { c.Now = now })
}

// openAs is open for a house with another policy and configuration.
func openAs(t *testing.T, players int, policy string, change func(*node.Config)) (*dev.World, *node.Node, *house.House, []*node.Node) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	w, err := dev.Start(ctx, devnet.Config{Accounts: 20}, games.Catalog{sumscows.Game(), mastermind.Game()})
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	c, err := w.Config(0)
	must(t, err)
	p, err := house.Parse([]byte(policy), w.Games)
	must(t, err)
	h := house.Join(&c, p)
	change(&c)
	n, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, n.Close()) })
	must(t, h.Serve(n))
	must(t, dev.Deposit(ctx, n, uint256.NewInt(5e18)))
	var list []*node.Node
	for i := range players {
		c, err := w.Config(i + 1)
		must(t, err)
		c.Policy.Bot = true
		one, err := node.Start(ctx, c)
		must(t, err)
		t.Cleanup(func() { must(t, one.Close()) })
		must(t, dev.Connect(ctx, one, n))
		must(t, dev.Deposit(ctx, one, uint256.NewInt(5e17)))
		list = append(list, one)
	}
	return w, n, h, list
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func request(h *node.Node, mine, its uint64) node.OpenRequest {
	return node.OpenRequest{Peers: []common.Address{h.Account()}, Deposits: []uint256.Int{*uint256.NewInt(mine), *uint256.NewInt(its)}, Window: 20}
}

// declined waits until an offer is declined, and returns why.
func declined(t *testing.T, n *node.Node, r node.OpenRequest) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	id, err := n.Offer(ctx, r)
	must(t, err)
	why := ""
	must(t, n.Wait(ctx, func() (bool, error) {
		offers, err := n.Offers()
		for _, o := range offers {
			if o.ID == id && o.State == node.OfferDeclined {
				why = o.Reason
			}
		}
		return why != "", err
	}))
	return why
}

// Several players at once open channels with a house and play some matches each; every one is paid
// exactly what its results say.
func TestChecklist_SumsAndCows_03_SeveralGamesAtOnce(t *testing.T) {
	_, h, _, players := open(t, 3)
	var all sync.WaitGroup
	errs := make(chan error, len(players))
	for i, p := range players {
		all.Go(func() {
			if err := evening(t.Context(), p, h, 2+i); err != nil {
				errs <- fmt.Errorf("player %d: %w", i, err)
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	ids := map[common.Hash]bool{}
	results, err := h.Results()
	must(t, err)
	for _, r := range results {
		if ids[r.Match] || r.Seat != int(sumscows.Server) {
			t.Errorf("match %x at seat %d, twice: %v", r.Match, r.Seat, ids[r.Match])
		}
		ids[r.Match] = true
	}
	if len(ids) != 2+3+4 {
		t.Errorf("%d matches were played", len(ids))
	}
}

// evening opens a channel with a house, plays so many matches and closes it.
func evening(ctx context.Context, p, h *node.Node, matches int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	offer, err := p.Offer(ctx, request(h, 3e17, 4e17))
	if err != nil {
		return err
	}
	c, err := p.Opened(ctx, offer)
	if err != nil {
		return err
	}
	paid := func(n int) (bool, error) {
		list, err := p.Results()
		for _, r := range list {
			if r.Paid {
				n--
			}
		}
		return n <= 0, err
	}
	for played := range matches {
		if err := p.Wait(ctx, func() (bool, error) { return paid(played) }); err != nil {
			return fmt.Errorf("match %d: %w", played, err)
		}
		if err := p.Propose(c.ID, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game)}); err != nil {
			return fmt.Errorf("match %d: %w", played, err)
		}
	}
	if err := p.Wait(ctx, func() (bool, error) { return paid(matches) }); err != nil {
		return err
	}
	before, err := p.BankBalance(ctx, common.Address{})
	if err != nil {
		return err
	}
	if err := p.CloseChannel(c.ID); err != nil {
		return err
	}
	if err := p.Closed(ctx, c.ID); err != nil {
		return err
	}
	want := new(uint256.Int).Add(before, uint256.NewInt(3e17))
	results, err := p.Results()
	for _, r := range results {
		if r.Reason != "" || r.Guilty != 0 {
			return fmt.Errorf("match %x ended by %q", r.Match, r.Reason)
		}
		want.Sub(want, &r.Terms.Stakes[r.Seat]).Add(want, &r.Payouts[r.Seat])
	}
	if got, e := p.BankBalance(ctx, common.Address{}); e != nil || !got.Eq(want) {
		return fmt.Errorf("%s in the bank, want %s (%w)", got.Dec(), want.Dec(), e)
	}
	return err
}

// A player whose balance can't cover a match is refused before anything is locked, and told why.
func TestChecklist_SumsAndCows_16_ServerRefusesAPoorPlayer(t *testing.T) {
	_, h, _, players := open(t, 1)
	p := players[0]
	if why := declined(t, p, request(h, 1e16, 4e17)); !strings.Contains(why, "seat 0 deposits 0.01 eth, which does not cover the 0.011 eth") {
		t.Errorf("declined because %q", why)
	}
	// Enough for the cheapest match, but not for this one: the rules themselves let nobody play it
	// for less.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	offer, err := p.Offer(ctx, request(h, 15e15, 4e17))
	must(t, err)
	c, err := p.Opened(ctx, offer)
	must(t, err)
	err = p.Propose(c.ID, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game)})
	if err == nil {
		t.Error("a match is proposed that the balance does not cover")
	}
	err = p.Propose(c.ID, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game), Stakes: []uint256.Int{*uint256.NewInt(15e15), *uint256.NewInt(1e17)}})
	if err == nil {
		t.Error("a match is proposed for less than it may cost")
	}
	if len(h.Matches()) != 0 {
		t.Errorf("%d matches", len(h.Matches()))
	}
}

// A house refuses what its policy does not allow, each with its reason, and no more channels than
// it has room for.
func TestHouse_Refuses(t *testing.T) {
	_, h, _, players := open(t, 2)
	if why := declined(t, players[0], request(h, 3e17, 6e17)); !strings.Contains(why, "deposits at most 0.5 eth") {
		t.Errorf("declined because %q", why)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var channels []common.Hash
	for _, p := range players {
		for range 2 {
			offer, err := p.Offer(ctx, request(h, 1e17, 5e17))
			must(t, err)
			c, err := p.Opened(ctx, offer)
			must(t, err)
			channels = append(channels, c.ID)
		}
	}
	if why := declined(t, players[0], request(h, 1e17, 4e17)); !strings.Contains(why, "risks at most 2 eth") {
		t.Errorf("declined because %q", why)
	}
	for _, r := range []struct {
		node.MatchRequest
		part string
	}{
		{node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(5e16)}}, "the house plays [sums-and-cows]"},
		{node.MatchRequest{Game: "sums-and-cows", Params: []byte(strings.Replace(game, `"prize":"1`, `"prize":"2`, 1))}, "prize"},
	} {
		must(t, players[0].Propose(channels[0], r.MatchRequest))
		refusal := ""
		for e, err := range players[0].Events(ctx, 0) {
			must(t, err)
			if strings.Contains(e.Text, r.part) {
				refusal = e.Text
				break
			}
		}
		t.Log(refusal)
	}
}

// Channels in which nobody plays are closed after a while.
func TestHouse_Sweep(t *testing.T) {
	_, h, keeper, players := open(t, 1)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	offer, err := players[0].Offer(ctx, request(h, 1e17, 1e17))
	must(t, err)
	c, err := players[0].Opened(ctx, offer)
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) { c, err := h.Channel(c.ID); return c.Status == node.ChannelOpen, err }))
	now := time.Unix(1e9, 0)
	for _, past := range []time.Duration{0, time.Hour} {
		keeper.Sweep(now.Add(past))
		if c, err := h.Channel(c.ID); err != nil || c.Status != node.ChannelOpen {
			t.Fatalf("after %v: %v, %v", past, c.Status, err)
		}
	}
	keeper.Sweep(now.Add(time.Hour + 1))
	must(t, players[0].Closed(ctx, c.ID))
}
