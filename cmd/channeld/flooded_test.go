package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var thefts = flag.Int("flood.thefts", 0, "how many thieves TestAttack_StarvedRPC_Processes has; 0: it is skipped")

const (
	requestsPerSecond = 50 // that the victim's endpoint allows
	floodStrangers    = 3
	floodWindow       = 20  // blocks, one a second
	floodTurns        = 5   // with and without the flood
	floodMoves        = 100 // in each
)

// flooded is a real daemon behind an endpoint that limits it, an honest opponent and thieves.
type flooded struct {
	*victim
	world    *dev.World
	endpoint *chaintest.Endpoint
	at       string // where the daemon is among peers
	honest   *honest
	games    sync.WaitGroup
	sent     atomic.Uint64 // messages of strangers
}

// TestAttack_StarvedRPC_Processes: thieves settle an old ledger of a real daemon, one after the
// other, while strangers send it all the messages that they can, and its endpoint allows 50
// requests a second. It refutes every one in time, and an honest opponent waits for its moves less
// than twice as long as without the flood.
func TestAttack_StarvedRPC_Processes(t *testing.T) {
	if *thefts == 0 {
		t.Skip("takes half a minute a thief: see make flood")
	}
	f := newFlooded(t)
	var thieves []*thief
	for i := range *thefts {
		thieves = append(thieves, f.thief(10+i))
	}
	f.endpoint.Limit(requestsPerSecond)
	playing, stop := context.WithCancel(f.ctx)
	defer f.games.Wait()
	defer stop()
	f.honest.play(playing)
	var usual, flooded []time.Duration
	for i := range floodTurns { // what else this computer does comes to both
		usual = append(usual, f.honest.answers(f.ctx, floodMoves)...)
		still := f.flood(playing, 100+i*floodStrangers)
		flooded = append(flooded, f.honest.answers(f.ctx, floodMoves)...)
		still()
		f.honest.answers(f.ctx, 1) // the last of the flood is read
	}
	t.Logf("p90 of a move's answer: %v, under the flood %v; strangers sent %d messages", p90(usual), p90(flooded), f.sent.Load())
	if p90(flooded) >= 2*p90(usual) {
		t.Error("moves take twice as long under the flood")
	}
	defer f.flood(playing, 100+floodTurns*floodStrangers)()
	refuted := 0
	for _, thief := range thieves {
		before := f.bank()
		thief.settle()
		f.untilEnded(thief.channel)
		got := new(uint256.Int).Sub(f.bank(), before)
		if want := uint256.NewInt(deposit + stakes); got.Eq(want) {
			refuted++
		} else {
			t.Errorf("the daemon's player was paid %s, want %s", got.Dec(), want.Dec())
		}
	}
	t.Logf("refuted %d of %d; p90 during the thefts %v; strangers sent %d messages; the endpoint refused %d requests",
		refuted, len(thieves), p90(f.honest.answers(f.ctx, 1)), f.sent.Load(), f.endpoint.Refused())
}

func newFlooded(t *testing.T) *flooded {
	w, err := dev.Start(t.Context(), devnet.Config{BlockTime: time.Second, Accounts: 200}, games.Catalog{mastermind.Game()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(*thefts)*2*time.Minute+5*time.Minute)
	t.Cleanup(cancel)
	f := &flooded{victim: &victim{T: t, ctx: ctx, dir: filepath.Join(t.TempDir(), "victim"), account: w.Chain.Address(1)}, world: w}
	f.init(w, 1)
	f.endpoint, err = chaintest.NewEndpoint(w.URL)
	f.must(err)
	t.Cleanup(f.endpoint.Close)
	f.process = f.launch("run", "--chain.url", f.endpoint.URL, "--play.accept", "true", "--wait.poll", "500ms")
	select {
	case <-f.process.ready:
	case <-f.process.ended:
		t.Fatalf("it ended: %v\n%s", f.process.err, f.process.log.String())
	}
	f.api, err = (&soakDaemon{dir: f.dir}).api()
	f.must(err)
	status, err := f.api.GetStatus(ctx, connect.NewRequest(&antev1.GetStatusRequest{}))
	f.must(err)
	f.at = status.Msg.Addresses[0]
	_, err = f.api.Deposit(ctx, connect.NewRequest(&antev1.DepositRequest{Amount: fmt.Sprintf("%d000000000000000000", *thefts+50)}))
	f.must(err)
	for f.bank().IsZero() {
		f.must(f.pause())
	}
	f.honest = f.newHonest(2)
	return f
}

// pause waits before the chain is looked at again.
func (f *flooded) pause() error {
	select {
	case <-time.After(glance):
		return nil
	case <-f.ctx.Done():
		return f.ctx.Err()
	}
}

// bank is what the daemon's player has in the Arena's bank.
func (f *flooded) bank() *uint256.Int {
	f.Helper()
	c, arena := f.arena()
	defer c.Close()
	have, err := arena.Bank(f.ctx, common.Address{}, f.account)
	f.must(err)
	return have
}

// arena is the Arena as one sees it whom no endpoint limits.
func (f *flooded) arena() (*chain.Client, *chain.Arena) {
	f.Helper()
	c, err := chain.Dial(f.ctx, chain.Config{URL: f.world.URL})
	f.must(err)
	a, err := chain.OpenArena(f.ctx, c, f.world.Arena)
	f.must(err)
	return c, a
}

// untilEnded waits until a channel is paid out, as the daemon knows it.
func (f *flooded) untilEnded(id common.Hash) {
	f.Helper()
	for {
		list, err := f.api.ListChannels(f.ctx, connect.NewRequest(&antev1.ListChannelsRequest{}))
		if err == nil && !strings.Contains(list.Msg.String(), id.Hex()) {
			return
		}
		f.must(f.pause())
	}
}

// opponent starts a node that has a channel with the daemon.
func (f *flooded) opponent(account int, deposit *uint256.Int, adapt func(*node.Config)) (*node.Node, node.Config, common.Hash) {
	f.Helper()
	config, err := f.world.Config(account)
	f.must(err)
	adapt(&config)
	n, err := node.Start(f.ctx, config)
	f.must(err)
	f.Cleanup(func() { _ = n.Close() }) // a thief's is closed before
	f.must(dev.Deposit(f.ctx, n, deposit))
	f.must(n.Network().Keep(f.account, f.at))
	f.must(n.Network().Connect(f.ctx, f.account))
	offer, err := n.Offer(f.ctx, node.OpenRequest{
		Peers: []common.Address{f.account}, Deposits: []uint256.Int{*deposit, *deposit}, Window: floodWindow,
	})
	f.must(err)
	c, err := n.Opened(f.ctx, offer)
	f.must(err)
	return n, config, c.ID
}

// thief is somebody who lost a match to the daemon.
type thief struct {
	*flooded
	channel common.Hash
	contest onchain.ContestLedger
	wallet  chain.Signer
}

// thief opens a channel with the daemon, gives it a match, and leaves.
func (f *flooded) thief(account int) *thief {
	f.Helper()
	n, config, id := f.opponent(account, uint256.NewInt(deposit), func(*node.Config) {})
	f.must(n.Propose(id, node.MatchRequest{Game: "mastermind", Params: []byte(params), Stakes: []uint256.Int{*uint256.NewInt(stakes)}}))
	for e, err := range n.Events(f.ctx, 0) {
		f.must(err)
		if e.Kind == node.MatchStarted {
			f.must(n.Concede(e.Match))
			break
		}
	}
	_, err := n.Finished(f.ctx, id, 1)
	f.must(err)
	c, err := n.Channel(id)
	f.must(err)
	key, err := config.Sessions(c.Terms.Salt)
	f.must(err)
	signature, err := key.Sign(protocol.Contest{ChannelID: id, Version: 1}.Digest(n.Domain()))
	f.must(err)
	f.must(n.Close())
	return &thief{f, id, onchain.ContestLedger{
		Terms: c.Terms, Ledger: protocol.SignedLedger{Ledger: protocol.FirstLedger(id, &c.Terms)}, Seat: uint8(c.Seat), Signature: signature[:], //nolint:gosec // a seat
	}, config.GasPayer}
}

// settle posts the channel's first ledger.
func (t *thief) settle() {
	t.Helper()
	c, arena := t.arena()
	defer c.Close()
	sender, err := chain.NewSender(c, chain.SenderConfig{Signer: t.wallet, Store: store.NewMemory(), Now: arena.Now, Explain: codec.Explain})
	t.must(err)
	call, err := codec.New(arena.Domain()).Encode(t.contest)
	t.must(err)
	_, err = sender.Submit(t.ctx, chain.Request{Key: "theft", To: t.world.Arena, Data: call.Data})
	t.must(err)
}
