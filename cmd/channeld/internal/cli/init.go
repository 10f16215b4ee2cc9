package cli

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/ante-games/ante/node/keys"
	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
)

func (a *app) initCommand() *cobra.Command {
	var network, imported string
	var light bool
	cmd := &cobra.Command{Use: "init", Short: "Make the keys and the settings of a new daemon", Args: cobra.NoArgs,
		Long: "Make the keys and the settings of a new daemon. Nothing is ever overwritten. Settings that are given as flags or in\n" +
			"the environment are written into the file; --network names a file with those of a chain, as devnet writes it.",
		Example: "  channeld init --network devnet/network.yaml",
		RunE: func(c *cobra.Command, _ []string) error {
			strength := keys.Standard
			if light {
				strength = keys.Light
			}
			ring, err := a.setUp(c, network, func() (*keys.Ring, error) { return a.makeKeys(c, network, imported, strength) })
			if err != nil {
				return err
			}
			return a.initialised(ring, c, network)
		}}
	config.Flags(cmd.Flags())
	cmd.Flags().StringVar(&network, "network", "", "file with the settings of a chain")
	cmd.Flags().StringVar(&imported, "import", "", "key file of another wallet to use as your account; it has the same password")
	cmd.Flags().BoolVar(&light, "light", false, "keys that open faster, for play money only")
	return cmd
}

// setUp makes a daemon's directory: the keys, as they are made by a function, the API's token and the settings.
func (a *app) setUp(c *cobra.Command, network string, ring func() (*keys.Ring, error)) (*keys.Ring, error) {
	if _, err := os.Lstat(a.path(configFile)); err == nil {
		return nil, fmt.Errorf("%w: %s: edit it, or choose another directory with --dir", config.ErrExist, a.path(configFile))
	}
	if network != "" {
		if _, err := os.Stat(network); err != nil {
			return nil, fmt.Errorf("read the settings of the chain: %w", err)
		}
	}
	if _, err := config.Load(network, a.Environ, c.Flags()); err != nil {
		return nil, err
	}
	r, err := ring()
	if err != nil {
		return nil, err
	}
	if err := a.makeToken(); err != nil {
		return nil, err
	}
	return r, config.Write(a.path(configFile), network, a.Environ, c.Flags())
}

func (a *app) makeKeys(c *cobra.Command, network, imported string, strength keys.Strength) (*keys.Ring, error) {
	var account []byte
	if imported != "" {
		var err error
		if account, err = os.ReadFile(imported); err != nil {
			return nil, fmt.Errorf("import an account: %w", err)
		}
	}
	settings, err := config.Load(network, a.Environ, c.Flags())
	if err != nil {
		return nil, err
	}
	password, err := a.password(settings.Keys.PasswordFile, func() (keys.Password, error) {
		return keys.AskNewPassword(a.In, a.Err)
	})
	if err != nil {
		return nil, err
	}
	if settings.Keys.Signer != "" {
		return keys.CreateSeed(a.path(keysDir), password, strength)
	}
	return keys.Create(a.path(keysDir), password, strength, account)
}

func (a *app) password(file string, ask func() (keys.Password, error)) (keys.Password, error) {
	if file != "" {
		return keys.ReadPassword(file)
	}
	password, err := ask()
	if errors.Is(err, keys.ErrNoTerminal) {
		return password, fmt.Errorf("%w with --keys.password_file", err)
	}
	return password, err
}

// makeToken writes the secret that a client of the API has to show, unless there is one.
func (a *app) makeToken() error {
	if _, err := os.Stat(a.path(tokenFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(a.path(tokenFile), []byte(rand.Text()+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the API token: %w", err)
	}
	return nil
}

// accounts returns the player's account and the one that pays for gas, as new settings name them.
func (a *app) accounts(ring *keys.Ring, c *cobra.Command, network string) (account, gas common.Address, err error) {
	settings, err := config.Load(network, a.Environ, c.Flags())
	if err != nil {
		return account, gas, err
	}
	return daemon.Accounts(&settings.Keys, ring)
}

func (a *app) initialised(ring *keys.Ring, c *cobra.Command, network string) error {
	account, gas, err := a.accounts(ring, c, network)
	if err != nil {
		return err
	}
	if a.json {
		return a.printAccount(account, gas)
	}
	if gas != account {
		a.printf("Gas is paid by %s, which holds nothing else: send it some ether for that.\n", gas)
	}
	a.printf(`Your account is %s
Its keys are in %s: back them up, and remember the password.
The settings are in %s.
Send the account what you want to play for and some ether for gas, then start the daemon:
  channeld run --dir %s
`, account, a.path(keysDir), a.path(configFile), a.dir)
	return nil
}

func (a *app) printAccount(account, gas common.Address) error {
	return json.NewEncoder(a.Out).Encode(map[string]string{"account": account.Hex(), "gas": gas.Hex(), "dir": a.dir})
}
