package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/faucet"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What a new daemon on a dev chain gets from the faucet, and what of it goes into the bank, in wei.
var (
	playMoney = uint256.NewInt(11e18)
	playBank  = uint256.NewInt(10e18)
)

// firstRun makes a daemon that is not there yet, if it is said on which network. It returns the
// open keys of one that it made, and what to do once it runs.
func (a *app) firstRun(c *cobra.Command, network string) (ring *keys.Ring, ready func(*node.Node, string), err error) {
	if network == "" {
		return nil, a.ready, nil
	}
	if _, err := os.Lstat(a.path(configFile)); err == nil {
		a.tellNetwork(c.Flags(), network)
		return nil, a.ready, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, a.ready, err
	}
	dir, play := faucet.Beside(network)
	var where config.Keys
	account, gas, err := a.setUp(c.Flags(), network, func(settings *config.Keys) (*keys.Ring, error) {
		where = *settings
		ask := keys.AskNewPassword
		if play {
			if err := faucet.Answers(c.Context(), dir); err != nil {
				return nil, err // before anything is made
			}
			ask = askOnce
		}
		ring, err = a.makeKeys(settings, "", play, ask)
		return ring, err
	})
	if err == nil {
		a.tellKept(c.Flags())
		if !play && !a.json {
			a.printf("%s\n", a.advice(account, gas, &where))
		}
	}
	if err != nil || !play {
		return ring, a.ready, err
	}
	if _, err := faucet.Fund(c.Context(), dir, playMoney, slices.Compact([]common.Address{account, gas})...); err != nil {
		return nil, nil, fmt.Errorf("get play money: %w; try again: channeld devnet fund %s %s", err, account, wei.Unit{}.Typed(playMoney))
	}
	return ring, func(n *node.Node, address string) {
		if _, err := n.Deposit(c.Context(), common.Address{}, playBank); err != nil {
			a.printf("the play money stays in the wallet: %v\n", err)
		}
		a.ready(n, address)
	}, nil
}

// tellNetwork says so where a daemon that is there was made for another network than a file names:
// it runs on its own, and the file counts for new daemons only.
func (a *app) tellNetwork(flags *pflag.FlagSet, network string) {
	named, err := config.Load(network, a.Environ, flags)
	kept, failed := config.Load(a.path(configFile), a.Environ, flags)
	if err != nil || failed != nil {
		return
	}
	n, k := &named.Chain, &kept.Chain
	idDiffers := n.ID != 0 && k.ID != 0 && n.ID != k.ID
	arenaDiffers := n.Arena != (common.Address{}) && k.Arena != (common.Address{}) && n.Arena != k.Arena
	if idDiffers || arenaDiffers {
		fmt.Fprintf(a.Err, "the daemon of %s is of another network (the Arena %s of chain %d) than %s names (the Arena %s of chain %d), and runs on its own: "+
			"for a new daemon choose another --dir\n", a.dir, k.Arena, k.ID, network, n.Arena, n.ID)
	}
}

// tellKept says which settings of the command line the first run wrote into the file.
func (a *app) tellKept(flags *pflag.FlagSet) {
	var kept []string
	for _, key := range config.Given(flags) {
		kept = append(kept, key+" "+config.Shown(key, flags.Lookup(key).Value.String()))
	}
	if len(kept) > 0 {
		fmt.Fprintf(a.Err, "kept in %s, for later runs too: %s\n", a.path(configFile), strings.Join(kept, ", "))
	}
}

// askOnce asks for a new password of keys for play money: of a slip, no money is lost.
func askOnce(ctx context.Context, terminal *os.File, out io.Writer) (keys.Password, error) {
	return keys.AskPassword(ctx, terminal, out, "Choose a password for the keys (at least 8 characters): ")
}
