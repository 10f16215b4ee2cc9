package node

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// master is an owner whose key the test holds, or who signs nothing.
type master struct {
	*protocol.Key
	err error
}

func (m *master) SignOpening(_ context.Context, d protocol.Domain, t *protocol.Terms) ([]byte, error) {
	sig, err := m.Sign(t.ID(d))
	return sig[:], errors.Join(err, m.err)
}

func (m *master) SignDeputy(_ context.Context, d protocol.Domain, p *protocol.Deputy) ([]byte, error) {
	sig, err := m.Sign(p.Digest(d))
	return sig[:], errors.Join(err, m.err)
}

// TestOwnDeputy: an appointment counts for the account and the key that it names.
func TestOwnDeputy(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	m := &master{Key: l.key()}
	n := l.node(func(c *Config) { c.Owner = m })
	key := n.config.Player.Address()
	for name, c := range map[string]struct {
		d    protocol.Deputy
		want bool
	}{
		"its own": {protocol.Deputy{Player: m.Address(), Key: key}, true}, "another's": {protocol.Deputy{Player: common.Address{1}, Key: key}, false},
		"another key": {protocol.Deputy{Player: m.Address(), Key: common.Address{1}}, false},
	} {
		l.put(n, deputyKey, protocol.SignedDeputy{Deputy: c.d})
		if d, err := n.storedDeputy(); err != nil || (d != nil) != c.want {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

// TestAppointedAgain: a month before a deputy's time is over its owner is asked again, and nothing
// waits for that; that it refuses is told.
func TestAppointedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		left    time.Duration
		refuses error
		want    time.Duration
		fails   bool
	}{
		"in time": {renewal + time.Second, nil, renewal + time.Second, false}, "again": {renewal, nil, deputyLife, false},
		"refused": {renewal, errors.New("no"), renewal, true},
	} {
		l := newLab(t)
		m := &master{l.key(), c.refuses}
		n := l.node(func(c *Config) { c.Owner = m })
		expires := func(in time.Duration) uint64 { return uint64(l.now.Add(in).Unix()) }
		l.put(n, deputyKey, protocol.SignedDeputy{Deputy: protocol.Deputy{Player: m.Address(), Key: n.config.Player.Address(), Expiry: expires(c.left)}})
		l.must(n.appoint(t.Context()))
		n.done.Wait()
		if d := n.deputy.Load(); d == nil || d.Expiry != expires(c.want) {
			t.Errorf("%s: %v", name, d)
		}
		if err := n.Err(); (err != nil) != c.fails || c.fails && !strings.Contains(err.Error(), "appointing a deputy again") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAppointedAgain_Soon: an owner that could not be asked is asked again within a day, and within
// an hour where only that is left, or less.
func TestAppointedAgain_Soon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, later time.Duration
		asked       bool
	}{
		{renewal, 23 * time.Hour, false}, {renewal, 24 * time.Hour, true}, {24 * time.Hour, 59 * time.Minute, false},
		{24 * time.Hour, time.Hour, true}, {0, time.Hour, true},
	} {
		l := newLab(t)
		m := &master{l.key(), chain.ErrSignerAway}
		n := l.node(func(config *Config) { config.Owner = m })
		l.put(n, deputyKey, protocol.SignedDeputy{Deputy: protocol.Deputy{
			Player: m.Address(), Key: n.config.Player.Address(), Expiry: uint64(l.now.Add(c.left).Unix())}})
		l.must(n.appoint(t.Context()))
		n.done.Wait()
		m.err = nil
		l.now = l.now.Add(c.later)
		n.renewDeputy()
		n.done.Wait()
		if again := n.deputy.Load().Expiry == uint64(l.now.Add(deputyLife).Unix()); again != c.asked {
			t.Errorf("with %s left, %s later: asked %v", c.left, c.later, again)
		}
	}
}

// TestNoAnswer: an opening that its owner does not sign yet goes on waiting, and that is told; one
// that it refuses is taken back.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		want  OfferState
		fault bool
	}{"away": {chain.ErrSignerAway, OfferOpen, true}, "refused": {chain.ErrSignerRefused, OfferDeclined, false}} {
		l := newLab(t)
		n := l.node(func(config *Config) { config.Owner = &master{l.key(), c.err} })
		o := l.offer(n, 1, 0, []common.Address{n.Account(), {8}}, nil)
		n.concludeLater(o)
		n.done.Wait()
		n.fault("opening channels", n.tendOffers(t.Context(), 0))
		if now, err := n.offer(o.ID); err != nil || now.State != c.want || (n.Err() != nil) != c.fault {
			t.Errorf("%s: it is %s, %v, %v", name, now.State, err, n.Err())
		}
	}
}

// TestAttack_FalseDeputy_Met: a player whose deputy was good before the channel was opened is asked
// about from a friend's shares, also after a restart, however many claim to be that deputy.
func TestAttack_FalseDeputy_Met(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	chained, n, bob := Join(t, nil), l.node(nil), l.node(nil)
	n.wallets = chain.NewWallets(chained.drive.Client)
	owner, once := l.key(), common.Hash{1}
	wallet := Deploy(t, append(common.FromHex(testbindings.TestWalletMetaData.Bin), testbindings.NewTestWallet().PackConstructor(owner.Address())...))
	sig, err := owner.Sign(once)
	l.must(err)
	asked := func(n *Node) error {
		return handler{n}.Wallet("", wallet, once, append(sig[:], make([]byte, 32)...))
	}
	flood := func(n *Node) {
		for n.budgets.chain.Allow(budget.Who{Account: wallet}) {
		}
	}
	l.must(asked(n))
	s := l.session(n, l.channel(common.Address{}, []uint64{5, 5}, n, bob))
	n.shares[wallet] = []*session{s}
	flood(n)
	if err := asked(n); err != nil {
		t.Errorf("it comes again: %v", err)
	}
	n.appointments = driver.NewAppointments(n.config.Store, n.config.Log) // as if it had not
	n.appointments.Note(wallet, once, false)
	l.must(n.config.Store.Commit(map[string][]byte{"proved/" + wallet.Hex(): nil}))
	s.terms.Players = []common.Address{n.Account(), wallet}
	s.opened.Store(false)
	s.watched()
	again := l.node(func(c *Config) { c.Store = n.config.Store })
	again.wallets, again.shares[wallet] = n.wallets, []*session{s}
	l.must(again.appointments.Restore(again.partner))
	flood(again)
	if err := asked(again); err != nil {
		t.Errorf("it comes after a restart: %v", err)
	}
}

// TestAttack_StarvedRPC_Deputies: those in one place of the network claim to be deputies of ever
// other accounts, for each of which the chain is asked. They leave questions to who comes from
// elsewhere.
func TestAttack_StarvedRPC_Deputies(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	chained, n := Join(t, nil), l.node(nil)
	n.wallets = chain.NewWallets(chained.drive.Client)
	asked := func(group string, number uint64) error {
		return handler{n}.Wallet(group, common.BigToAddress(new(big.Int).SetUint64(1<<32+number)), common.Hash{1}, make([]byte, 97))
	}
	number := uint64(0)
	for range 2 {
		l.now = l.now.Add(time.Second)
		for err := error(nil); !errors.Is(err, ErrBusy); number++ {
			err = asked("192.0.2.0/24", number)
		}
	}
	if err := asked("198.51.100.0/24", number); errors.Is(err, ErrBusy) {
		t.Errorf("from elsewhere: %v", err)
	}
}

// TestProvedWallets: whose deputy was good before, of a player with an open channel, is asked about
// from the shares of friends, also after a restart; anybody else from those of strangers. Before
// the node is composed nobody is.
func TestProvedWallets(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	chained, n, bob := Join(t, nil), l.node(nil), l.node(nil)
	n.wallets = chain.NewWallets(chained.drive.Client)
	owner := l.key()
	wallet := Deploy(t, append(common.FromHex(testbindings.TestWalletMetaData.Bin), testbindings.NewTestWallet().PackConstructor(owner.Address())...))
	sign := func(digest common.Hash) []byte {
		sig, err := owner.Sign(digest)
		l.must(err)
		return append(sig[:], make([]byte, 32)...)
	}
	once, twice := common.Hash{1}, common.Hash{2}
	ask := func(digest common.Hash) error { return handler{n}.Wallet("", wallet, digest, sign(digest)) }
	l.must(ask(once))
	kept := func() (accounts []string) {
		l.must(n.config.Store.Scan("proved/", "", func(key string, _ []byte) error {
			accounts = append(accounts, key)
			return nil
		}))
		return accounts
	}
	if list := kept(); len(list) != 0 {
		t.Errorf("of a stranger it is stored what was proved: %s", list)
	}
	s := l.session(n, l.channel(common.Address{}, []uint64{5, 5}, n, bob))
	n.shares[wallet] = []*session{s}
	l.must(ask(once))
	for n.budgets.chain.Allow(budget.Who{Account: wallet}) {
	}
	if err := ask(once); err != nil {
		t.Errorf("asked again, a friend: %v", err)
	}
	if err := ask(twice); !errors.Is(err, ErrBusy) {
		t.Errorf("asked about something else: %v", err)
	}
	again := l.node(func(c *Config) { c.Store = n.config.Store })
	again.wallets, again.shares[wallet] = n.wallets, []*session{s}
	n.appointments.Note(common.Address{9}, once, true) // with whom the channel is over
	l.must(again.appointments.Restore(again.partner))
	for again.budgets.chain.Allow(budget.Who{Account: wallet}) { // of strangers who claim to be its deputies
	}
	if err := (handler{again}).Wallet("", wallet, once, sign(once)); err != nil {
		t.Errorf("asked after a restart, a friend: %v", err)
	}
	if list := kept(); !slices.Equal(list, []string{"proved/" + wallet.Hex()}) {
		t.Errorf("stored are %s", list)
	}
	begins := newNode(t.Context(), Config{Store: store.NewMemory(), Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	begins.stop()
	if err := (handler{begins}).Wallet("", wallet, once, sign(once)); !errors.Is(err, ErrClosed) {
		t.Errorf("closed before it began: %v", err)
	}
}
