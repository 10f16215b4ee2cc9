package node

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// part is what of a node that runs asks the chain, with accounts of its own: a test changes it
// while the node goes on.
func part(t *testing.T, n *Node, change func(*Config)) *Node {
	t.Helper()
	c := n.config
	c.Store, c.Log = store.NewMemory(), slog.New(slog.DiscardHandler)
	now := time.Unix(1_700_000_000, 0)
	c.Now = func() time.Time { return now }
	if change != nil {
		change(&c)
	}
	p := newNode(t.Context(), c)
	t.Cleanup(p.stop)
	p.drive.Client, p.drive.Arena, p.net, p.domain = n.drive.Client, n.drive.Arena, n.net, n.domain
	var err error
	if p.drive.Sender, err = p.drive.NewSender(c.GasPayer); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSendsFromElsewhere: what only the player's account may send is the user's to send where the
// node can't sign for it. Nothing is asked of the user that is done already, or as long as the
// chain does not answer.
func TestSendsFromElsewhere(t *testing.T) {
	t.Parallel()
	n := part(t, Join(t, nil), nil)
	token := Deploy(t, common.FromHex(testbindings.TestTokenMetaData.Bin))
	away, cancel := context.WithCancel(t.Context())
	cancel()
	elsewhere := new(*Elsewhere)
	if err := n.spend(t.Context(), chain.Request{Why: "pay"}); !errors.As(err, elsewhere) || (*elsewhere).Why != "pay" {
		t.Errorf("a payment: %v", err)
	}
	if err := n.allow(t.Context(), token, uint256.NewInt(1)); !errors.As(err, elsewhere) || (*elsewhere).To != token {
		t.Errorf("an allowance: %v", err)
	}
	if err := n.allow(t.Context(), token, new(uint256.Int)); err != nil {
		t.Errorf("one that is there: %v", err)
	}
	if err := n.allow(away, token, new(uint256.Int)); !errors.Is(err, context.Canceled) {
		t.Errorf("the chain is away: %v", err)
	}
	if _, err := n.readToken(t.Context(), n.config.Arena, gameToken().PackTotalSupply()); !errors.Is(err, ErrRequest) {
		t.Errorf("a contract that is no token: %v", err)
	}
}

// TestTwoAccounts: what is asked of a node's transactions either of its accounts answers, and no
// other error than what it says.
func TestTwoAccounts(t *testing.T) {
	t.Parallel()
	chained := Join(t, nil)
	var gets, scans *int
	n := part(t, chained, func(c *Config) { gets, scans = failing(c, storetest.Get), failing(c, storetest.Scan) })
	other := part(t, chained, nil).drive.Sender
	for name, sender := range map[string]*chain.Sender{"none": nil, "the same": n.drive.Sender, "another": other} {
		n.ownerSender = sender
		if r, err := n.status("what"); err != nil || r.Progress != chain.Unknown {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		if list, err := n.Transactions(10); err != nil || len(list) != 0 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		*gets = 1
		if _, err := n.status("what"); !errors.Is(err, storetest.ErrCrash) {
			t.Errorf("%s, unread: %v", name, err)
		}
		*scans = 1
		if _, err := n.Transactions(10); !errors.Is(err, storetest.ErrCrash) {
			t.Errorf("%s, unread: %v", name, err)
		}
	}
}

// TestMoneyForChannels: a deposit in a token has to be in the bank; none is so high that no gas is
// needed; and a node that lends has what it lends, while it plays nowhere.
func TestMoneyForChannels(t *testing.T) {
	t.Parallel()
	token := Deploy(t, common.FromHex(testbindings.TestTokenMetaData.Bin))
	n := part(t, Join(t, nil), func(c *Config) { c.Policy.Lends = &Lends{Asset: token, Least: *uint256.NewInt(5)} })
	o := &Offer{}
	o.Terms.Asset = token
	if err := n.canPay(t.Context(), o, uint256.NewInt(1)); !errors.Is(err, ErrFunds) || !strings.Contains(err.Error(), "deposit that first") {
		t.Errorf("a token's deposit: %v", err)
	}
	if err := n.canDefend(t.Context(), 1, new(uint256.Int).SetAllOne()); !errors.Is(err, ErrFunds) {
		t.Errorf("all the money that can be: %v", err)
	}
	if err := n.stillLends(t.Context()); !errors.Is(err, ErrFunds) {
		t.Errorf("it lends nothing: %v", err)
	}
	if _, known := n.units.of(token); !known {
		t.Error("it lends a token whose unit it doesn't know")
	}
	n.config.Policy.Lends = &Lends{Asset: token}
	if err := n.stillLends(t.Context()); err != nil {
		t.Errorf("it lends what it has: %v", err)
	}
	n.config.Policy.Lends = &Lends{Asset: token, Least: *uint256.NewInt(5)}
	l := newLab(t)
	alice := l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, l.node(nil))
	n.sessions[id] = l.session(alice, id)
	if err := n.stillLends(t.Context()); err != nil {
		t.Errorf("its money is in its channels: %v", err)
	}
}

// TestMeans: in ETH an account can deposit what is in its wallet too, of a token what is in the
// bank. It pays for two questions and those of an opening.
func TestMeans(t *testing.T) {
	t.Parallel()
	chained := Join(t, nil)
	n, account := part(t, chained, nil), chained.Account()
	token := Deploy(t, common.FromHex(testbindings.TestTokenMetaData.Bin))
	if means, err := n.Means(t.Context(), common.Address{}, account); err != nil || means.IsZero() {
		t.Errorf("ETH: %v, %v", means, err)
	}
	if means, err := n.Means(t.Context(), token, account); err != nil || !means.IsZero() {
		t.Errorf("tokens: %v, %v", means, err)
	}
	n = part(t, chained, nil)
	if err := n.charge(n.budgets.chain, account, chainLimit.Account.Burst-2-questionsOfOpening); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Means(t.Context(), common.Address{}, account); err != nil {
		t.Errorf("with the last that it has: %v", err)
	}
	n.learnFrom(common.Address{9}, token)
	if _, known := n.units.of(token); !known {
		t.Error("what somebody names is not learnt")
	}
}
