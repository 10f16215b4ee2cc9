package node_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestGasThatIsGone: what would pay for a dispute leaves the wallet while a channel is open. An
// alarm stands that says so. The reserve is set so high that the rest does at no fee, for on a dev
// chain without traffic gas costs next to nothing.
func TestGasThatIsGone(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	must(t, alice.Close())
	client, err := chain.Dial(tb.ctx, chain.Config{URL: world(t).URL})
	must(t, err)
	defer client.Close()
	arena, err := chain.OpenArena(tb.ctx, client, world(t).Arena)
	must(t, err)
	has, err := client.Balance(tb.ctx, alice.config.GasPayer.Address())
	must(t, err)
	thief, err := chain.NewSender(client, chain.SenderConfig{Signer: alice.config.GasPayer, Store: store.NewMemory(), Now: arena.Now, Fees: chain.Fees{Reserve: 1}})
	must(t, err)
	left := uint256.NewInt(1e15)
	_, err = thief.Submit(tb.ctx, chain.Request{Key: "all", To: common.Address{19: 1}, Value: *new(uint256.Int).Sub(has, left)})
	must(t, err)
	must(t, world(t).Chain.Mine(1))

	alice.config.Fees.Reserve = math.MaxInt64
	alice.start(t)
	tb.wait(t, alice, func() bool {
		return slices.ContainsFunc(alice.Standing(), func(e node.Event) bool {
			return strings.Contains(e.Text, "having gas for disputes") && strings.Contains(e.Text, "send it the difference")
		})
	})
}
