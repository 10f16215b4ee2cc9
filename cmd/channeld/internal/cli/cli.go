// Package cli is the command line of channeld: init and run make and run a daemon, and nearly all others are clients of a
// running one.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/spf13/cobra"
)

// Terminal is what a command reads, writes and is told by its surroundings.
type Terminal struct {
	In       *os.File
	Out, Err io.Writer
	Environ  []string // NAME=value
	Games    games.Catalog
	Adapt    func(*node.Config) error // see daemon.Options; the released program has none
}

// app is one run of the program.
type app struct {
	Terminal
	dir  string // where the daemon keeps everything
	json bool
}

// Main runs a command and returns the process's exit code.
func Main(ctx context.Context, args []string, t Terminal) int {
	a := &app{Terminal: t}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(t.Err, "channeld:", a.explain(err))
		if errors.Is(err, errAlarm) {
			return alarmCode
		}
		return 1
	}
	return 0
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "channeld",
		Short:         "Play games for money, without a server",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().StringVar(&a.dir, "dir", a.defaultDir(), "directory of the daemon's keys, settings and data")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	root.AddGroup(
		&cobra.Group{ID: "daemon", Title: "The daemon:"},
		&cobra.Group{ID: "money", Title: "Money:"},
		&cobra.Group{ID: "channel", Title: "Channels with other players:"},
		&cobra.Group{ID: "match", Title: "Matches:"},
		&cobra.Group{ID: "look", Title: "What is going on:"},
		&cobra.Group{ID: "develop", Title: "Games of your own:"},
	)
	group := func(id string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = id
			root.AddCommand(c)
		}
	}
	group("daemon", a.initCommand(), a.runCommand(), a.towerCommand(), a.devnetCommand(), a.restoreCommand(), a.restoredCommand())
	group("money", a.balanceCommand(), a.depositCommand(), a.withdrawCommand(), a.tokenCommand(), a.transactionsCommand())
	group("channel", a.peerCommand(), a.inviteCommand(), a.roundCommand(), a.tableCommand(), a.openCommand(), a.offersCommand(), a.acceptCommand(), a.declineCommand(),
		a.channelsCommand(), a.closeCommand(), a.disputeCommand())
	group("match", a.gamesCommand(), a.matchCommand(), a.playCommand(), a.box9Command(), a.concedeCommand(), a.drawCommand())
	group("look", a.statusCommand(), a.eventsCommand(), a.alarmsCommand(), a.pageCommand(), a.scoreCommand())
	group("develop", a.gameCommand(), a.rulesCommand())
	return root
}

func (a *app) defaultDir() string {
	home := "."
	for _, v := range a.Environ {
		if dir, ok := strings.CutPrefix(v, "CHANNELD_DIR="); ok {
			return dir
		}
		if dir, ok := strings.CutPrefix(v, "HOME="); ok {
			home = dir
		}
	}
	return filepath.Join(home, ".channeld")
}

func (a *app) path(name string) string { return filepath.Join(a.dir, name) }

// The files in the daemon's directory.
const (
	configFile  = "config.yaml"
	tokenFile   = "api-token"
	addressFile = "api-address" // where the running daemon's API is
	towerFile   = "tower.json"  // where the running tower is
	keysDir     = "keys"
	storeDir    = "store"
)

func (a *app) config(c *cobra.Command) (*config.Config, error) {
	return config.Load(a.path(configFile), a.Environ, c.Flags())
}

// printf writes to the user. A broken pipe is theirs.
func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.Out, format, args...) }
