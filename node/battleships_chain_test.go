package node_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// conceded has two players start a match of Battleships, which the second concedes.
func (tb *table) conceded(t *testing.T) {
	t.Helper()
	id, _, _ := tb.battle(t)
	must(t, tb.players[1].Concede(id))
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
	}
}

// TestChecklist_Battleships_16_AnyoneMayFile: both players are gone. Whoever has what they signed
// can file it, start to end, and it pays whom it would have paid.
func TestChecklist_Battleships_16_AnyoneMayFile(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	before := []*uint256.Int{tb.free(t, alice), tb.free(t, bob)}
	tb.conceded(t)
	for _, p := range tb.players { // the ledger that books the match
		tb.wait(t, p, func() bool {
			c, err := p.Channel(tb.channel)
			return err == nil && len(c.Ledger.Locks) == 0 && c.Ledger.Version > 1
		})
	}
	c, err := alice.Channel(tb.channel)
	must(t, err)
	contest := tb.contestOfFirst(t, bob)
	for _, p := range tb.players {
		must(t, p.Close())
	}
	stranger := chain.KeySigner(world(t).Chain.Key(world(t).account()))
	tb.post(t, stranger, contest)
	tb.post(t, stranger, onchain.ContestLedger{Terms: c.Terms, Ledger: c.Ledger})
	must(t, world(t).Chain.Mine(int(c.Terms.Window)))
	tb.post(t, stranger, onchain.Settle{Terms: c.Terms, Ledger: c.Ledger.Ledger})
	for i, p := range tb.players {
		p.start(t)
		must(t, p.Closed(tb.ctx, tb.channel))
		tb.worth(t, p, before[i], 1-2*i)
	}
}

// TestChecklist_Battleships_18_Reorgs: the chain takes back the blocks with the deposits and the
// opening, and later those with the close. Nobody has played before the opening was final;
// everything is done again by itself, and pays the same.
func TestChecklist_Battleships_18_Reorgs(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	for range 2 {
		tb.players = append(tb.players, join(t, func(c *node.Config) { c.Policy.Confirmations = 6 }))
	}
	alice, bob := tb.players[0], tb.players[1]
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	pass := func() (stop func()) { return world(t).PassTime(tb.ctx, alice.Node, bob.Node) }
	undo := func(since uint64) {
		t.Helper()
		must(t, world(t).Chain.Reorg(int(world(t).Chain.Head()-since)))
	}

	base := world(t).Chain.Head()
	for _, p := range tb.players {
		p.fund(t)
	}
	offer, err := alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 40, OpenBy: base + 100})
	must(t, err)
	tb.wait(t, alice, func() bool { return tb.sent(t, alice, "open ").Progress == chain.Mined })
	tb.channel = alice.Channels()[0].ID
	if err := alice.Propose(tb.channel, node.MatchRequest{Game: "battleships", Stakes: []uint256.Int{*stake}}); err == nil {
		t.Error("a match is proposed before the opening is final")
	}
	// so that the opening is back on the chain before his deposit is, and fails there
	must(t, bob.Close())
	undo(base)
	tb.pass(t, func() bool { r := tb.sent(t, alice, "open "); return r.Progress == chain.Mined && r.Err != nil })
	bob.start(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	stop := pass()
	for _, p := range tb.players {
		_, err := p.Opened(tb.ctx, offer)
		must(t, err)
	}
	stop()
	tb.conceded(t)

	base = world(t).Chain.Head()
	must(t, alice.CloseChannel(tb.channel))
	tb.wait(t, alice, func() bool { return tb.sent(t, alice, "close ").Progress == chain.Mined })
	tb.worth(t, alice, new(uint256.Int), 1)
	undo(base)
	defer pass()()
	for i, p := range tb.players {
		must(t, p.Closed(tb.ctx, tb.channel))
		tb.worth(t, p, new(uint256.Int), 1-2*i)
	}
}

// sent returns the transaction of a player whose purpose begins so; an empty report if there is
// none.
func (tb *table) sent(t *testing.T, p *player, why string) chain.Report {
	t.Helper()
	list, err := p.Transactions(100)
	must(t, err)
	at := slices.IndexFunc(list, func(r chain.Report) bool { return strings.HasPrefix(r.Why, why) })
	if at < 0 {
		return chain.Report{}
	}
	return list[at]
}

// TestChecklist_Battleships_20_TransactionsRetried: the endpoint turns transactions away. The node
// sends each again, until it lands, and once.
func TestChecklist_Battleships_20_TransactionsRetried(t *testing.T) {
	t.Parallel()
	shut, at := newGate(t)
	tb := emptyTable(t)
	for range 2 {
		tb.players = append(tb.players, join(t, func(c *node.Config) { c.Chain.URL = at }))
	}
	alice, bob := tb.players[0], tb.players[1]
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.mine(t)
	refuse := func(then func()) {
		t.Helper()
		shut.Store(3)
		then()
		if left := shut.Load(); left > 0 {
			t.Errorf("%d transactions less than three were turned away", left)
		}
	}
	refuse(func() { bob.fund(t) })
	refuse(func() { alice.fund(t) })
	refuse(func() {
		offer, err := alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20})
		must(t, err)
		for _, p := range tb.players {
			c, err := p.Opened(tb.ctx, offer)
			must(t, err)
			tb.channel = c.ID
		}
	})
	tb.conceded(t)
	refuse(func() { tb.close(t) })
	for _, p := range tb.players {
		list, err := p.Transactions(100)
		must(t, err)
		for _, r := range list {
			if r.Err != nil {
				t.Errorf("%s: %v", r.Why, r.Err)
			}
		}
	}
}
