// Package faucet is what a dev chain leaves to others in a directory: the settings of its daemons,
// and an account with play money for them.
package faucet

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// Network is the file with the settings of the chain, for init and run.
const Network = "network.yaml"

// keyFile has the key of an account with play money.
const keyFile = "faucet.key"

// Write writes the files of a dev chain into a directory.
func Write(w *dev.World, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write %s: %w", Network, err)
	}
	key := hexutil.Encode(crypto.FromECDSA(w.Chain.Key(0))) + "\n"
	for name, text := range map[string]string{Network: settings(w, filepath.Join(dir, Network)), keyFile: key} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}

func settings(w *dev.World, file string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# A dev chain: channeld run --network %s\nchain:\n  url: %q\n  id: %d\n  arena: %q\n  from: %d\n  max_age: 0s\n  scoreboard: %q\ngames:\n",
		file, w.Chain.URL(), w.Chain.ChainID(), w.Arena, w.From, w.Board)
	for _, name := range slices.Sorted(maps.Keys(w.Rules)) {
		fmt.Fprintf(&text, "  %s: %q\n", name, w.Rules[name])
	}
	// Its clock counts blocks, about one a second. Any free ports, so that several daemons fit on
	// one machine.
	fmt.Fprintf(&text, "peers:\n  listen: %q\napi:\n  listen: 127.0.0.1:0\nplay:\n  window: 120\nwait:\n  confirmations: 2\n  poll: 500ms\n",
		"/ip4/127.0.0.1/tcp/0,/ip4/127.0.0.1/udp/0/quic-v1")
	return text.String()
}

// Beside reports whether a file with the settings of a chain is a dev chain's, whose faucet is
// beside it, in the directory that it returns.
func Beside(network string) (dir string, play bool) {
	dir = filepath.Dir(network)
	_, err := os.Stat(filepath.Join(dir, keyFile))
	return dir, err == nil
}
