package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/spf13/cobra"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "run", Short: "Run the daemon", Args: cobra.NoArgs,
		Long: "Run the daemon until it is interrupted. It keeps the player's channels, talks to the peers, watches the chain and\n" +
			"answers there what has to be answered; nobody else does that while it is stopped.",
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := a.config(c)
			if err != nil {
				return err
			}
			token, err := os.ReadFile(a.path(tokenFile))
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no daemon in %s: make one with the init command, or say where it is with --dir or CHANNELD_DIR", a.dir)
			}
			if err != nil {
				return fmt.Errorf("read the API token: %w", err)
			}
			ring, err := a.unlock(settings)
			if err != nil {
				return err
			}
			return daemon.Run(c.Context(), daemon.Options{
				Config: settings, Games: a.Games, Foreign: a.pins(), Keys: ring, StoreDir: a.path(storeDir), AddressFile: a.path(addressFile),
				Token: keys.NewSecret(bytes.TrimSpace(token)), Version: version(), Log: a.logger(settings.Log.Level), Ready: a.ready, Adapt: a.Adapt,
			})
		}}
	config.Flags(cmd.Flags())
	return cmd
}

// unlock opens the keys.
func (a *app) unlock(settings *config.Config) (*keys.Ring, error) {
	if err := errors.Join(keys.Exist(a.path(keysDir)), keys.Private(a.path(keysDir), a.path(tokenFile))); err != nil {
		return nil, err // before a password is asked for
	}
	password, err := a.password(settings.Keys.PasswordFile, func() (keys.Password, error) {
		return keys.AskPassword(a.In, a.Err, "Password of the keys: ")
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
	if a.json {
		return slog.New(slog.NewJSONHandler(a.Err, &slog.HandlerOptions{Level: l}))
	}
	return slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: l}))
}

func (a *app) ready(n *node.Node, address string) {
	if a.json {
		a.printf("{\"account\":%q,\"api\":%q}\n", n.Account(), address)
		return
	}
	a.printf("channeld plays for %s; other players reach it at\n", n.Account())
	for _, at := range n.Network().Addresses() {
		a.printf("  %s\n", at)
	}
	a.printf("its API is at %s; stop it with Ctrl-C\n", address)
}

// version names the program's build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			revision += " " + s.Value[:12]
		}
	}
	return revision
}
