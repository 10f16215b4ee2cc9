package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
)

// finding is one thing that doctor looked at.
type finding struct {
	What  string `json:"what"`
	State string `json:"state"` // ok, warn or bad
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"` // where it is not ok
}

// errUnwell ends doctor where something is bad, with the exit code of an alarm.
var errUnwell = errors.New("something is bad: do what stands there")

// findings is what doctor has found so far.
type findings struct{ list []finding }

func (f *findings) ok(what, format string, args ...any) {
	f.list = append(f.list, finding{what, "ok", fmt.Sprintf(format, args...), ""})
}

func (f *findings) warn(what, do, format string, args ...any) {
	f.list = append(f.list, finding{what, "warn", fmt.Sprintf(format, args...), do})
}

func (f *findings) bad(what, do, format string, args ...any) {
	f.list = append(f.list, finding{what, "bad", fmt.Sprintf(format, args...), do})
}

func doctorCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "doctor", Short: "Look for what is wrong with the daemon and its surroundings", Args: cobra.NoArgs,
		Long: "Look for what is wrong with the daemon and its surroundings: files, settings, the chain's endpoints, the clock, ports,\n" +
			"money for gas and towers. It changes nothing. The exit code is 3 if something is bad.",
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := a.token(); err != nil {
				return err // there is nothing to look at
			}
			found := a.examine(c)
			err := a.reportFindings(found)
			if err == nil && slices.ContainsFunc(found, func(x finding) bool { return x.State == "bad" }) {
				err = errUnwell
			}
			return err
		}}
	config.Flags(cmd.Flags())
	return cmd
}

// examine looks at everything, with the flags of a command.
func (a *app) examine(c *cobra.Command) []finding {
	f := new(findings)
	settings, err := a.config(c)
	if err != nil {
		f.bad("settings", "mend "+a.path(configFile)+" (see: channeld config show)", "%v", err)
		return f.list
	}
	f.ok("settings", "%s holds no mistake", a.path(configFile))
	a.lookAtFiles(f, settings)
	lookAtChain(c.Context(), f, &settings.Chain)
	a.lookAtDaemon(c.Context(), f, settings)
	return f.list
}

func (a *app) reportFindings(list []finding) error {
	if a.json {
		return a.report(list, "")
	}
	for _, x := range list {
		a.printf("%-4s  %-10s %s\n", x.State, x.What, clean(x.Says))
		if x.Do != "" {
			a.printf("      %-10s → %s\n", "", a.hinted(x.Do))
		}
	}
	return nil
}

// lookAtFiles looks at whether the keys are there, and who can read what is secret.
func (a *app) lookAtFiles(f *findings, settings *config.Config) {
	if err := keys.Exist(a.path(keysDir)); err != nil {
		f.bad("keys", "put the backup of the keys back: channeld restore --help", "%v", err)
		return
	}
	secret := []string{a.path(tokenFile), a.path(configFile)}
	if settings.Keys.PasswordFile != "" {
		secret = append(secret, settings.Keys.PasswordFile)
	}
	if err := keys.Private(a.path(keysDir), secret...); err != nil {
		f.bad("files", "take the rights of others away", "%v", err)
		return
	}
	f.ok("files", "keys, token and settings %s; keep a backup of %s and the password", readers(runtime.GOOS), a.path(keysDir))
}

// readers says who can read files that keys.Private has not complained of.
func readers(system string) string {
	if system == "windows" {
		return "are read by whom their folder shows them to: in your profile, by nobody else"
	}
	return "are for your eyes only"
}

// lookAtDaemon looks at the running daemon, or at whether it could run.
func (a *app) lookAtDaemon(ctx context.Context, f *findings, settings *config.Config) {
	api := a.dial(ctx)
	s, err := call(api, api.GetStatus, &antev1.GetStatusRequest{})
	if err != nil {
		f.warn("daemon", "", "%s", a.explain(err))
		lookAtPorts(f, settings)
		return
	}
	f.ok("daemon", "runs as version %s, and has followed the chain to block %d", s.Version, s.Block)
	if s.Version != version() {
		f.warn("version", "stop the daemon and start it again", "this program is %s, the daemon is %s", version(), s.Version)
	}
	lookAtReach(f, s.Addresses)
	if s.Standing > 0 {
		f.bad("alarms", "channeld alarms", "%d standing", s.Standing)
	}
	has, err1 := uint256.FromDecimal(s.Gas)
	needs, err2 := uint256.FromDecimal(s.GasReserve)
	switch {
	case err1 != nil || err2 != nil:
		f.warn("gas", "see the endpoints above", "the daemon does not know what its account has")
	case has.Lt(needs):
		f.bad("gas", "send some ether to "+s.Wallet, "the account has %s, and the worst dispute costs %s", wei.Format(has), wei.Format(needs))
	default:
		f.ok("gas", "the account has %s, and the worst dispute costs %s", wei.Rough(wei.Format(has)), wei.Rough(wei.Format(needs)))
	}
	if len(settings.Peers.Towers) == 0 {
		f.warn("towers", "name one in peers.towers, or be online once a window", "nobody answers on-chain while the daemon is off")
	}
	for _, t := range s.Towers {
		if t.Connected {
			f.ok("tower", "%s is connected", t.Account)
		} else {
			f.bad("tower", "start it again, or name another", "%s is not connected", t.Account)
		}
	}
	if missing := len(settings.Peers.Towers) - len(s.Towers); missing > 0 {
		f.bad("towers", "look at peers.towers, and whether they run", "%d towers of the settings were not reached yet", missing)
	}
}
