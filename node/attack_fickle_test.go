package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// fickle deploys a contract wallet that takes any signature when it is asked, in a call without a
// price of gas, and none in a block.
func fickle(t *testing.T) walletOwner {
	t.Helper()
	key, err := crypto.GenerateKey()
	must(t, err)
	const says = "3a15631626ba7e60e01b025f5260205ff3" // return(gasprice == 0 ? 0x1626ba7e : 0)
	return walletOwner{owner.New(node.Deploy(t, common.FromHex("0x70"+says+"5f526011600ff3")), owner.Key{Key: protocol.NewKey(key)})}
}

// lost is how many of a player's openings failed in their blocks.
func lost(t *testing.T, p *player) (count int) {
	t.Helper()
	list, err := p.Transactions(100)
	must(t, err)
	for _, r := range list {
		if r.Err != nil && r.GasUsed > 0 {
			count++
		}
	}
	return count
}

// TestAttack_FickleWallet: a contract wallet that takes its player's signature whenever it is asked
// and refuses it in each block makes who opens a channel with it pay for two openings, and no more.
func TestAttack_FickleWallet(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	mallory, _ := joinAs(t, fickle(t), nil)
	alice := join(t, nil)
	tb.players = []*player{alice, mallory}
	must(t, dev.Connect(tb.ctx, alice.Node, mallory.Node))
	tb.mine(t)
	offer, err := alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{mallory.Account()}, Deposits: []uint256.Int{*ether, {}}, Window: 100})
	must(t, err)
	if _, err := alice.Opened(tb.ctx, offer); !errors.Is(err, node.ErrDeclined) {
		t.Errorf("opened: %v", err)
	}
	if n := lost(t, alice); n == 0 || n > 2 {
		t.Errorf("alice paid for %d openings, want 2", n)
	}
}

// TestAttack_FickleWallet_Table: at a table it keeps nobody from playing: the channel is offered
// again to those whose keys have signed.
func TestAttack_FickleWallet_Table(t *testing.T) {
	t.Parallel()
	tb := hall(t, true, true)
	mallory, _ := joinAs(t, fickle(t), func(c *node.Config) {
		c.Games, c.Rules, c.Policy = tb.players[1].config.Games, tb.players[1].config.Rules, tb.players[1].config.Policy
	})
	must(t, dev.Connect(tb.ctx, mallory.Node, tb.players[0].Node))
	call, err := codec.New(mallory.Domain()).Encode(onchain.Deposit{Account: mallory.Account(), Amount: *ether})
	must(t, err)
	tell(t, world(t).Arena, call.Data, ether)
	tb.players = append(tb.players, mallory)
	id := tb.announce(t, `{"rounds": 1}`, func(r *node.RoundRequest) { r.Fewest, r.Window = 2, 40 })
	for seat := range 3 {
		tb.sitDown(t, id, seat+1, 1e17, nobody)
	}
	tb.mine(t)
	tb.played(t, id, 3)
}
