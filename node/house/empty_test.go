package house_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/house"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// least is the policy of a house that stakes at least a prize of 0.05 ETH.
var least = strings.Replace(policy, `"prize": {"most"`, `"prize": {"least": "0.05eth", "most"`, 1)

func lacksMoney(e node.Event) bool { return strings.Contains(e.Text, "having money to play with") }

func lacksGas(e node.Event) bool { return strings.Contains(e.Text, "having gas for disputes") }

// TestAttack_EmptyWallet_House: a house that plays nowhere, and has no money or gas to play, is an
// alarm until it has.
func TestAttack_EmptyWallet_House(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w, err := dev.Start(ctx, devnet.Config{Accounts: 3}, games.Catalog{sumscows.Game(), mastermind.Game()})
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	c, err := w.Config(0)
	must(t, err)
	poor, err := crypto.GenerateKey()
	must(t, err)
	c.OwnerSigner, c.GasPayer = c.GasPayer, chain.KeySigner(poor)
	p, err := house.Parse([]byte(least), w.Games)
	must(t, err)
	h := house.Join(&c, p)
	n, err := node.Start(ctx, c)
	must(t, err)
	t.Cleanup(func() { must(t, n.Close()) })
	must(t, h.Serve(n))
	wait := func(alarm func(node.Event) bool, stands bool) {
		t.Helper()
		must(t, n.Wait(ctx, func() (bool, error) { return slices.ContainsFunc(n.Standing(), alarm) == stands, nil }))
	}
	wait(lacksMoney, true)
	wait(lacksGas, true)
	must(t, dev.Deposit(ctx, n, uint256.NewInt(5e16-1)))
	must(t, w.Chain.Mine(1))
	must(t, n.Wait(ctx, func() (bool, error) {
		return slices.ContainsFunc(n.Standing(), func(e node.Event) bool { return strings.Contains(e.Text, "is 0.049") && lacksMoney(e) }), nil
	}))
	must(t, dev.Deposit(ctx, n, uint256.NewInt(1)))
	must(t, w.Chain.Mine(1))
	wait(lacksMoney, false)
	wait(lacksGas, true)
	client, err := chain.Dial(ctx, chain.Config{URL: w.URL})
	must(t, err)
	defer client.Close()
	rich, err := chain.NewSender(client, chain.SenderConfig{
		Signer: chain.KeySigner(w.Chain.Key(1)), Store: store.NewMemory(), Now: func(context.Context) (uint64, error) { return 0, nil },
	})
	must(t, err)
	_, err = rich.Submit(ctx, chain.Request{Key: "gas", To: c.GasPayer.Address(), Value: *uint256.NewInt(1e18)})
	must(t, err)
	must(t, w.Chain.Mine(1))
	wait(lacksGas, false)
}
