package node_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// gameToken puts a token on the chain of which a wei buys a thousand units.
func gameToken(t *testing.T) common.Address {
	t.Helper()
	deployed, err := world(t).Chain.Deploy(t.Context(), append(common.FromHex(bindings.GameTokenMetaData.Bin), bindings.NewGameToken().PackConstructor(big.NewInt(1000))...))
	must(t, err)
	return deployed.ContractAddress
}

// mined returns what waits until a transaction that a player has just sent is in a block.
func (tb *table) mined(t *testing.T, p *player) func(chain.Report, error) {
	return func(r chain.Report, err error) {
		t.Helper()
		must(t, err)
		_, err = p.Mined(tb.ctx, r.Key)
		must(t, err)
	}
}

// Tokens are bought, put into the bank, taken out again and redeemed; while they are in the bank
// there is nothing to redeem.
func TestGameToken(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	ctx, token, p := tb.ctx, gameToken(t), join(t, nil)
	mined := tb.mined(t, p)
	holds := func(want uint64) {
		t.Helper()
		if got, err := p.TokenBalance(ctx, token); err != nil || got.Uint64() != want {
			t.Fatalf("the wallet holds %v, %v, want %d", got, err, want)
		}
	}
	mined(p.BuyTokens(ctx, token, uint256.NewInt(5)))
	holds(5000)
	mined(p.Deposit(ctx, token, uint256.NewInt(4000)))
	_, tooMany := p.RedeemTokens(ctx, token, uint256.NewInt(5000))
	_, dust := p.RedeemTokens(ctx, token, uint256.NewInt(999))
	_, noToken := p.BuyTokens(ctx, common.Address{5}, uint256.NewInt(5))
	_, tooPoor := p.BuyTokens(ctx, token, new(uint256.Int).Lsh(ether, 60))
	_, nothing := p.BuyTokens(ctx, token, new(uint256.Int))
	for name, err := range map[string]error{"too many": tooMany, "dust": dust, "too poor": tooPoor, "nothing": nothing} {
		if !errors.Is(err, node.ErrFunds) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !errors.Is(noToken, node.ErrRequest) {
		t.Errorf("no token: %v", noToken)
	}
	mined(p.Withdraw(ctx, token, uint256.NewInt(4000), p.Account()))
	mined(p.RedeemTokens(ctx, token, uint256.NewInt(5000)))
	holds(0)
}

// tokenTable seats a player for each least stake, in a channel for 20,000 of a new game token from
// each. 0: it says none.
func tokenTable(t *testing.T, least ...uint64) (*table, common.Address) {
	t.Helper()
	tb, token := emptyTable(t), gameToken(t)
	for _, units := range least {
		p := join(t, func(c *node.Config) {
			if units != 0 {
				c.Policy.LeastTokens = map[common.Address]uint256.Int{token: *uint256.NewInt(units)}
			}
		})
		tb.players = append(tb.players, p)
		tb.mined(t, p)(p.BuyTokens(tb.ctx, token, uint256.NewInt(20)))
		tb.mined(t, p)(p.Deposit(tb.ctx, token, uint256.NewInt(20_000)))
	}
	alice, bob := tb.players[0], tb.players[1]
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	all := uint256.NewInt(20_000)
	offer, err := alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Asset: token, Deposits: []uint256.Int{*all, *all}, Window: 20})
	must(t, err)
	for _, p := range tb.players {
		c, err := p.Opened(tb.ctx, offer)
		must(t, err)
		tb.channel = c.ID
	}
	return tb, token
}

// TestChecklist_SumsAndCows_03_GamesForTokens: two nodes buy game tokens, open a channel for them,
// and play three games of sums and cows in it at once. What is locked can be neither withdrawn nor
// redeemed; in the end each redeems what the fees and the prizes leave it, to the unit.
func TestChecklist_SumsAndCows_03_GamesForTokens(t *testing.T) {
	t.Parallel()
	tb, token := tokenTable(t, 1000, 1000)
	alice := tb.players[0]
	asked := func(id common.Hash) bool {
		m, err := alice.Match(id)
		return err == nil && m.Started && m.Outcome == nil && m.Ask != ""
	}
	ids := map[common.Hash]string{}
	for _, game := range []struct{ params, move string }{
		// the right one: +5000 - 1000 - 1000
		{`{"n":1,"d":1,"guesses":2,"start":"1000","fee":"1000","prize":"5000"}`, "A"},
		// +4000 - 2000 - 1000
		{`{"n":1,"d":1,"guesses":1,"start":"2000","fee":"1000","prize":"4000"}`, "A"},
		{`{"n":9,"d":3,"guesses":2,"start":"1000","fee":"1000","prize":"2000"}`, "end!"}, // -1000
	} {
		must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "sums-and-cows", Params: []byte(game.params)}))
		tb.wait(t, alice, func() bool {
			for _, m := range alice.Matches() {
				if _, known := ids[m.ID]; !known && asked(m.ID) {
					ids[m.ID] = game.move
					return true
				}
			}
			return false
		})
	}
	for id := range ids {
		if !asked(id) {
			t.Errorf("match %s is not played beside the others", id)
		}
	}
	_, locked := alice.Withdraw(tb.ctx, token, uint256.NewInt(1), alice.Account())
	_, staked := alice.RedeemTokens(tb.ctx, token, uint256.NewInt(1000))
	if !errors.Is(locked, node.ErrFunds) || !errors.Is(staked, node.ErrFunds) {
		t.Errorf("tokens leave a running game: %v, %v", locked, staked)
	}
	for id, move := range ids {
		must(t, alice.Play(id, move))
	}
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, len(ids))
		must(t, err)
	}
	must(t, alice.CloseChannel(tb.channel))
	for i, p := range tb.players {
		must(t, p.Closed(tb.ctx, tb.channel))
		units := uint256.NewInt([]uint64{23_000, 17_000}[i])
		if bank, err := p.BankBalance(tb.ctx, token); err != nil || !bank.Eq(units) {
			t.Fatalf("seat %d has %v in the bank, %v, want %s", i, bank, err, units.Dec())
		}
		tb.mined(t, p)(p.Withdraw(tb.ctx, token, units, p.Account()))
		tb.mined(t, p)(p.RedeemTokens(tb.ctx, token, units))
	}
	client := world(t).Chain.Client()
	defer client.Close()
	if left, err := client.BalanceAt(tb.ctx, token, nil); err != nil || left.Sign() != 0 {
		t.Errorf("the token holds %v wei, %v, after all was redeemed", left, err)
	}
}

// Amounts of a token are told as the token says, after a restart too, and what is no token is
// counted in its smallest units.
func TestUnit(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	ctx, token, p := tb.ctx, gameToken(t), join(t, nil)
	amount := uint256.NewInt(25e17)
	if got := p.Known(token).Format(amount); got != "2500000000000000000 units of "+token.Hex()[:10] {
		t.Errorf("before it was asked: %s", got)
	}
	unit, err := p.Unit(ctx, token)
	must(t, err)
	if got := unit.Format(amount); got != "2.5 ANTE ("+token.Hex()[:10]+")" || p.Known(token) != unit {
		t.Errorf("%s, and it knows %+v", got, p.Known(token))
	}
	for _, other := range []common.Address{{5}, world(t).Arena} {
		unit, err := p.Unit(ctx, other)
		must(t, err)
		if unit.Symbol != "" || unit.Asset != other {
			t.Errorf("%s is written in %+v", other, unit)
		}
	}
	if unit, err := p.Unit(ctx, common.Address{}); err != nil || unit.Format(amount) != "2.5 eth" {
		t.Errorf("ETH is written in %+v: %v", unit, err)
	}
	tb.players = append(tb.players, p, join(t, nil))
	for _, p := range tb.players {
		tb.mined(t, p)(p.BuyTokens(ctx, token, uint256.NewInt(1e16)))
		tb.mined(t, p)(p.Deposit(ctx, token, uint256.NewInt(4e18)))
	}
	q := tb.players[1]
	must(t, dev.Connect(ctx, p.Node, q.Node))
	offer, err := p.Offer(ctx, node.OpenRequest{Peers: []common.Address{q.Account()}, Asset: token, Deposits: []uint256.Int{*amount, *amount}, Window: 20})
	must(t, err)
	for _, p := range tb.players {
		_, err := p.Opened(ctx, offer)
		must(t, err)
	}
	p.restart(t)
	if p.Known(token) != unit {
		t.Errorf("after a restart it is written in %+v", p.Known(token))
	}
}

// Who plays for next to nothing in a token can stall at the other's gas: a token's least stake has
// to be said, and is asked of the other seat.
func TestAttack_FreeStall_Token(t *testing.T) {
	t.Parallel()
	tb, _ := tokenTable(t, 1000, 0)
	alice, bob := tb.players[0], tb.players[1]
	propose := func(p *player, units uint64) error {
		return p.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(units)}})
	}
	if err := propose(bob, 5000); !errors.Is(err, channel.ErrCheap) {
		t.Errorf("bob, who has said no least stake, proposes: %v", err)
	}
	if err := propose(alice, 999); !errors.Is(err, channel.ErrCheap) {
		t.Errorf("alice proposes for less than she has said: %v", err)
	}
	must(t, propose(alice, 1000))
	if e := tb.event(t, alice, node.ProposalFailed); !strings.Contains(e.Text, "no least stake is set for token") {
		t.Errorf("alice reads %q", e.Text)
	}
}
