package cli

import (
	"errors"
	"log/slog"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/store"
	"github.com/spf13/cobra"
)

func (a *app) restoreCommand() *cobra.Command {
	var network string
	cmd := &cobra.Command{Use: "restore KEYS", Short: "Make a daemon from a backup of the keys alone", Args: cobra.ExactArgs(1),
		Long: "Make a daemon from a backup of the keys alone, in a new directory: KEYS is the backup of its folder keys. Use it when the data\n" +
			"is lost. From the chain come the channels that are open, from peers and towers what they hold of them. In these channels\n" +
			"nothing is signed: they are closed on-chain. Never start it while the old daemon runs, or may run again: two daemons with\n" +
			"the same keys convict each other.",
		Example: "  channeld restore /mnt/backup/keys --network devnet/network.yaml --peers.towers ADDRESS",
		RunE: func(c *cobra.Command, args []string) error {
			ring, err := a.setUp(c, network, func() (*keys.Ring, error) { return a.restoreKeys(c, network, args[0]) })
			if err != nil {
				return err
			}
			if err := a.markRestored(); err != nil {
				return err
			}
			return a.restored(ring, c, network)
		}}
	config.Flags(cmd.Flags())
	cmd.Flags().StringVar(&network, "network", "", "file with the settings of a chain")
	return cmd
}

func (a *app) restoreKeys(c *cobra.Command, network, backup string) (*keys.Ring, error) {
	settings, err := config.Load(network, a.Environ, c.Flags())
	if err != nil {
		return nil, err
	}
	password, err := a.password(settings.Keys.PasswordFile, func() (keys.Password, error) {
		return keys.AskPassword(a.In, a.Err, "Password of the backup: ")
	})
	if err != nil {
		return nil, err
	}
	return keys.Restore(a.path(keysDir), backup, password)
}

// markRestored makes the store, and marks it as put back from a backup.
func (a *app) markRestored() (err error) {
	s, err := store.Open(a.path(storeDir), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return store.MarkRestored(s)
}

// restored tells what comes back and what does not.
func (a *app) restored(ring *keys.Ring, c *cobra.Command, network string) error {
	account, gas, err := a.accounts(ring, c, network)
	if err != nil {
		return err
	}
	if a.json {
		return a.printAccount(account, gas)
	}
	a.printf(`The keys of %s are back.
What comes back when the daemon runs:
  from the chain   the channels that are open, and the balances
  from peers       the newest ledgers and positions, once they are connected: channeld peer ADDRESS
  from towers      the same, for those in peers.towers
Nothing is signed in these channels. Leave each by: channeld dispute exit CHANNEL
What does not come back:
  secrets of matches that run (commitments that are not opened): such a match is lost by the clock, unless the peer ends it
  openings that are not on the chain yet, offers, invites, proposals, registrations
  results, events, scores that are not published, and the settings and added games (channeld game add) of the old daemon
Make sure that the old daemon never runs again. Then start this one:
  channeld run --dir %s
`, account, a.dir)
	return nil
}
