// Package cli is the command line of channeld: init and run make and run a daemon, and nearly all
// others are clients of a running one.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/wei"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Terminal is what a command reads, writes and is told by its surroundings.
type Terminal struct {
	In       *os.File
	Out, Err io.Writer
	Environ  []string // NAME=value
	Games    games.Catalog
	Adapt    func(*node.Config) error // see daemon.Options; the released program has none
	Light    keys.Strength            // of keys that --light makes; 0: keys.Light
}

// app is one run of the program.
type app struct {
	Terminal
	session context.Context //nolint:containedctx // of this run: ends when it is interrupted
	dir     string          // where the daemon keeps everything
	json    bool
	root    *cobra.Command // all commands
	names   []string       // of those
}

// Main runs a command and returns the process's exit code.
func Main(ctx context.Context, args []string, t Terminal) int {
	a := &app{Terminal: t, session: ctx}
	if err := t.Games.Check(); err != nil {
		return a.fail(err)
	}
	root := a.commands()
	root.SetArgs(args)
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.fail(err)
	}
	return 0
}

func (a *app) commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "channeld",
		Short:         "Play games for money, without a server",
		Version:       described(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().StringVar(&a.dir, "dir", a.defaultDir(runtime.GOOS), "directory of the daemon's keys, settings and data")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	section := func(title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
		for _, c := range commands {
			c.GroupID = title
			root.AddCommand(c)
			a.names = append(a.names, c.Name())
		}
	}
	section("The daemon", tryCommand(a), initCommand(a), runCommand(a), towerCommand(a), devnetCommand(a), deployCommand(a), networksCommand(a), restoreCommand(a), restoredCommand(a),
		accessCommand(a), configCommand(a), versionCommand(a), manCommand(a))
	section("Money", balanceCommand(a), depositCommand(a), withdrawCommand(a), tokenCommand(a), transactionsCommand(a))
	section("Channels with other players", peerCommand(a), nicknameCommand(a), inviteCommand(a), roundCommand(a), tableCommand(a), openCommand(a),
		offersCommand(a), acceptCommand(a), declineCommand(a), channelsCommand(a), closeCommand(a), disputeCommand(a))
	section("Matches", gamesCommand(a), matchCommand(a), playCommand(a), box9Command(a), concedeCommand(a), drawCommand(a), historyCommand(a))
	section("What is going on", statusCommand(a), doctorCommand(a), waitCommand(a), bugReportCommand(a), eventsCommand(a), alarmsCommand(a), pageCommand(a), scoreCommand(a))
	section("Games of your own", gameCommand(a), rulesCommand(a))
	group(root)
	a.completeArgs(root)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	explainUsage(root)
	a.root = root
	return root
}

// group is a command that has others under it. By itself it prints its help, unless it does
// something else.
func group(c *cobra.Command, under ...*cobra.Command) *cobra.Command {
	c.Args = noneOf
	if c.RunE == nil {
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	c.AddCommand(under...)
	return c
}

// noneOf refuses arguments of a group: commands that are not under it.
func noneOf(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	meant := ""
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		meant = fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], c.CommandPath(), meant)
}

// takesEmpty annotates commands for which an empty argument means something.
const takesEmpty = "an empty argument"

// explainUsage has errors about the arguments of a command, and of those under it, show its usage.
// An empty argument, such as a script's variable that is not set, is not one that was left out,
// which may mean all money, or the only channel.
func explainUsage(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			_, means := c.Annotations[takesEmpty]
			if !means && slices.ContainsFunc(args, func(arg string) bool { return strings.TrimSpace(arg) == "" }) {
				return usage(c, errors.New("an argument is empty"))
			}
			err := check(c, args)
			if amount := parted(args); err != nil && amount != "" {
				err = fmt.Errorf("an amount is one word: write %s", amount)
			}
			return usage(c, err)
		}
	}
	for _, under := range c.Commands() {
		explainUsage(under)
	}
}

// parted returns an amount that was typed as two arguments, a number and its unit, as one.
func parted(args []string) string {
	for i := range args[min(1, len(args)):] {
		number, unit := args[i], args[i+1]
		if _, err := wei.Parse(number + unit); err == nil && !strings.ContainsAny(unit, "0123456789") {
			return number + unit
		}
	}
	return ""
}

// flagError explains an error about flags. There is none whose name is a digit.
func flagError(c *cobra.Command, err error) error {
	if unknown, is := errors.AsType[*pflag.NotExistError](err); is && strings.ContainsAny(unknown.GetSpecifiedName(), "0123456789") && unknown.GetSpecifiedShortnames() != "" {
		err = fmt.Errorf("-%s is read as a flag: an amount can't be negative", unknown.GetSpecifiedShortnames())
	}
	return usage(c, err)
}

// usage adds to an error how a command is used.
func usage(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	text := strings.NewReplacer("1 arg(s)", "1 argument", "arg(s)", "arguments").Replace(err.Error()) // cobra's
	return fmt.Errorf("%w%s; usage: %s (see: %s --help)", errUsage, text, c.UseLine(), c.CommandPath())
}

// defaultDir is the directory where none is named: in the user's home, which each system calls by a
// name of its own.
func (t *Terminal) defaultDir(system string) string {
	home := "HOME"
	if system == "windows" {
		home = "USERPROFILE"
	}
	return cmp.Or(t.variable("CHANNELD_DIR"), filepath.Join(cmp.Or(t.variable(home), "."), ".channeld"))
}

// variable returns a variable of the environment, empty if it is not set.
func (t *Terminal) variable(name string) string {
	for _, v := range t.Environ {
		if value, is := strings.CutPrefix(v, name+"="); is {
			return value
		}
	}
	return ""
}

// typed returns a path as it is typed into a shell: homes have spaces in them on Windows.
func typed(path string) string {
	if strings.ContainsAny(path, " ()&'") {
		return `"` + path + `"`
	}
	return path
}

// program is what the user calls this program, which may be one of several channelds here.
func program() string { return typed(os.Args[0]) }

// programFor is what the user types for this program and the daemon of a directory.
func programFor(dir string) string { return program() + " --dir " + typed(dir) }

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
