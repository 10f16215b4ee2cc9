package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// soakDaemon is a process of a soak, which is killed and started again.
type soakDaemon struct {
	*soak
	name    string
	dir     string
	account common.Address
	args    []string
	listen  string // a multiaddr: the same in every life

	metricsAt string // host and port; empty: those of the API

	mu      sync.Mutex
	process *process
	began   time.Time // of this life
}

// soakPlayer is a daemon that plays.
type soakPlayer struct {
	*soakDaemon
	opponent *soakPlayer // whom it opens channels with; nil: it waits for others
	began    *uint256.Int
	results  map[string]soakResult
	channels int
}

// soakResult is what one player says of a match.
type soakResult struct{ mine, theirs, gotMine, gotTheirs string }

func (r soakResult) mirrored() soakResult {
	return soakResult{r.theirs, r.mine, r.gotTheirs, r.gotMine}
}
func (r soakResult) staked() *uint256.Int { return uint256.MustFromDecimal(r.mine) }
func (r soakResult) paid() *uint256.Int   { return uint256.MustFromDecimal(r.gotMine) }

const (
	// matches, after which it is closed and another one opened
	perChannel  = 40
	soakDeposit = "4000000000000000000"     // into a channel
	soakBank    = "40000000000000000000"    // into the bank, at once
	soakStake   = "100000000000000000"      // of a match
	enoughFor   = 4_000_000_000_000_000_000 // soakDeposit
	oneStake    = 100_000_000_000_000_000   // soakStake
	glance      = 50 * time.Millisecond
)

// daemon makes the directory of a process with an account of the world.
func (s *soak) daemon(name string, account int, args ...string) *soakDaemon {
	v := &victim{T: s.T, ctx: s.Context(), dir: filepath.Join(s.TempDir(), name), account: s.world.Chain.Address(account)}
	v.init(s.world, account)
	d := &soakDaemon{soak: s, name: name, dir: v.dir, account: v.account, listen: "/ip4/127.0.0.1/tcp/" + port(s, address(s.T))}
	d.args = append([]string{"--dir", d.dir}, append(args, "--peers.listen", d.listen, "--wait.poll", "100ms")...)
	s.Cleanup(d.kill)
	return d
}

func (s *soak) player(name string, account int, args ...string) *soakPlayer {
	d := s.daemon(name, account, args...)
	return &soakPlayer{soakDaemon: d, began: s.wallet(d.account), results: map[string]soakResult{}}
}

func (s *soak) file(name, text string) string {
	path := filepath.Join(s.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// start starts the process and waits until it is ready.
func (d *soakDaemon) start() {
	p := &process{cmd: exec.Command("channeld", d.args...)} //nolint:gosec // this very binary
	if err := p.launch(); err != nil {
		d.Fatal(err)
	}
	select {
	case <-p.ready:
	case <-p.ended:
		d.Fatalf("%s ends: %v\n%s", d.name, p.err, p.log.String())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.process, d.began = p, time.Now()
}

// kill ends the process with SIGKILL.
func (d *soakDaemon) kill() {
	d.mu.Lock()
	p := d.process
	d.mu.Unlock()
	if p == nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may be dead
	<-p.ended
}

// at returns a running process's address among peers.
func (d *soakDaemon) at() string {
	out, err := exec.Command("channeld", "--dir", d.dir, "tower", "show").Output() //nolint:gosec // this very binary
	if err != nil {
		d.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, d.listen) {
			return line
		}
	}
	d.Fatalf("no address: %s", out)
	return ""
}

// api returns a client of the process as it runs now.
func (d *soakDaemon) api() (antev1connect.NodeServiceClient, error) {
	address, err := os.ReadFile(filepath.Join(d.dir, "api-address"))
	if err != nil {
		return nil, err
	}
	token, err := os.ReadFile(filepath.Join(d.dir, "api-token"))
	if err != nil {
		return nil, err
	}
	return antev1connect.NewNodeServiceClient(&http.Client{Transport: bearer(strings.TrimSpace(string(token))), Timeout: time.Minute},
		"http://"+strings.TrimSpace(string(address))), nil
}

// live plays until leaving is closed and everything is withdrawn. What fails because a process is
// dead is done again.
func (p *soakPlayer) live(ctx context.Context, leaving <-chan struct{}) {
	for {
		gone := false
		select {
		case <-leaving:
			gone = true
		case <-ctx.Done():
			return
		default:
		}
		if api, err := p.api(); err == nil {
			if done, err := p.next(ctx, api, gone); done && err == nil {
				return
			}
		}
		select {
		case <-time.After(glance):
		case <-ctx.Done():
		}
	}
}

// next looks how things stand and does what a player does then.
func (p *soakPlayer) next(ctx context.Context, api antev1connect.NodeServiceClient, leaving bool) (done bool, err error) {
	if err := p.remember(ctx, api); err != nil {
		return false, err
	}
	channels, err := api.ListChannels(ctx, connect.NewRequest(&antev1.ListChannelsRequest{}))
	if err != nil {
		return false, err
	}
	if len(channels.Msg.Channels) > 0 {
		if p.opponent == nil {
			return false, nil
		}
		return false, p.match(ctx, api, channels.Msg.Channels[0], leaving)
	}
	sent, err := api.ListTransactions(ctx, connect.NewRequest(&antev1.ListTransactionsRequest{Limit: 10}))
	if err != nil || slices.ContainsFunc(sent.Msg.Transactions, waits) {
		return false, err
	}
	balance, err := api.GetBalance(ctx, connect.NewRequest(&antev1.GetBalanceRequest{}))
	if err != nil {
		return false, err
	}
	bank, err := uint256.FromDecimal(balance.Msg.Bank)
	switch {
	case err != nil:
		return false, err
	case leaving && (p.opponent == nil && p.visited(ctx)):
		return false, nil // its guest has a channel or wants one
	case leaving && p.opponent != nil && !p.empty(ctx):
		return false, p.takeBack(ctx, api)
	case leaving && bank.IsZero():
		return p.empty(ctx) && (p.opponent == nil || p.opponent.empty(ctx)), nil
	case leaving:
		_, err = api.Withdraw(ctx, connect.NewRequest(&antev1.WithdrawRequest{}))
		return false, err
	case bank.Lt(uint256.NewInt(enoughFor)):
		_, err = api.Deposit(ctx, connect.NewRequest(&antev1.DepositRequest{Amount: soakBank}))
		return false, err
	case p.opponent == nil:
		return false, nil
	}
	return false, p.open(ctx, api)
}

// visited reports whether the one that opens channels with this player still may.
func (p *soakPlayer) visited(ctx context.Context) bool {
	for _, guest := range []*soakPlayer{p.alice, p.carol} {
		if guest.opponent == p {
			return !guest.empty(ctx)
		}
	}
	return false
}

// empty reports whether the player has no channel and no offer.
func (p *soakPlayer) empty(ctx context.Context) bool {
	api, err := p.api()
	if err != nil {
		return false
	}
	channels, err := api.ListChannels(ctx, connect.NewRequest(&antev1.ListChannelsRequest{}))
	if err != nil || len(channels.Msg.Channels) > 0 {
		return false
	}
	offers, err := api.ListOffers(ctx, connect.NewRequest(&antev1.ListOffersRequest{}))
	return err == nil && !slices.ContainsFunc(offers.Msg.Offers, pending)
}

// takeBack takes back the offers that nobody has answered.
func (p *soakPlayer) takeBack(ctx context.Context, api antev1connect.NodeServiceClient) error {
	offers, err := api.ListOffers(ctx, connect.NewRequest(&antev1.ListOffersRequest{}))
	if err != nil {
		return err
	}
	for _, o := range offers.Msg.Offers {
		if pending(o) {
			if _, err := api.DeclineOffer(ctx, connect.NewRequest(&antev1.DeclineOfferRequest{OfferId: o.Id})); err != nil {
				return err
			}
		}
	}
	return nil
}

func waits(t *antev1.Transaction) bool {
	return t.Status == antev1.TransactionStatus_TRANSACTION_STATUS_WAITING || t.Status == antev1.TransactionStatus_TRANSACTION_STATUS_MINED
}

func pending(o *antev1.Offer) bool {
	return o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN || o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED
}

func (p *soakPlayer) open(ctx context.Context, api antev1connect.NodeServiceClient) error {
	offers, err := api.ListOffers(ctx, connect.NewRequest(&antev1.ListOffersRequest{}))
	if err != nil || slices.ContainsFunc(offers.Msg.Offers, pending) {
		return err
	}
	other, err := p.opponent.api()
	if err != nil {
		return err
	}
	status, err := other.GetStatus(ctx, connect.NewRequest(&antev1.GetStatusRequest{}))
	if err != nil || len(status.Msg.Addresses) == 0 {
		return err
	}
	if _, err := api.AddPeer(ctx, connect.NewRequest(&antev1.AddPeerRequest{Address: status.Msg.Addresses[0]})); err != nil {
		return err
	}
	_, err = api.OpenChannel(ctx, connect.NewRequest(&antev1.OpenChannelRequest{
		Peers: []string{p.opponent.account.Hex()}, Deposits: []string{soakDeposit, soakDeposit},
	}))
	if err == nil {
		p.channels++
	}
	return err
}

// match proposes the next match, or closes the channel when enough were played or one cannot pay
// for another.
func (p *soakPlayer) match(ctx context.Context, api antev1connect.NodeServiceClient, c *antev1.Channel, leaving bool) error {
	if c.Status != antev1.ChannelStatus_CHANNEL_STATUS_OPEN {
		return nil
	}
	matches, err := api.ListMatches(ctx, connect.NewRequest(&antev1.ListMatchesRequest{ChannelId: c.Id}))
	if err != nil || len(matches.Msg.Matches) > 0 {
		return err
	}
	poor := slices.ContainsFunc(c.Balances, func(b string) bool {
		amount, err := uint256.FromDecimal(b)
		return err != nil || amount.Lt(uint256.NewInt(oneStake))
	})
	if leaving || poor || c.Version > 2*perChannel {
		_, err := api.CloseChannel(ctx, connect.NewRequest(&antev1.CloseChannelRequest{ChannelId: c.Id}))
		return err
	}
	_, err = api.ProposeMatch(ctx, connect.NewRequest(&antev1.ProposeMatchRequest{
		ChannelId: c.Id, Game: "mastermind", ParamsJson: `{"rounds": 2, "guesses": 6}`, Stakes: []string{soakStake},
	}))
	return err
}

// remember notes the results that the daemon knows.
func (p *soakPlayer) remember(ctx context.Context, api antev1connect.NodeServiceClient) error {
	list, err := api.ListMatches(ctx, connect.NewRequest(&antev1.ListMatchesRequest{Booked: true}))
	if err != nil {
		return err
	}
	for _, m := range list.Msg.Matches {
		if m.Status != antev1.MatchStatus_MATCH_STATUS_BOOKED || len(m.Payouts) != 2 {
			continue
		}
		if len(m.Guilty) > 0 {
			p.Errorf("%s: match %s convicts %v: %s", p.name, m.Id, m.Guilty, m.Reason)
		}
		p.results[m.Id] = soakResult{m.Stakes[m.Seat], m.Stakes[1-m.Seat], m.Payouts[m.Seat], m.Payouts[1-m.Seat]}
	}
	return nil
}

// opponentResult returns what whoever played a match with this player says of it.
func (p *soakPlayer) opponentResult(s *soak, id string) (soakResult, bool) {
	for _, other := range s.players() {
		if r, ok := other.results[id]; ok && other != p {
			return r, true
		}
	}
	return soakResult{}, false
}

// feesOf returns what each sender paid for gas in a block, in wei.
func (s *soak) feesOf(n uint64) map[common.Address]*uint256.Int {
	client := s.world.Chain.Client()
	block, err := client.BlockByNumber(s.Context(), new(big.Int).SetUint64(n))
	if err != nil {
		s.Fatal(err)
	}
	receipts, err := client.BlockReceipts(s.Context(), rpc.BlockNumberOrHashWithHash(block.Hash(), true))
	if err != nil {
		s.Fatal(err)
	}
	fees := map[common.Address]*uint256.Int{}
	for i, r := range receipts {
		from, err := types.Sender(types.LatestSignerForChainID(block.Transactions()[i].ChainId()), block.Transactions()[i])
		if err != nil {
			s.Fatal(err)
		}
		if fees[from] == nil {
			fees[from] = new(uint256.Int)
		}
		price := uint256.MustFromBig(r.EffectiveGasPrice)
		fees[from].Add(fees[from], price.Mul(price, uint256.NewInt(r.GasUsed)))
	}
	return fees
}

// address returns a free port of loopback.
func address(t interface{ Fatal(...any) }) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func port(s *soak, address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		s.Fatal(errors.Join(err, fmt.Errorf("address %s", address)))
	}
	return port
}
