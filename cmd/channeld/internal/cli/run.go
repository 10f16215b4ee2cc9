package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/spf13/cobra"
)

func runCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "run", Short: "Run the daemon", Args: cobra.NoArgs,
		Long: "Run the daemon until it is interrupted. It keeps the player's channels, talks to the peers, watches the chain and\n" +
			"answers there what has to be answered. While it is stopped nobody does that but your towers (peers.towers).\n" +
			"With --network, a daemon that is not there yet is made first, as by init. On a dev chain its keys are light, and it\n" +
			"begins with play money in the bank.",
		Example: "  channeld run\n  channeld --dir alice run --network devnet/network.yaml"}
	network := newSettingsFlags(cmd)
	cmd.RunE = func(c *cobra.Command, _ []string) error {
		if a.ofTrial(a.dir) {
			return fmt.Errorf("the daemon of %s can't run again: %w", a.dir, errTrialOver)
		}
		ring, ready, err := a.firstRun(c, *network)
		if err != nil {
			return err
		}
		settings, err := a.config(c)
		if err != nil {
			return err
		}
		if ring == nil {
			if a.made() {
				if err := a.makeToken(); err != nil {
					return err
				}
			}
			if _, err := a.token(); err != nil {
				return err // there is no daemon: no key is missing
			}
			if ring, err = a.unlock(settings); err != nil {
				return err
			}
		}
		return a.serve(c.Context(), settings, ring, ready)
	}
	return cmd
}

// serve runs the daemon until the context ends.
func (a *app) serve(ctx context.Context, settings *config.Config, ring *keys.Ring, ready func(*node.Node, string)) error {
	token, err := a.token()
	if err != nil {
		return err
	}
	err = daemon.Run(ctx, daemon.Options{
		Config: settings, Games: a.Games, Foreign: a.pins(), Keys: ring, StoreDir: a.path(storeDir), AddressFile: a.path(addressFile),
		Token: keys.NewSecret([]byte(token)), Version: version(), Log: a.logger(settings.Log.Level), Ready: ready, Adapt: a.Adapt,
	})
	if errors.Is(err, chain.ErrNoArena) && settings.Chain.ID == devnet.DefaultChainID {
		err = fmt.Errorf("%w; if the dev chain is a new one, it needs a new daemon: run it with another --dir", err)
	}
	return err
}

// unlock opens the keys.
func (a *app) unlock(settings *config.Config) (*keys.Ring, error) {
	if err := errors.Join(keys.Exist(a.path(keysDir)), keys.Private(a.path(keysDir), a.path(tokenFile))); err != nil {
		return nil, err // before a password is asked for
	}
	password, err := a.password(settings.Keys.PasswordFile, func() (keys.Password, error) {
		return keys.AskPassword(a.session, a.In, a.Err, "Password of the keys: ")
	})
	if err != nil {
		return nil, err
	}
	return keys.Open(a.path(keysDir), password)
}

func (a *app) logger(level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo // the settings were checked
	}
	options := &slog.HandlerOptions{Level: l}
	if a.json {
		return slog.New(slog.NewJSONHandler(escaping{a.Err}, options))
	}
	options.ReplaceAttr = func(_ []string, of slog.Attr) slog.Attr {
		if of.Key == slog.MessageKey {
			of.Value = slog.StringValue(a.hinted(of.Value.String()))
		}
		return of
	}
	return slog.New(slog.NewTextHandler(a.Err, options))
}

func (a *app) ready(n *node.Node, address string) {
	_ = a.report(map[string]string{"account": n.Account().Hex(), "api": address},
		"channeld plays for %s; other players reach it at\n%sits API is at %s; stop it with Ctrl-C\n",
		n.Account(), indented(n.Network().Addresses()), address) // a broken pipe is the user's
}
