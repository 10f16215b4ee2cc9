package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/faucet"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
)

func devnetCommand(a *app) *cobra.Command {
	var out string
	var port int
	var block time.Duration
	cmd := &cobra.Command{Use: "devnet", Short: "Run a chain of your own with everything deployed, to try things out", Args: cobra.NoArgs,
		Long: "Run an Ethereum chain in this process, with the Arena and all games deployed. It is gone when the process ends.\n" +
			"It writes network.yaml, for run and init, and faucet.key, for run and devnet fund, into a directory.",
		Example: "  channeld devnet --out devnet\n  channeld --dir alice run --network devnet/network.yaml\n" +
			"  channeld devnet fund 0x… 10eth",
		RunE: func(c *cobra.Command, _ []string) error {
			w, err := dev.Start(c.Context(), devnet.Config{Port: port, BlockTime: block}, a.Games)
			if err != nil {
				return err
			}
			err = a.announce(w, out)
			if err == nil {
				<-c.Context().Done()
			}
			return errors.Join(err, w.Close())
		}}
	cmd.PersistentFlags().StringVar(&out, "out", "devnet", "directory of network.yaml and faucet.key")
	cmd.Flags().IntVar(&port, "port", 8545, "port of the JSON-RPC endpoint on loopback; 0: any free one")
	cmd.Flags().DurationVar(&block, "block", time.Second, "time between blocks; 0: a block whenever a transaction arrives")
	fund := &cobra.Command{Use: "fund ACCOUNT AMOUNT", Short: "Give an account play money", Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return a.fund(c.Context(), out, args[0], args[1]) }}
	deploy := &cobra.Command{Use: "deploy FILE", Short: "Put a contract on the chain: its init code in hexadecimal", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.deploy(c.Context(), out, args[0]) }}
	cmd.AddCommand(fund, deploy)
	return cmd
}

// announce writes what others need to use the chain, and says so.
func (a *app) announce(w *dev.World, out string) error {
	if err := faucet.Write(w, out); err != nil {
		return err
	}
	return a.report(map[string]any{"url": w.Chain.URL(), "chainId": w.Chain.ChainID(), "arena": w.Arena, "games": w.Rules}, "a chain of your own is at %s, with the Arena at %s; stop it with Ctrl-C\n"+
		"next, in another terminal: %s --dir alice run --network %s\n", w.Chain.URL(), w.Arena, program(), filepath.Join(out, faucet.Network))
}

// fund gives an account play money.
func (a *app) fund(ctx context.Context, dir, to, amount string) error {
	account, err := parseAddress("account", to)
	if err != nil {
		return err
	}
	value, err := wei.Unit{}.ParseTyped(amount)
	if err != nil {
		return err
	}
	hash, err := faucet.Fund(ctx, dir, value, account)
	if err != nil {
		return err
	}
	return a.report(map[string]string{"hash": hash.Hex(), "to": to, "amount": value.Dec()}, "%s has %s more\n", to, wei.Format(value))
}

// deploy puts a contract on a dev chain.
func (a *app) deploy(ctx context.Context, dir, file string) error {
	receipt, err := faucet.Deploy(ctx, dir, file)
	if err != nil {
		return err
	}
	at := receipt.ContractAddress.Hex()
	return a.report(map[string]any{"address": at, "gas": receipt.GasUsed}, "deployed at %s\n", at)
}

// parseAddress reads a typed address. For error messages, what names it.
func parseAddress(what, typed string) (common.Address, error) {
	a, err := api.Address(typed)
	if err != nil {
		return a, fmt.Errorf("%q is no %s: %w", typed, what, err)
	}
	return a, nil
}
