package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"runtime"

	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
)

func tryCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "try", Short: "Play at once, with play money: a chain, your daemon and opponents in one process", Args: cobra.NoArgs,
		Long: "Start all that it takes to play, with play money: a chain, your own daemon, and opponents that play every game, one of\n" +
			"which lies and one falls silent, so that you see what happens. It opens your daemon's page in the browser. Everything is gone when\n" +
			"it ends, unless --dir names a new directory for the daemons' files.",
		Example: "  channeld try\n  channeld try --friend --no-open"}
	var o trialOptions
	noOpen := cmd.Flags().Bool("no-open", false, "open no browser: only print the link")
	cmd.Flags().BoolVar(&o.friend, "friend", false, "a second person, with a page of their own")
	cmd.Flags().Uint16Var(&o.port, "port", 0, "port of your page on loopback; 0: any free one")
	cmd.RunE = func(c *cobra.Command, _ []string) (err error) {
		if err := o.vacant(); err != nil {
			return err
		}
		var remove func() error
		if o.home, remove, err = a.trialDir(c.Flag("dir").Changed); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
		t, err := a.startTrial(c.Context(), o)
		if err == nil {
			if err = t.tell(c.Flag("dir").Changed); err == nil && !*noOpen {
				a.browse(t.people[0])
			}
			if err == nil {
				err = t.wait()
			}
		}
		if t != nil {
			err = errors.Join(err, t.close())
		}
		if c.Context().Err() != nil && errors.Is(err, c.Context().Err()) {
			return nil // interrupted while it started
		}
		return err
	}
	return cmd
}

// vacant fails early when somebody else has the port of the page.
func (o *trialOptions) vacant() error {
	l, err := net.Listen("tcp", o.listen())
	if err != nil {
		return fmt.Errorf("your page can't be at port %d: %w: choose another with --port, or leave it out", o.port, err)
	}
	return l.Close()
}

// trialDir makes the directory of a trial: the one that the user named, which must be new, or one
// that is removed at the end.
func (a *app) trialDir(named bool) (dir string, remove func() error, err error) {
	if !named {
		dir, err = os.MkdirTemp("", "channeld-try-")
		return dir, func() error { return os.RemoveAll(dir) }, err
	}
	if _, err := os.Lstat(a.dir); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already, and a trial begins anew, as its chain ends with it: name a new directory", a.dir)
		}
		return "", nil, err
	}
	return a.dir, func() error { return nil }, os.MkdirAll(a.dir, 0o700)
}

// tell says who is there, what to do next, and whether the daemons' files are kept.
func (t *trial) tell(kept bool) error {
	links := make([]string, len(t.people))
	for i, p := range t.people {
		var err error
		if links[i], err = p.link(true); err != nil {
			return err
		}
	}
	you := t.people[0]
	if t.json {
		channels := map[string]common.Hash{}
		for _, b := range t.bots {
			channels[b.name] = b.channel
		}
		fields := map[string]any{"link": links[0], "dir": you.dir, "channels": channels}
		if len(links) > 1 {
			fields["friend"], fields["friendDir"] = links[1], t.people[1].dir
		}
		return t.report(fields, "")
	}
	t.printf("All of this runs on your computer, with play money. You have a channel with each of these, with %s of yours in it:\n", wei.Format(trialDeposit))
	table(t.Out, "PLAYER\tACCOUNT\tCHANNEL\tWHO", t.bots, func(b *member) []any {
		return []any{b.name, short(b.account.Hex()), short(b.channel.Hex()), b.rival.does}
	})
	t.printf("\nYour page:\n%s\n", links[0])
	if len(links) > 1 {
		t.printf("Your friend's page, who has a channel with you and with each of the others:\n%s\n", links[1])
	}
	mine := programFor(you.dir)
	t.printf("\nA match of Mastermind with %s has begun. Play it there or, in another terminal:\n  %s play\n", t.bots[0].name, mine)
	t.printf("Any game with anybody, who is named by the channel:\n")
	for i, game := range []string{"battleships 0.01eth", "box9 0.1eth", "split-or-steal 0.01eth --param house=3", "sums-and-cows"} {
		t.printf("  %s match propose %s --channel %s\n", mine, game, short(t.bots[i].channel.Hex()))
	}
	if len(t.people) > 1 {
		t.printf("Your friend's commands: %s\n", programFor(t.people[1].dir))
	}
	t.printf("Who is silent for %s is taken to the chain. What happens there, and another channel afterwards:\n  %s events\n"+
		"  %s open %s 1eth\n", t.patience, mine, mine, t.bots[0].name)
	if kept {
		t.printf("\nThe chain is gone when you stop it with Ctrl-C; the daemons' files stay in %s, and no daemon can go on with them\n", t.dir)
		return nil
	}
	t.printf("\nAll of it is gone when you stop it with Ctrl-C\n")
	return nil
}

// browse opens a person's page in the browser, if there is one; its link is printed anyway.
func (a *app) browse(p *member) {
	link, err := p.link(true)
	if err != nil {
		return
	}
	var open []string
	switch runtime.GOOS {
	case "darwin":
		open = []string{"open"}
	case "windows":
		open = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		open = []string{"xdg-open"}
	}
	if runtime.GOOS == "linux" && !a.screen() {
		a.printf("There is no screen here to open it on: use the link\n")
		return
	}
	if err := exec.Command(open[0], append(open[1:], link)...).Start(); err != nil { //nolint:gosec // the link is ours
		a.printf("The browser can't be opened (%v): use the link\n", err)
	}
}

// screen reports whether there is a graphical session.
func (t *Terminal) screen() bool {
	return t.variable("DISPLAY") != "" || t.variable("WAYLAND_DISPLAY") != ""
}
