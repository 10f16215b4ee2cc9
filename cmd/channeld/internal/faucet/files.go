// Package faucet is what a dev chain leaves to others in a directory: the settings of its daemons,
// and an account with play money for them.
package faucet

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/network"
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
	return network.Network{
		URL: w.Chain.URL(), ID: w.Chain.ChainID(), Arena: w.Arena, From: w.From, Scoreboard: w.Board, Games: w.Rules,
		// Its clock counts blocks, about one a second. Any free ports, so that several daemons fit
		// on one machine.
		More: map[string]string{
			"chain.max_age": "0s", "peers.listen": "/ip4/127.0.0.1/tcp/0,/ip4/127.0.0.1/udp/0/quic-v1", "api.listen": "127.0.0.1:0",
			"play.window": "120", "wait.confirmations": "2", "wait.poll": "500ms",
		},
	}.Text("A dev chain: channeld run --network " + file)
}

// Beside reports whether a file with the settings of a chain is a dev chain's, whose faucet is
// beside it, in the directory that it returns. There may be settings of other chains, too.
func Beside(network string) (dir string, play bool) {
	dir = filepath.Dir(network)
	_, missing := os.Stat(filepath.Join(dir, keyFile))
	settings, err := config.Load(network, nil, nil)
	return dir, missing == nil && err == nil && settings.Chain.ID == devnet.DefaultChainID
}
