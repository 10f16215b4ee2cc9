package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/spf13/cobra"
)

// The files that a dev chain leaves for others.
const (
	networkFile = "network.yaml" // settings for init
	faucetFile  = "faucet.key"   // the key of an account with play money
)

func (a *app) devnetCommand() *cobra.Command {
	var out string
	var port int
	var block time.Duration
	cmd := &cobra.Command{Use: "devnet", Short: "Run a chain of your own with everything deployed, to try things out", Args: cobra.NoArgs,
		Long: "Run an Ethereum chain in this process, with the Arena and all games deployed. It is gone when the process ends.\n" +
			"It writes network.yaml, for init, and faucet.key, for devnet fund, into a directory.",
		Example: "  channeld devnet --out devnet\n  channeld --dir alice init --network devnet/network.yaml --light\n" +
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
	var text strings.Builder
	fmt.Fprintf(&text, "# A dev chain: channeld init --network %s\nchain:\n  url: %q\n  id: %d\n  arena: %q\n  from: %d\n  max_age: 0s\n  scoreboard: %q\ngames:\n",
		filepath.Join(out, networkFile), w.Chain.URL(), w.Chain.ChainID(), w.Arena, w.From, w.Board)
	for _, name := range slices.Sorted(maps.Keys(w.Rules)) {
		fmt.Fprintf(&text, "  %s: %q\n", name, w.Rules[name])
	}
	// Its clock counts blocks, about one a second. Any free ports, so that several daemons fit on
	// one machine.
	fmt.Fprintf(&text, "peers:\n  listen: %q\napi:\n  listen: 127.0.0.1:0\nplay:\n  window: 120\nwait:\n  confirmations: 2\n  poll: 500ms\n",
		"/ip4/127.0.0.1/tcp/0,/ip4/127.0.0.1/udp/0/quic-v1")
	if err := os.MkdirAll(out, 0o700); err != nil {
		return fmt.Errorf("write %s: %w", networkFile, err)
	}
	if err := os.WriteFile(filepath.Join(out, networkFile), []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", networkFile, err)
	}
	faucet := hexutil.Encode(crypto.FromECDSA(w.Chain.Key(0)))
	if err := os.WriteFile(filepath.Join(out, faucetFile), []byte(faucet+"\n"), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", faucetFile, err)
	}
	return a.report(map[string]any{"url": w.Chain.URL(), "chainId": w.Chain.ChainID(), "arena": w.Arena, "games": w.Rules}, "a chain of your own is at %s, with the Arena at %s; stop it with Ctrl-C\n"+
		"next, in another terminal: channeld --dir alice init --light --network %s\n", w.Chain.URL(), w.Arena, filepath.Join(out, networkFile))
}
