package node_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var tokens = testbindings.NewTestToken()

// mint gives a player tokens.
func mint(t *testing.T, p *player, token common.Address, amount uint64) {
	t.Helper()
	client, err := chain.Dial(t.Context(), chain.Config{URL: world(t).URL})
	must(t, err)
	t.Cleanup(client.Close)
	sender, err := chain.NewSender(client, chain.SenderConfig{
		Signer: chain.KeySigner(world(t).Chain.Key(world(t).account())), Store: store.NewMemory(), Now: func(context.Context) (uint64, error) { return 0, nil },
	})
	must(t, err)
	data := tokens.PackMint(p.Account(), new(big.Int).SetUint64(amount))
	_, err = sender.Submit(t.Context(), chain.Request{Key: "mint", To: token, Data: data})
	must(t, err)
	must(t, world(t).Chain.Mine(1))
}

func TestTokens(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	deployed, err := world(t).Chain.Deploy(ctx, common.FromHex(testbindings.TestTokenMetaData.Bin))
	must(t, err)
	token := deployed.ContractAddress
	worth := func(c *node.Config) {
		c.Policy.LeastTokens = map[common.Address]uint256.Int{token: *uint256.NewInt(300)}
	}
	tb := &table{ctx: ctx, players: []*player{join(t, worth), join(t, worth)}}
	alice, bob := tb.players[0], tb.players[1]
	must(t, dev.Connect(ctx, alice.Node, bob.Node))
	thousand := uint256.NewInt(1000)
	for _, p := range tb.players {
		mint(t, p, token, 1000)
		r, err := p.Deposit(ctx, token, thousand)
		must(t, err)
		_, err = p.Mined(ctx, r.Key)
		must(t, err)
	}
	offer, err := alice.Offer(ctx, node.OpenRequest{
		Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*thousand, *thousand}, Asset: token, Window: 20,
	})
	must(t, err)
	c, err := alice.Opened(ctx, offer)
	must(t, err)
	_, err = bob.Opened(ctx, offer)
	must(t, err)
	tb.channel = c.ID
	must(t, alice.Propose(c.ID, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(300)}}))
	tb.wait(t, alice, func() bool { m := alice.Matches(); return len(m) == 1 && m[0].MayMove })
	must(t, alice.Play(alice.Matches()[0].ID, "win 1"))
	_, err = alice.Finished(ctx, c.ID, 1)
	must(t, err)
	must(t, alice.CloseChannel(c.ID))
	for i, want := range []uint64{700, 1300} {
		p := tb.players[i]
		must(t, p.Closed(ctx, c.ID))
		free, err := p.BankBalance(ctx, token)
		must(t, err)
		if free.Uint64() != want {
			t.Errorf("seat %d has %s, want %d", i, free.Dec(), want)
		}
	}
	r, err := bob.Withdraw(ctx, token, uint256.NewInt(1300), bob.Account())
	must(t, err)
	_, err = bob.Mined(ctx, r.Key)
	must(t, err)
}

// TestADepositIsSentOnce: a deposit that is asked for again while the first is on its way is not
// made twice.
func TestADepositIsSentOnce(t *testing.T) {
	t.Parallel()
	shut, at := newGate(t)
	p := join(t, func(c *node.Config) { c.Chain.URL = at })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	shut.Store(1 << 30)
	first, err := p.Deposit(ctx, eth, ether)
	must(t, err)
	if again, err := p.Deposit(ctx, eth, ether); !errors.Is(err, node.ErrBusy) || again.Tx != first.Tx {
		t.Errorf("again: %+v, %v", again, err)
	}
	shut.Store(0)
	must(t, world(t).Chain.Mine(1))
	_, err = p.Mined(ctx, first.Key)
	must(t, err)
	if free, err := p.BankBalance(ctx, eth); err != nil || !free.Eq(ether) {
		t.Errorf("%v in the bank, %v", free, err)
	}
}

func TestFundsRefused(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	if _, err := p.Withdraw(t.Context(), eth, new(uint256.Int), p.Account()); !errors.Is(err, node.ErrFunds) || !strings.Contains(err.Error(), "nothing is free") {
		t.Errorf("withdraw all of nothing: %v", err)
	}
	p.fund(t)
	two := new(uint256.Int).Lsh(ether, 1)
	_, tooMuch := p.Withdraw(t.Context(), eth, two, p.Account())
	_, nothing := p.Withdraw(t.Context(), eth, new(uint256.Int), p.Account())
	_, toNobody := p.Withdraw(t.Context(), eth, ether, common.Address{})
	_, toArena := p.Withdraw(t.Context(), eth, ether, p.config.Arena)
	_, poor := p.Deposit(t.Context(), eth, new(uint256.Int).Lsh(ether, 40))
	_, noToken := p.Deposit(t.Context(), common.Address{5}, ether)
	for name, c := range map[string]struct{ err, want error }{
		"withdraw too much": {tooMuch, node.ErrFunds}, "withdraw nothing": {nothing, node.ErrRequest}, "withdraw to nobody": {toNobody, node.ErrRequest},
		"withdraw to the Arena": {toArena, node.ErrRequest}, "deposit too much": {poor, node.ErrFunds}, "deposit of no token": {noToken, node.ErrRequest},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if !strings.Contains(nothing.Error(), "withdrawing nothing") {
		t.Errorf("withdraw nothing: %v", nothing)
	}
}

// TestAnOpeningAwaitsItsDeposit: a channel that is to be opened with money of a deposit which is on
// its way waits for it, rather than take the same from the wallet.
func TestAnOpeningAwaitsItsDeposit(t *testing.T) {
	t.Parallel()
	shut, at := newGate(t)
	alice, bob := join(t, func(c *node.Config) { c.Chain.URL = at }), join(t, nil)
	bob.fund(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	must(t, dev.Connect(ctx, alice.Node, bob.Node))
	shut.Store(1 << 30)
	deposit, err := alice.Deposit(ctx, eth, ether)
	must(t, err)
	half := new(uint256.Int).Rsh(ether, 1)
	offer, err := alice.Offer(ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*half, *half}, Window: 100})
	must(t, err)
	must(t, alice.Wait(ctx, func() (bool, error) {
		list, err := alice.Offers()
		return len(list) == 1 && list[0].Signatures[1] != nil, err
	}))
	must(t, world(t).Chain.Mine(1))
	head := world(t).Chain.Head()
	must(t, alice.Wait(ctx, func() (bool, error) { return alice.Head().Block >= head, nil }))
	shut.Store(0)
	must(t, world(t).Chain.Mine(1))
	_, err = alice.Mined(ctx, deposit.Key)
	must(t, err)
	_, err = alice.Opened(ctx, offer)
	must(t, err)
	if free, err := alice.BankBalance(ctx, eth); err != nil || !free.Eq(half) {
		t.Errorf("%v in the bank, %v: want what the deposit left", free, err)
	}
}
