package node_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/battleships"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"go.uber.org/goleak"
)

var (
	ether = uint256.NewInt(1e18)
	stake = uint256.NewInt(1e17)
	eth   common.Address
)

// parallel is how many tests run at once unless -parallel says otherwise: they wait more than they
// compute.
const parallel = "6"

func TestMain(m *testing.M) {
	err := flag.Set("test.parallel", parallel)
	code := m.Run()
	if code == 0 && err == nil {
		err = goleak.Find(
			goleak.IgnoreAnyFunction("github.com/ethereum/go-ethereum/core.(*txSenderCacher).cache"),
			goleak.IgnoreAnyFunction("github.com/cockroachdb/pebble.(*DB).mpoolDrain"),
			goleak.IgnoreAnyFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"),
			goleak.IgnoreAnyFunction("github.com/ipfs/go-log/writer.(*MirrorWriter).logRoutine"),
		)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// testWorld is the world of one test and its subtests.
type testWorld struct {
	*dev.World
	accounts atomic.Int32
}

// worlds holds the world of each test that runs, by the test's name.
var worlds sync.Map

// world returns the world that a test and its subtests share. It begins with its first use.
func world(t testing.TB) *testWorld {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	if w, ok := worlds.Load(name); ok {
		return w.(*testWorld)
	}
	return begin(t, devnet.Config{})
}

// begin makes another world for a test and its subtests, from now on.
func begin(t testing.TB, chain devnet.Config) *testWorld {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	chain.Accounts = 64
	w, err := dev.Start(t.Context(), chain, games.Catalog{
		mastermind.Game(), battleships.Game(), sumscows.Game(), splitsteal.Game(), box9.Game(), toyGame(),
	})
	must(t, err)
	tw := &testWorld{World: w}
	worlds.Store(name, tw)
	t.Cleanup(func() {
		worlds.Delete(name)
		must(t, w.Close())
		forget(t)
	})
	return tw
}

// forget lets go of what a test's cleanups hold, in the one that runs last. Package testing keeps a
// parallel test that is over, and with it the functions that cleaned up after it, until all tests
// are: that is a chain and some nodes for each test, unless other functions take their places.
func forget(t testing.TB) {
	for range 64 {
		t.Cleanup(func() {})
	}
}

// account returns the number of an account that nobody in this world has yet.
func (w *testWorld) account() int { return int(w.accounts.Add(1)) }

// player is a node of a test, which can be restarted on its store.
type player struct {
	*node.Node
	config node.Config
	memory *store.Memory // its store, unless the test put another one
}

// join makes a player with an account of its own. It accepts every offer and every match; change
// may say otherwise.
func join(t testing.TB, change func(*node.Config)) *player {
	t.Helper()
	c, err := world(t).Config(world(t).account())
	must(t, err)
	p := &player{config: c, memory: c.Store.(*store.Memory)}
	p.config.Policy.Accept = func(node.Offer) bool { return true }
	p.config.Policy.Approve = func(node.Proposal) bool { return true }
	if change != nil {
		change(&p.config)
	}
	p.start(t)
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

func init() {
	node.Join = func(t testing.TB, change func(*node.Config)) *node.Node { return join(t, change).Node }
	node.Deploy = func(t testing.TB, code []byte) common.Address {
		made, err := world(t).Chain.Deploy(t.Context(), code)
		must(t, err)
		return made.ContractAddress
	}
}

func (p *player) start(t testing.TB) {
	t.Helper()
	var err error
	p.Node, err = node.Start(t.Context(), p.config)
	must(t, err)
}

// restart stops the node and starts it on what its store holds, as after a crash.
func (p *player) restart(t testing.TB) {
	t.Helper()
	must(t, p.Close())
	p.memory = p.memory.Reopen()
	p.config.Store = p.memory
	p.start(t)
}

// hasty gives a player hardly any patience, once there is somebody whom it should not wait for:
// until then it waits as long as it takes, however slow the machine is.
func hasty(c *node.Config, silent func() bool) {
	glass := dev.NewSandglass()
	c.Policy.Patience = 50 * time.Millisecond
	c.Now = func() time.Time {
		if silent() {
			glass.Turn()
		}
		return glass.Now()
	}
}

// fund puts an ether into the player's bank balance.
func (p *player) fund(t testing.TB) {
	t.Helper()
	must(t, dev.Deposit(t.Context(), p.Node, ether))
}

// table is players that are connected and share a channel of one ether each, with the first as seat
// 0.
type table struct {
	ctx     context.Context
	players []*player
	channel common.Hash
}

// patience is how long a test waits for anything at all: far longer than a busy machine needs.
const patience = 15 * time.Minute

// emptyTable is a table at which nobody sits yet.
func emptyTable(t testing.TB) *table {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return &table{ctx: ctx}
}

// sit makes a table. Change may be nil; it adapts the configuration of each seat.
func sit(t testing.TB, seats int, change func(seat int, c *node.Config)) *table {
	t.Helper()
	return sitFor(t, 20, seats, change)
}

// sitFor makes a table with a window.
func sitFor(t testing.TB, window uint64, seats int, change func(seat int, c *node.Config)) *table {
	t.Helper()
	tb := emptyTable(t)
	ctx := tb.ctx
	request := node.OpenRequest{Window: window}
	for seat := range seats {
		p := join(t, func(c *node.Config) {
			if change != nil {
				change(seat, c)
			}
		})
		tb.players = append(tb.players, p)
		request.Deposits = append(request.Deposits, *ether)
		if seat == 0 {
			continue
		}
		request.Peers = append(request.Peers, p.Account())
		for _, other := range tb.players[:seat] {
			must(t, dev.Connect(ctx, other.Node, p.Node))
		}
		p.fund(t)
	}
	offer, err := tb.players[0].Offer(ctx, request)
	must(t, err)
	c, err := tb.players[0].Opened(ctx, offer)
	must(t, err)
	for _, p := range tb.players[1:] {
		_, err := p.Opened(ctx, offer)
		must(t, err)
	}
	tb.channel = c.ID
	return tb
}

// wait waits until something is true for a player.
func (tb *table) wait(t testing.TB, p *player, ready func() bool) {
	t.Helper()
	must(t, p.Wait(tb.ctx, func() (bool, error) { return ready(), nil }))
}

// match proposes a match by seat 0, and waits until it has started for everybody.
func (tb *table) match(t testing.TB, game, params string) common.Hash {
	t.Helper()
	must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: game, Params: []byte(params), Stakes: []uint256.Int{*stake}}))
	var id common.Hash
	for _, p := range tb.players {
		tb.wait(t, p, func() bool {
			list := p.Matches()
			at := slices.IndexFunc(list, func(m node.Match) bool { return m.Started && m.Outcome == nil })
			if at >= 0 {
				id = list[at].ID
			}
			return at >= 0
		})
	}
	return id
}

// won plays the table's first match, of toy. The first player wins it, and has it booked.
func (tb *table) won(t testing.TB) common.Hash {
	t.Helper()
	id := tb.match(t, "toy", "")
	tb.play(t, tb.players[0], id, "win 0")
	_, err := tb.players[0].Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	return id
}

// play makes a move as soon as it is the player's turn.
func (tb *table) play(t testing.TB, p *player, match common.Hash, text string) {
	t.Helper()
	tb.wait(t, p, func() bool { m, err := p.Match(match); return err == nil && m.MayMove && int(m.Mover) == m.Seat })
	must(t, p.Play(match, text))
}

// event waits for an event of a kind, whatever came before it.
func (tb *table) event(t testing.TB, p *player, kind node.Kind) node.Event {
	t.Helper()
	for e, err := range p.Events(tb.ctx, 0) {
		must(t, err)
		if e.Kind == kind {
			return e
		}
	}
	return node.Event{}
}

// free is what a player has in the bank.
func (tb *table) free(t testing.TB, p *player) *uint256.Int {
	t.Helper()
	free, err := p.BankBalance(tb.ctx, eth)
	must(t, err)
	return free
}

// regained checks that a player has in the bank what it had before, its deposit, and a stake that
// it won.
func (tb *table) regained(t testing.TB, p *player, before *uint256.Int) {
	t.Helper()
	want := new(uint256.Int).Add(before, ether)
	if got := tb.free(t, p); !got.Eq(want.Add(want, stake)) {
		t.Errorf("the player has %s, want %s", got.Dec(), want.Dec())
	}
}

// closed closes the channel by consent, and checks that everybody gets what the results say.
func (tb *table) close(t testing.TB) {
	t.Helper()
	before := make([]*uint256.Int, len(tb.players))
	for i, p := range tb.players {
		before[i] = tb.free(t, p)
	}
	must(t, tb.players[0].CloseChannel(tb.channel))
	for i, p := range tb.players {
		must(t, p.Closed(tb.ctx, tb.channel))
		want := new(uint256.Int).Add(before[i], ether)
		results, err := p.Results()
		must(t, err)
		for _, r := range results {
			want.Sub(want, &r.Terms.Stakes[r.Seat]).Add(want, &r.Payouts[r.Seat])
		}
		if got := tb.free(t, p); !got.Eq(want) {
			t.Errorf("seat %d has %s in the bank, want %s", i, got.Dec(), want.Dec())
		}
	}
}

// exit has a player close the channel one-sidedly, unless its node has done so by itself and is
// paid already. When another seat was first, in a block that the node has not seen yet, the node
// tries again by itself.
func (tb *table) exit(t *testing.T, p *player) {
	t.Helper()
	if err := p.Exit(tb.ctx, tb.channel); !errors.Is(err, node.ErrEnded) && !errors.Is(err, node.ErrNotSent) {
		must(t, err)
	}
}

// mine lets time pass on the chain until the test is over.
func (tb *table) mine(t *testing.T) {
	var nodes []*node.Node
	for _, p := range tb.players {
		nodes = append(nodes, p.Node)
	}
	t.Cleanup(world(t).PassTime(tb.ctx, nodes...))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
