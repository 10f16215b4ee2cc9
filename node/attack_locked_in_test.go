package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// TestAttack_LockedIn: the gas account has just the reserve that the node asks for before it locks
// money. That is enough to leave the channel, and not touched by what locks more.
func TestAttack_LockedIn(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	poor, err := crypto.GenerateKey()
	must(t, err)
	gas := crypto.PubkeyToAddress(poor.PublicKey)
	alice := join(t, func(c *node.Config) {
		c.OwnerSigner = c.GasPayer
		c.GasPayer = chain.KeySigner(poor)
	})
	bob := join(t, nil)
	must(t, dev.Connect(tb.ctx, bob.Node, alice.Node))
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	bob.fund(t)
	alice.fund(t)
	must(t, world(t).Chain.Mine(250))
	tb.wait(t, alice, func() bool { return alice.Head().Block >= world(t).Chain.Head() })
	r, err := alice.Reserve(tb.ctx)
	must(t, err)
	tell(t, gas, nil, new(uint256.Int).Add(&r.Need, uint256.NewInt(r.Price*20_000)))
	tb.players = []*player{bob, alice}
	offer, err := bob.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20})
	must(t, err)
	for _, p := range tb.players {
		c, err := p.Opened(tb.ctx, offer)
		must(t, err)
		tb.channel = c.ID
	}
	must(t, bob.Close())
	if _, err := alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20}); !errors.Is(err, node.ErrFunds) {
		t.Errorf("a second channel, whose disputes the account could not pay as well: %v", err)
	}
	must(t, alice.Exit(tb.ctx, tb.channel))
	tb.contested(t, alice)
	bob.start(t)
}
