package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/cli"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/holiman/uint256"
)

// victim is a player whose daemon dies, with a live opponent.
type victim struct {
	*testing.T
	ctx     context.Context
	dir     string
	account common.Address
	process *process
	disk    io.Writer                       // where the process is told how full its disk is
	api     antev1connect.NodeServiceClient // of the process
	starves string                          // not empty: its disk can be full
	told    *nodetest.Witness               // of what the daemon signs

	peer    *node.Node
	hush    *hush // of the peer
	patient bool  // the chain is not asked to end it
}

const (
	password = "correct horse"
	deposit  = 1_000_000_000_000_000_000
	stakes   = 100_000_000_000_000_000
	params   = `{"pegs": 1, "colours": 2, "rounds": 2, "guesses": 2}`
	window   = 1000 // blocks, which come with transactions only: no clock runs out
	settings = `
chain: {url: %q, arena: "%v", from: %d, max_age: 0s}
games: {mastermind: "%v"}
peers: {listen: /ip4/127.0.0.1/tcp/0, mdns: false}
api: {listen: "127.0.0.1:0"}
play: {window: %d}
wait: {confirmations: 1, poll: 50ms}
`
)

// newWorld starts a chain on which a few accounts can play Mastermind, a few thousand with
// -crash.every, and on which blocks come with transactions.
func newWorld(t *testing.T) *dev.World {
	t.Helper()
	accounts := 32
	if *everyCrash {
		accounts = 2000
	}
	w, err := dev.Start(t.Context(), devnet.Config{Accounts: accounts}, games.Catalog{mastermind.Game()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// newVictim makes a daemon's directory and starts its opponent, with two accounts of the world.
func newVictim(t *testing.T, w *dev.World, account int) *victim {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	t.Cleanup(cancel)
	v := &victim{T: t, ctx: ctx, dir: t.TempDir(), account: w.Chain.Address(account), told: nodetest.NewWitness()}
	v.init(w, account)
	c, err := w.Config(account + 1)
	v.must(err)
	c.Policy.Bot, c.Policy.Accept, c.Policy.Approve = true, func(node.Offer) bool { return true }, func(node.Proposal) bool { return true }
	v.told.Listen(&c, v.account)
	v.hush = hushOn(&c)
	v.peer, err = node.Start(ctx, c)
	v.must(err)
	t.Cleanup(func() {
		if err := v.peer.Close(); err != nil {
			t.Error(err)
		}
	})
	go v.hush.endWithTheAnswer(ctx, v.peer)
	v.must(dev.Deposit(ctx, v.peer, uint256.NewInt(deposit)))
	return v
}

func (v *victim) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

// init has channeld make the directory, for an account of the world.
func (v *victim) init(w *dev.World, account int) {
	v.Helper()
	id, err := uuid.NewRandom()
	v.must(err)
	key, err := keystore.EncryptKey(&keystore.Key{Id: id, Address: v.account, PrivateKey: w.Chain.Key(account)}, password, 2, 1)
	v.must(err)
	wallet, secret := filepath.Join(v.TempDir(), "wallet.json"), filepath.Join(v.TempDir(), "password")
	v.must(os.WriteFile(wallet, key, 0o600))
	v.must(os.WriteFile(secret, []byte(password+"\n"), 0o600))
	network := filepath.Join(v.TempDir(), "network.yaml")
	v.must(os.WriteFile(network, fmt.Appendf(nil, settings, w.URL, w.Arena, w.From, w.Rules["mastermind"], window), 0o600))
	if says, code := v.channeld("init", "--light", "--import", wallet, "--keys.password_file", secret,
		"--network", network, "--play.bot", "true", "--play.approve", "true"); code != 0 {
		v.Fatalf("code %d: %s", code, says)
	}
}

// channeld runs a command, as the player does, and returns what it says and its exit code.
func (v *victim) channeld(args ...string) (says string, code int) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	var out text
	code = cli.Main(ctx, append([]string{"--dir", v.dir}, args...), cli.Terminal{
		In: os.Stdin, Out: &out, Err: &out, Environ: os.Environ(), Games: catalog.Standard(), Light: quick,
	})
	return string(out.bytes), code
}

func (v *victim) journal() string { return filepath.Join(v.dir, "journal") }

// start starts the daemon, which dies at a point.
func (v *victim) start(at point) {
	v.Helper()
	v.process = &process{cmd: exec.Command("channeld-doomed", "--dir", v.dir, "run")} //nolint:gosec // this very binary
	v.process.cmd.Env = append(os.Environ(), pointEnv+"="+at.String(), journalEnv+"="+v.journal(), diskEnv+"="+v.starves)
	var err error
	v.disk, err = v.process.cmd.StdinPipe()
	v.must(err)
	v.must(v.process.launch())
	p := v.process
	v.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may be dead
		<-p.ended
	})
	select {
	case <-v.process.ready:
	case <-v.process.ended:
		return
	}
	address, err := os.ReadFile(filepath.Join(v.dir, "api-address"))
	v.must(err)
	token, err := os.ReadFile(filepath.Join(v.dir, "api-token"))
	v.must(err)
	v.api = antev1connect.NewNodeServiceClient(&http.Client{Transport: bearer(strings.TrimSpace(string(token)))}, "http://"+strings.TrimSpace(string(address)))
}

// bearer shows the API's token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// until has the player do what is next until that says that nothing is, or the daemon is dead: then
// it returns false.
func (v *victim) until(next func() (done bool, err error)) bool {
	v.Helper()
	for {
		done, err := false, error(nil)
		select {
		case <-v.process.ready:
			done, err = next()
		default: // it died before
		}
		select {
		case <-v.process.ended:
			if v.process.cmd.ProcessState.ExitCode() != -1 {
				v.Fatalf("the daemon ended by itself: %v\n%s", v.process.err, v.process.log.String())
			}
			return false
		case <-v.ctx.Done():
			v.dump()
			_ = v.process.cmd.Process.Kill()
			<-v.process.ended
			v.Fatalf("it comes to no end: %v\n%s", err, v.process.log.String())
		case <-time.After(20 * time.Millisecond):
		}
		if done {
			return true
		}
	}
}

// dump logs what either side knows, for whoever has to find out why it went wrong.
func (v *victim) dump() {
	for _, command := range []string{"status", "events", "match list --all", "channels", "offers", "peer", "transactions"} {
		says, _ := v.channeld(strings.Fields(command)...)
		v.Logf("%s: %s", command, says)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // no waiting for more
	for e, err := range v.peer.Events(ctx, 0) {
		if err == nil {
			v.Logf("peer: %s: %s", e.Kind, e.Text)
		}
	}
}

// next looks how things stand and does what the player does then: deposit, open a channel, play a
// match, close, withdraw. It is over when all is withdrawn.
func (v *victim) next() (done bool, err error) {
	peers, err := v.api.ListPeers(v.ctx, connect.NewRequest(&antev1.ListPeersRequest{}))
	if err != nil {
		return false, err
	}
	if len(peers.Msg.Peers) == 0 {
		_, err := v.api.AddPeer(v.ctx, connect.NewRequest(&antev1.AddPeerRequest{Address: v.peer.Network().Addresses()[0]}))
		return false, err
	}
	channels, err := v.api.ListChannels(v.ctx, connect.NewRequest(&antev1.ListChannelsRequest{Closed: true}))
	if err != nil {
		return false, err
	}
	if len(channels.Msg.Channels) == 0 {
		return false, v.open()
	}
	c := channels.Msg.Channels[0]
	switch c.Status {
	case antev1.ChannelStatus_CHANNEL_STATUS_OPEN:
		return false, v.match(c.Id)
	case antev1.ChannelStatus_CHANNEL_STATUS_CLOSED:
		return v.leave(c)
	}
	return false, nil
}

// idle reports that none of the daemon's transactions is on its way, how many there were, and what
// its player has in the bank since.
func (v *victim) idle() (idle bool, sent int, bank *uint256.Int, err error) {
	list, err := v.api.ListTransactions(v.ctx, connect.NewRequest(&antev1.ListTransactionsRequest{}))
	if err != nil {
		return false, 0, nil, err
	}
	bank, err = v.peer.Bank(v.ctx, common.Address{}, v.account)
	return !slices.ContainsFunc(list.Msg.Transactions, func(t *antev1.Transaction) bool {
		return t.Status == antev1.TransactionStatus_TRANSACTION_STATUS_WAITING
	}), len(list.Msg.Transactions), bank, err
}

func (v *victim) open() error {
	idle, sent, bank, err := v.idle()
	if err != nil || !idle {
		return err
	}
	if bank.IsZero() && sent > 0 {
		return nil // the chain shows a transaction a moment before what it did
	}
	if bank.IsZero() {
		_, err := v.api.Deposit(v.ctx, connect.NewRequest(&antev1.DepositRequest{Amount: fmt.Sprint(deposit)}))
		return err
	}
	offers, err := v.api.ListOffers(v.ctx, connect.NewRequest(&antev1.ListOffersRequest{}))
	if err != nil || len(offers.Msg.Offers) > 0 {
		return err
	}
	_, err = v.api.OpenChannel(v.ctx, connect.NewRequest(&antev1.OpenChannelRequest{
		Peers: []string{v.peer.Account().Hex()}, Deposits: []string{fmt.Sprint(deposit), fmt.Sprint(deposit)},
	}))
	return err
}

// match plays a match, in which the chain is asked for an answer that the peer does not give, and
// then closes the channel.
func (v *victim) match(channelID string) error {
	matches, err := v.api.ListMatches(v.ctx, connect.NewRequest(&antev1.ListMatchesRequest{}))
	if err != nil {
		return err
	}
	results, err := v.peer.Results()
	switch {
	case err != nil:
		return err
	case len(matches.Msg.Matches) == 0 && len(results) == 0:
		_, err = v.api.ProposeMatch(v.ctx, connect.NewRequest(&antev1.ProposeMatchRequest{
			ChannelId: channelID, Game: "mastermind", ParamsJson: params, Stakes: []string{fmt.Sprint(stakes)},
		}))
	case len(matches.Msg.Matches) == 0 && results[len(results)-1].Paid:
		_, err = v.api.CloseChannel(v.ctx, connect.NewRequest(&antev1.CloseChannelRequest{ChannelId: channelID}))
	case v.hush.holds() && !v.patient:
		// two, if it died before it saw that it had proposed one
		for _, m := range matches.Msg.Matches {
			_, failed := v.api.StartDispute(v.ctx, connect.NewRequest(&antev1.StartDisputeRequest{
				ChannelId: channelID, Action: antev1.DisputeAction_DISPUTE_ACTION_DEMAND, MatchId: m.Id,
			}))
			err = errors.Join(err, failed)
		}
	}
	return err
}

// leave withdraws everything, the peer's too.
func (v *victim) leave(c *antev1.Channel) (done bool, err error) {
	idle, _, bank, err := v.idle()
	if err != nil || !idle {
		return false, err
	}
	if !bank.IsZero() {
		if want := v.due(); !bank.Eq(want) {
			v.Errorf("the daemon's player has %s in the bank, want %s", bank.Dec(), want.Dec())
		}
		_, err = v.api.Withdraw(v.ctx, connect.NewRequest(&antev1.WithdrawRequest{}))
		return false, err
	}
	if err := v.peer.Closed(v.ctx, common.HexToHash(c.Id)); err != nil {
		return false, err
	}
	free, err := v.peer.BankBalance(v.ctx, common.Address{})
	if err != nil || free.IsZero() {
		return err == nil, err
	}
	r, err := v.peer.Withdraw(v.ctx, common.Address{}, free, v.peer.Account())
	if err == nil {
		_, err = v.peer.Mined(v.ctx, r.Key)
	}
	return err == nil, err
}

// due is what the daemon's player must have when the channel is closed, as the peer knows the
// results. Nobody cheated.
func (v *victim) due() *uint256.Int {
	want := uint256.NewInt(deposit)
	results, err := v.peer.Results()
	v.must(err)
	if len(results) == 0 {
		v.Error("no match was played")
	}
	for _, r := range results {
		if r.Guilty != 0 {
			v.Errorf("convicted %b: %s", r.Guilty, r.Reason)
		}
		want.Sub(want, &r.Terms.Stakes[1-r.Seat]).Add(want, &r.Payouts[1-r.Seat])
	}
	return want
}

// hush is a network whose node falls silent at a move of its own, until it was asked for it on the
// chain.
type hush struct {
	node.Network
	mu          sync.Mutex
	begun, over bool
}

func hushOn(c *node.Config) *hush {
	h := new(hush)
	dev.Wrap(c, func(net node.Network) node.Network { h.Network = net; return h })
	return h
}

// Send drops what is sent during the silence.
func (h *hush) Send(to common.Address, env *antev1.Envelope) error {
	if _, m, err := message.FromEnvelope(env); err == nil {
		if move, ok := m.(message.Move); ok && move.Turn >= 3 {
			h.set(&h.begun)
		}
	}
	if h.holds() {
		return nil
	}
	return h.Network.Send(to, env)
}

func (h *hush) set(what *bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*what = true
}

func (h *hush) holds() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begun && !h.over
}

// endWithTheAnswer ends the silence once the chain has said something about a match.
func (h *hush) endWithTheAnswer(ctx context.Context, n *node.Node) {
	for e, err := range n.Events(ctx, 0) {
		if err != nil {
			return
		}
		if e.Kind == node.OnChain && e.Match != (common.Hash{}) {
			h.set(&h.over)
			return
		}
	}
}
