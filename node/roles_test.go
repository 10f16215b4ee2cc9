package node_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/signertest"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// joinAs makes a player for an account whose key its node doesn't hold. The node has a deputy's key
// and an account for gas.
func joinAs(t *testing.T, account node.Owner, change func(*node.Config)) (p *player, gas common.Address) {
	t.Helper()
	deputy, err := crypto.GenerateKey()
	must(t, err)
	c, err := world(t).Place.Config(deputy, world(t).Games)
	must(t, err)
	payer := world(t).Chain.Key(world(t).account())
	p = &player{config: c, memory: c.Store.(*store.Memory)}
	p.config.Owner, p.config.GasPayer = account, chain.KeySigner(payer)
	p.config.Policy.Accept = func(node.Offer) bool { return true }
	p.config.Policy.Approve = func(node.Proposal) bool { return true }
	if change != nil {
		change(&p.config)
	}
	p.start(t)
	t.Cleanup(func() { must(t, p.Close()) })
	return p, crypto.PubkeyToAddress(payer.PublicKey)
}

// banked waits until so much of a player's is free in the bank.
func (tb *table) banked(t *testing.T, p *player, want *uint256.Int) {
	t.Helper()
	tb.wait(t, p, func() bool { return tb.free(t, p).Eq(want) })
}

// open has the first player open a channel of an ether each with the second.
func (tb *table) open(t *testing.T) {
	t.Helper()
	from, to := tb.players[0], tb.players[1]
	offer, err := from.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{to.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20})
	must(t, err)
	for _, p := range tb.players {
		c, err := p.Opened(tb.ctx, offer)
		must(t, err)
		tb.channel = c.ID
	}
}

// TestAttack_HotKey: the signer signs, the gas account pays, the player owns. The player's key is
// at an external signer, which is asked for the deputy, the deposit and the opening, and then
// switched off: the match is played, the node restarted, a silent opponent brought to an end on the
// chain, and everything settled without it. Only to withdraw it is needed again.
func TestAttack_HotKey(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	key := world(t).Chain.Key(world(t).account())
	server := signertest.Start(t, key)
	external := chain.NewExternal(server.URL, crypto.PubkeyToAddress(key.PublicKey), 0)
	t.Cleanup(external.Close)
	var alone atomic.Bool
	alice, gas := joinAs(t, owner.New(external.Address(), external), func(c *node.Config) {
		c.OwnerSigner = external
		hasty(c, alone.Load)
	})
	bob := join(t, nil)
	tb.players = []*player{alice, bob}
	if alice.Account() != external.Address() || alice.Wallet() != gas || gas == alice.Account() {
		t.Fatalf("account %s, wallet %s", alice.Account(), alice.Wallet())
	}
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	bob.fund(t)
	if _, err := alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20}); !errors.Is(err, node.ErrFunds) {
		t.Errorf("an opening that the gas account would have to pay for: %v", err)
	}
	alice.fund(t)
	tb.open(t)
	if got, want := server.Asked(), []string{"account_signTypedData", "account_signTransaction", "account_signTypedData"}; !slices.Equal(got, want) {
		t.Errorf("the signer was asked %v, want %v", got, want)
	}
	server.Set(signertest.Refuse)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	alice.restart(t)
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Started })
	must(t, bob.Close())
	alone.Store(true)
	tb.mine(t)
	tb.banked(t, alice, new(uint256.Int).Add(ether, stake))
	if n := len(server.Asked()); n != 3 {
		t.Errorf("the signer was asked %d times, want 3: %v", n, server.Asked())
	}
	if money, err := alice.Bank(tb.ctx, eth, gas); err != nil || !money.IsZero() {
		t.Errorf("the gas account has %s in the bank, %v", money, err)
	}
	free := tb.free(t, alice)
	if _, err := alice.Withdraw(tb.ctx, eth, free, alice.Account()); !errors.Is(err, chain.ErrSignerRefused) {
		t.Errorf("withdrawn without the player: %v", err)
	}
	server.Set(signertest.Approve)
	_, err := alice.Withdraw(tb.ctx, eth, free, alice.Account())
	must(t, err)
	tb.banked(t, alice, new(uint256.Int))
}

// TestOwnerRefuses: an opening that the player's signer refuses is taken back, and one that it
// forges is never used.
func TestOwnerRefuses(t *testing.T) {
	t.Parallel()
	for name, mood := range map[string]signertest.Mood{"refuses": signertest.Refuse, "forges": signertest.Forge, "talks rubbish": signertest.Garbage} {
		t.Run(name, func(t *testing.T) {
			tb := emptyTable(t)
			key := world(t).Chain.Key(world(t).account())
			server := signertest.Start(t, key)
			external := chain.NewExternal(server.URL, crypto.PubkeyToAddress(key.PublicKey), 0)
			t.Cleanup(external.Close)
			account := owner.New(external.Address(), external)
			alice, _ := joinAs(t, account, func(c *node.Config) { c.OwnerSigner, c.Policy.Accept = external, nil })
			bob := join(t, func(c *node.Config) { c.Policy.Accept = nil })
			must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
			alice.fund(t)
			bob.fund(t)
			request := node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20}
			server.Set(mood)
			id, err := alice.Offer(tb.ctx, request)
			must(t, err)
			tb.wait(t, bob, func() bool { list, err := bob.Offers(); must(t, err); return len(list) == 1 })
			must(t, bob.Accept(tb.ctx, id))
			if _, err := alice.Opened(tb.ctx, id); !errors.Is(err, node.ErrDeclined) {
				t.Errorf("its own: %v", err)
			}
			request.Peers[0] = alice.Account()
			id, err = bob.Offer(tb.ctx, request)
			must(t, err)
			tb.wait(t, alice, func() bool { list, err := alice.Offers(); must(t, err); return len(list) == 2 })
			if err := alice.Accept(tb.ctx, id); !errors.Is(err, chain.ErrSignerRefused) && !errors.Is(err, chain.ErrSignerLied) {
				t.Errorf("another's: %v", err)
			}
			server.Set(signertest.Approve)
			must(t, alice.Accept(tb.ctx, id))
			_, err = bob.Opened(tb.ctx, id)
			must(t, err)
		})
	}
	key, err := crypto.GenerateKey()
	must(t, err)
	server := signertest.Start(t, key)
	server.Set(signertest.Refuse)
	external := chain.NewExternal(server.URL, crypto.PubkeyToAddress(key.PublicKey), 0)
	t.Cleanup(external.Close)
	c, err := world(t).Config(world(t).account())
	must(t, err)
	c.Owner = owner.New(external.Address(), external)
	if _, err := node.Start(t.Context(), c); !errors.Is(err, chain.ErrSignerRefused) {
		t.Errorf("a node whose player appoints no deputy: %v", err)
	}
}

// appointing is an owner that says when it is asked for a deputy.
type appointing struct {
	*owner.Owner
	asked chan struct{}
}

func (a appointing) SignDeputy(ctx context.Context, d protocol.Domain, deputy *protocol.Deputy) ([]byte, error) {
	a.asked <- struct{}{}
	return a.Owner.SignDeputy(ctx, d, deputy)
}

// TestDeputyOfALongRun: a node that runs for a year without a start has its deputy appointed again
// before no peer lets it in any more.
func TestDeputyOfALongRun(t *testing.T) {
	t.Parallel()
	key := protocol.NewKey(world(t).Chain.Key(world(t).account()))
	account := appointing{owner.New(key.Address(), owner.Key{Key: key}), make(chan struct{}, 1)}
	var later atomic.Int64
	joinAs(t, account, func(c *node.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	<-account.asked
	const tick = 2 * time.Second
	later.Store(int64(340 * 24 * time.Hour))
	select {
	case <-account.asked:
	case <-time.After(10 * tick):
		t.Error("the owner is not asked again")
	}
}

var wallets = testbindings.NewTestWallet()

// walletOwner is a contract wallet whose signatures are 97 bytes long, so that none can be taken
// for that of a key.
type walletOwner struct{ *owner.Owner }

func (w walletOwner) SignOpening(ctx context.Context, d protocol.Domain, terms *protocol.Terms) ([]byte, error) {
	sig, err := w.Owner.SignOpening(ctx, d, terms)
	return append(sig, make([]byte, 32)...), err
}

func (w walletOwner) SignDeputy(ctx context.Context, d protocol.Domain, deputy *protocol.Deputy) ([]byte, error) {
	sig, err := w.Owner.SignDeputy(ctx, d, deputy)
	return append(sig, make([]byte, 32)...), err
}

// newWallet deploys a contract wallet.
func newWallet(t *testing.T) walletOwner {
	t.Helper()
	key, err := crypto.GenerateKey()
	must(t, err)
	made, err := world(t).Chain.Deploy(t.Context(), append(common.FromHex(testbindings.TestWalletMetaData.Bin), wallets.PackConstructor(crypto.PubkeyToAddress(key.PublicKey))...))
	must(t, err)
	return walletOwner{owner.New(made.ContractAddress, owner.Key{Key: protocol.NewKey(key)})}
}

// operate has a contract wallet do what only it may: the person's side of node.Elsewhere.
func operate(t *testing.T, err error) {
	t.Helper()
	var todo *node.Elsewhere
	if !errors.As(err, &todo) {
		t.Fatalf("%v, want what to do elsewhere", err)
	}
	if on := fmt.Sprintf("on chain %d,", world(t).Chain.ChainID()); !strings.Contains(todo.Error(), on) {
		t.Errorf("%v, want it to say %q", todo, on)
	}
	tell(t, todo.Account, wallets.PackExecute(todo.To, todo.Value.ToBig(), todo.Data), new(uint256.Int))
}

// tell calls a contract from an account of its own.
func tell(t *testing.T, to common.Address, data []byte, value *uint256.Int) {
	t.Helper()
	client, err := chain.Dial(t.Context(), chain.Config{URL: world(t).URL})
	must(t, err)
	defer client.Close()
	sender, err := chain.NewSender(client, chain.SenderConfig{
		Signer: chain.KeySigner(world(t).Chain.Key(world(t).account())), Store: store.NewMemory(),
		Now: func(context.Context) (uint64, error) { return 0, nil },
	})
	must(t, err)
	_, err = sender.Submit(t.Context(), chain.Request{Key: "tell", To: to, Data: data, Value: *value})
	must(t, err)
	must(t, world(t).Chain.Mine(1))
}

// TestContractWallet: a player whose account is a contract wallet meets another by an invite,
// opens, plays, is left alone by the other, settles, and withdraws.
func TestContractWallet(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	lobby := join(t, func(c *node.Config) { c.Lobby = true })
	var alone atomic.Bool
	alice, gas := joinAs(t, newWallet(t), func(c *node.Config) { hasty(c, alone.Load) })
	bob := join(t, func(c *node.Config) { c.Policy.Accept, c.Policy.Approve = nil, nil })
	tb.players = []*player{alice, bob}
	for _, p := range tb.players {
		must(t, dev.Connect(tb.ctx, p.Node, lobby.Node))
		must(t, p.AddLobby(lobby.Account()))
	}
	bob.fund(t)
	_, err := alice.Deposit(tb.ctx, eth, ether)
	if !errors.Is(err, node.ErrFunds) {
		t.Errorf("deposited by an empty wallet: %v", err)
	}
	tell(t, alice.Account(), nil, new(uint256.Int).Mul(ether, uint256.NewInt(2)))
	_, err = alice.Deposit(tb.ctx, eth, ether)
	operate(t, err)
	tb.banked(t, alice, ether)

	m := &meeting{table: tb, lobby: lobby}
	id, err := alice.Invite(tb.ctx, duel(stake))
	must(t, err)
	shown := m.find(t, bob, 1)
	if shown[0].Deputy == nil || shown[0].Player != alice.Account() {
		t.Fatalf("shown: %+v", shown[0])
	}
	_, err = bob.Join(tb.ctx, shown[0], stake)
	must(t, err)
	m.state(t, alice, id, node.InvitePlayed)
	match := m.started(t, alice, bob)[0]
	tb.play(t, bob, match.ID, "pass 1") // who joins opens, and has seat 0
	tb.play(t, alice, match.ID, "pass 0")
	tb.wait(t, bob, func() bool { x, err := bob.Match(match.ID); return err == nil && x.Turn == 2 })
	must(t, bob.Close())
	alone.Store(true)
	tb.mine(t)
	tb.banked(t, alice, new(uint256.Int).Add(ether, stake))

	free := tb.free(t, alice)
	_, err = alice.Withdraw(tb.ctx, eth, free, alice.Account())
	operate(t, err)
	tb.banked(t, alice, new(uint256.Int))
	have, err := alice.WalletBalance(tb.ctx)
	must(t, err)
	if want := new(uint256.Int).Add(ether, free); !have.Eq(want) {
		t.Errorf("the wallet has %s, want %s", have.Dec(), want.Dec())
	}
	if money, err := alice.Bank(tb.ctx, eth, gas); err != nil || !money.IsZero() {
		t.Errorf("the gas account has %s in the bank, %v", money, err)
	}
}

// TestContractWalletInRound: a contract wallet registers for a round with its deputy, and its
// opening is good for three.
func TestContractWalletInRound(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	house := join(t, func(c *node.Config) { inRounds(c, "-") })
	alice, _ := joinAs(t, newWallet(t), func(c *node.Config) { inRounds(c, "split") })
	bob := join(t, func(c *node.Config) { inRounds(c, "split") })
	tb.players = []*player{house, alice, bob}
	tell(t, alice.Account(), nil, ether)
	_, err := alice.Deposit(tb.ctx, eth, ether)
	operate(t, err)
	for _, p := range []*player{house, bob} {
		p.fund(t)
	}
	for _, p := range tb.players[1:] {
		must(t, dev.Connect(tb.ctx, p.Node, house.Node))
	}
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 1e17)
	tb.seal(t, id)
	tb.mine(t)
	for _, p := range tb.players[1:] {
		tb.wait(t, p, func() bool { list, err := p.Results(); must(t, err); return len(list) == 1 && list[0].Paid })
	}
}

// inRounds makes a node take part in rounds of Split or steal and in nothing else.
func inRounds(c *node.Config, choice string) {
	g := splitsteal.Game()
	g.Player = chooser{g.Player, choice}
	c.Games, c.Rules = games.Catalog{g}, maps.Clone(c.Rules)
	maps.DeleteFunc(c.Rules, func(name string, _ common.Address) bool { return name != g.Name })
	c.Policy.Bot, c.Policy.Patience = true, 500*time.Millisecond
	c.Policy.Accept, c.Policy.Approve = nil, nil
}

// TestAttack_FalseDeputy: nobody speaks for a contract wallet, or for a key, who was not appointed
// by it for now; what counts is what the wallet says, not what is claimed of it.
func TestAttack_FalseDeputy(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	wallet, other := newWallet(t), newWallet(t)
	client, err := chain.Dial(ctx, chain.Config{URL: world(t).URL})
	must(t, err)
	defer client.Close()
	asked := chain.NewWallets(client)
	deputy, err := crypto.GenerateKey()
	must(t, err)
	mine := protocol.NewKey(deputy)
	arena := join(t, nil)
	d := arena.Domain()
	a := protocol.Authority{Domain: d, Now: 1000, Wallets: func(account common.Address, digest common.Hash, signature []byte) error {
		return asked.Signed(ctx, account, digest, signature)
	}}
	digest := common.Hash{7}
	sig, err := mine.Sign(digest)
	must(t, err)
	good := &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: wallet.Address(), Key: mine.Address(), Expiry: 1001}}
	good.Signature, err = wallet.SignDeputy(ctx, d, &good.Deputy)
	must(t, err)
	must(t, a.Spoken(wallet.Address(), digest, sig, good))
	for name, spoil := range map[string]func(player *common.Address, d *protocol.SignedDeputy, a *protocol.Authority){
		"another player": func(p *common.Address, _ *protocol.SignedDeputy, _ *protocol.Authority) { *p = other.Address() },
		"another wallet": func(p *common.Address, d *protocol.SignedDeputy, _ *protocol.Authority) {
			*p = other.Address()
			d.Player = *p
		},
		"an account alone": func(p *common.Address, d *protocol.SignedDeputy, _ *protocol.Authority) {
			*p = common.Address{9}
			d.Player = *p
		},
		"expired":       func(_ *common.Address, _ *protocol.SignedDeputy, a *protocol.Authority) { a.Now++ },
		"made longer":   func(_ *common.Address, d *protocol.SignedDeputy, _ *protocol.Authority) { d.Expiry++ },
		"another key":   func(_ *common.Address, d *protocol.SignedDeputy, _ *protocol.Authority) { d.Key[0] ^= 1 },
		"another chain": func(_ *common.Address, _ *protocol.SignedDeputy, a *protocol.Authority) { a.Domain.ChainID++ },
		"unsigned":      func(_ *common.Address, d *protocol.SignedDeputy, _ *protocol.Authority) { d.Signature = nil },
		"no wallets":    func(_ *common.Address, _ *protocol.SignedDeputy, a *protocol.Authority) { a.Wallets = nil },
	} {
		player, bad, with := wallet.Address(), *good, a
		spoil(&player, &bad, &with)
		if err := with.Spoken(player, digest, sig, &bad); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s: %v, want ErrSignature", name, err)
		}
	}
	if err := a.Spoken(wallet.Address(), common.Hash{8}, sig, good); !errors.Is(err, protocol.ErrSignature) {
		t.Errorf("something else: %v", err)
	}
	// reverts, loops, returns megabytes, returns too little, denies
	for _, how := range []uint8{1, 2, 3, 5, 6} {
		bad := newWallet(t)
		tell(t, bad.Address(), wallets.PackBehave(how), new(uint256.Int))
		x := &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: bad.Address(), Key: mine.Address(), Expiry: 1001}}
		x.Signature, err = bad.SignDeputy(ctx, d, &x.Deputy)
		must(t, err)
		if err := a.Spoken(bad.Address(), digest, sig, x); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("a wallet of behaviour %d: %v, want ErrSignature", how, err)
		}
	}
}
