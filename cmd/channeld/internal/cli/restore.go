package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/store"
	"github.com/spf13/cobra"
)

func restoreCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "restore KEYS", Short: "Make a daemon from a backup of the keys alone", Args: cobra.ExactArgs(1),
		Long: "Make a daemon from a backup of the keys alone, in a new directory: KEYS is the backup of its folder keys. Use it when the data\n" +
			"is lost. Open channels come from the chain, their evidence from peers and towers. In these channels\n" +
			"the daemon signs nothing: they are closed on-chain. Never start it while the old daemon runs, or may run again: two\n" +
			"daemons with the same keys convict each other.",
		Example: "  channeld restore /mnt/backup/keys --network network.yaml --peers.towers ADDRESS"}
	network := newSettingsFlags(cmd)
	cmd.RunE = func(c *cobra.Command, args []string) error {
		account, gas, err := a.setUp(c.Flags(), *network, func(settings *config.Keys) (*keys.Ring, error) {
			ring, err := a.foundKeys(settings, args[0], "Password of the backup: ")
			if err != nil {
				return nil, err
			}
			return ring, keys.Copy(a.path(keysDir), args[0])
		})
		if err != nil {
			return err
		}
		return a.reportAccount(account, gas, `The keys of %s are back.
Is that not your account? Then it was a contract wallet: restore with its --keys.player and --keys.owner, in another directory.
What comes back when the daemon runs:
  from the chain   the channels that are open, and the balances
  from peers       the newest ledgers and positions, once they are connected: channeld peer add ADDRESS
  from towers      the same, for those in peers.towers
Nothing is signed in these channels. Leave each by: channeld dispute exit CHANNEL
What does not come back:
  secrets of matches that run (commitments that are not opened): such a match is lost by the clock, unless the peer ends it
  openings that are not on the chain yet, offers, invites, proposals, registrations
  results, events, scores that are not published, and the settings and added games (channeld game add) of the old daemon
Make sure that the old daemon never runs again. Then start this one:
  channeld run
`, account)
	}
	return cmd
}

// foundKeys opens keys that a daemon may have signed with, once the store here is marked as put
// back from a backup. It fails with keys.ErrExist where a daemon has run here; where making one was
// cut off it is done again.
func (a *app) foundKeys(settings *config.Keys, dir, prompt string) (*keys.Ring, error) {
	if err := keys.Exist(dir); err != nil {
		return nil, err
	}
	if err := a.markUnused(); err != nil {
		return nil, err
	}
	password, err := a.password(settings.PasswordFile, func() (keys.Password, error) {
		return keys.AskPassword(a.session, a.In, a.Err, prompt)
	})
	if err != nil {
		return nil, err
	}
	return keys.Open(dir, password)
}

// markUnused marks the store as put back from a backup, and makes it if there is none. It fails
// with keys.ErrExist where a daemon has run: where the store was opened since it was marked, or was
// never.
func (a *app) markUnused() error {
	_, err := a.mark(func(s store.Store) error {
		generation, err := store.Generation(s)
		if err != nil {
			return err
		}
		marked, err := store.Restored(s)
		if err == nil && marked+1 != generation {
			err = fmt.Errorf("%w: a daemon has run with what is in %s: put back its %s, or choose another directory", keys.ErrExist, a.dir, configFile)
		}
		return err
	})
	return err
}

func restoredCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "restored", Short: "Declare that the data was put back from a backup", Args: cobra.NoArgs,
		Long: "Declare that the daemon's data was put back from a backup, before it is started again. A peer may hold a newer\n" +
			"state that the backup lacks, so that signing on would count as cheating. So in the channels from before\n" +
			"the daemon signs nothing: they are closed on-chain with the best evidence that peers and towers have.",
		RunE: func(*cobra.Command, []string) error {
			if _, err := os.Stat(a.path(storeDir)); errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no data in %s: put the backup back first, or say where it is with --dir", a.dir)
			}
			generation, err := a.mark(func(store.Store) error { return nil })
			if err != nil {
				return err
			}
			return a.report(map[string]uint64{"restored": generation}, "marked as restored in generation %d\n", generation)
		}}
}

// mark marks the store as put back from a backup, and makes it if there is none, unless something
// about it is an error. It returns the generation in which that was.
func (a *app) mark(refused func(store.Store) error) (generation uint64, err error) {
	s, err := store.Open(a.path(storeDir), slog.New(slog.DiscardHandler))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := refused(s); err != nil {
		return 0, err
	}
	if err := store.MarkRestored(s); err != nil {
		return 0, err
	}
	return store.Restored(s)
}
