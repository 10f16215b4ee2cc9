package node_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/signertest"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/owner"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// TestResize_ThreeSeats: all three sign what one of them asks for, whichever it is, and the new
// channel is one to play in and to close.
func TestResize_ThreeSeats(t *testing.T) {
	t.Parallel()
	tb := sit(t, 3, nil)
	alice, bob, carol := tb.players[0], tb.players[1], tb.players[2]
	carol.fund(t)
	nothing := new(uint256.Int)
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{nil, halfEther, twoEther}, ""))
	tb.resized(t)
	tb.holds(t, []*uint256.Int{ether, halfEther, twoEther}, []*uint256.Int{nothing, halfEther, nothing})
	must(t, carol.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{halfEther, ether, ether}, ""))
	if c := tb.resized(t); !slices.Equal(c.Terms.Players, []common.Address{carol.Account(), alice.Account(), bob.Account()}) {
		t.Errorf("the seats are %v", c.Terms.Players)
	}
	tb.holds(t, []*uint256.Int{halfEther, ether, ether}, []*uint256.Int{halfEther, nothing, ether})
	tb.players = []*player{carol, alice, bob} // by seat
	tb.playOne(t)
}

// TestResize_Tokens: what a resize moves is the channel's token, and no ether.
func TestResize_Tokens(t *testing.T) {
	t.Parallel()
	tb, token := tokenTable(t, 0, 0)
	alice, bob := tb.players[0], tb.players[1]
	tb.mined(t, alice)(alice.BuyTokens(tb.ctx, token, uint256.NewInt(15)))
	tb.mined(t, alice)(alice.Deposit(tb.ctx, token, uint256.NewInt(15_000)))
	for _, p := range tb.players {
		p.fund(t) // which is not for this channel
	}
	must(t, bob.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{uint256.NewInt(30_000), uint256.NewInt(4_000)}, ""))
	if c := tb.resized(t); c.Terms.Asset != token {
		t.Errorf("it is for %s", c.Terms.Asset)
	}
	tb.holds(t, []*uint256.Int{uint256.NewInt(30_000), uint256.NewInt(4_000)}, []*uint256.Int{ether, ether})
	for i, want := range []uint64{5_000, 16_000} {
		if free, err := tb.players[i].BankBalance(tb.ctx, token); err != nil || free.Uint64() != want {
			t.Errorf("player %d has %v free, %v, want %d", i, free, err, want)
		}
	}
}

// TestResize_Signer: a player's own signer is asked once for each opening, whoever asked for it,
// and for nothing else. Where it refuses, the money of both is in the bank.
func TestResize_Signer(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	key := world(t).Chain.Key(world(t).account())
	server := signertest.Start(t, key)
	external := chain.NewExternal(server.URL, crypto.PubkeyToAddress(key.PublicKey), 0)
	t.Cleanup(external.Close)
	alice, _ := joinAs(t, owner.New(external.Address(), external), func(c *node.Config) { c.OwnerSigner = external })
	bob := join(t, nil)
	tb.players = []*player{alice, bob}
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	alice.fund(t)
	bob.fund(t)
	tb.open(t)
	bob.fund(t)
	nothing := new(uint256.Int)
	asked := len(server.Asked())
	must(t, bob.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{halfEther, nil}, ""))
	tb.resized(t)
	tb.holds(t, []*uint256.Int{halfEther, ether}, []*uint256.Int{halfEther, ether})
	must(t, alice.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{twoEther, ether}, ""))
	tb.resized(t)
	tb.holds(t, []*uint256.Int{ether, twoEther}, []*uint256.Int{nothing, nothing})
	if got := server.Asked()[asked:]; !slices.Equal(got, []string{"account_signTypedData", "account_signTypedData"}) {
		t.Errorf("the signer was asked %v", got)
	}

	server.Set(signertest.Refuse)
	tb.mine(t)
	must(t, bob.ResizeChannel(tb.ctx, tb.channel, []*uint256.Int{nil, halfEther}, ""))
	for i, want := range []*uint256.Int{ether, twoEther} {
		p := tb.players[i]
		must(t, p.Closed(tb.ctx, tb.channel))
		tb.banked(t, p, want)
	}
}
