package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/ante-games/ante/internal/files"
	"github.com/ante-games/ante/node/keys"
	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func initCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "init", Short: "Make the keys and the settings of a new daemon", Args: cobra.NoArgs,
		Long: "Make the keys and the settings of a new daemon. Nothing is ever overwritten. Settings given as flags or in\n" +
			"the environment are written into the file; --network names a file with those of a chain, as devnet and deploy write it.",
		Example: "  channeld init --network devnet/network.yaml"}
	network := newSettingsFlags(cmd)
	imported := cmd.Flags().String("import", "", "key file of another wallet to use as your account; it has the same password")
	light := cmd.Flags().Bool("light", false, "keys that open faster, for play money only")
	cmd.RunE = func(c *cobra.Command, _ []string) error {
		var where config.Keys
		account, gas, err := a.setUp(c.Flags(), *network, func(settings *config.Keys) (*keys.Ring, error) {
			where = *settings
			return a.makeKeys(settings, *imported, *light, keys.AskNewPassword)
		})
		if err != nil {
			return err
		}
		return a.reportAccount(account, gas, `%s, then start the daemon:
  channeld run
For a tower (channeld tower) it needs nothing but ether for gas.
`, a.advice(account, gas, &where))
	}
	return cmd
}

// advice says what to do about the accounts and keys of a new daemon, up to the end of its last
// sentence.
func (a *app) advice(account, gas common.Address, where *config.Keys) string {
	notice, whose, forGas := "", "Its keys", " and some ether for gas"
	if gas != account {
		notice = fmt.Sprintf("Gas is paid by %s, which holds nothing else: send it some ether for that.\n", gas)
		forGas = ""
	}
	if where.Signer != "" {
		whose = fmt.Sprintf("Its key stays where it is (keys.signer: %s); the daemon's other keys", config.Shown("keys.signer", where.Signer))
	}
	return fmt.Sprintf(`%sYour account is %s
%s are in %s: back them up, and remember the password.
The settings are in %s.
Send the account what you want to play for%s`, notice, account, whose, a.path(keysDir), a.path(configFile), forGas)
}

// newSettingsFlags adds the flags of the settings of a new daemon. It returns that of the file with
// the settings of a chain.
func newSettingsFlags(cmd *cobra.Command) (network *string) {
	config.Flags(cmd.Flags())
	return cmd.Flags().String("network", "", "file with the settings of a chain")
}

// setUp makes a daemon's directory: the keys, by a function, the API's token and the settings. It
// returns the player's account and the one that pays for gas.
func (a *app) setUp(flags *pflag.FlagSet, network string, ring func(*config.Keys) (*keys.Ring, error)) (account, gas common.Address, err error) {
	if _, err := os.Lstat(a.path(configFile)); err == nil {
		return account, gas, fmt.Errorf("%w: %s: edit it, or choose another directory with --dir", config.ErrExist, a.path(configFile))
	}
	if network != "" {
		if _, err := os.Stat(network); err != nil {
			return account, gas, fmt.Errorf("read the settings of the chain: %w", err)
		}
		if err := config.CheckNetwork(network); err != nil {
			return account, gas, err
		}
	}
	settings, err := config.Load(network, a.Environ, flags)
	if err != nil {
		return account, gas, err
	}
	r, err := ring(&settings.Keys)
	if err != nil {
		return account, gas, err
	}
	if err := a.makeToken(); err != nil {
		return account, gas, err
	}
	if err := config.Write(a.path(configFile), network, a.Environ, flags); err != nil {
		return account, gas, err
	}
	return daemon.Accounts(&settings.Keys, r)
}

// makeKeys makes the keys of a new daemon, with a password that is asked for where no file has it.
// Keys that are there are opened: making them was cut off before there were settings, or they are
// somebody's backup.
func (a *app) makeKeys(settings *config.Keys, imported string, light bool, ask func(context.Context, *os.File, io.Writer) (keys.Password, error)) (ring *keys.Ring, err error) {
	if imported == "" && keys.Exist(a.path(keysDir)) == nil {
		return a.foundKeys(settings, a.path(keysDir), "Password of the keys that are there: ")
	}
	strength := keys.Standard
	if light {
		strength = cmp.Or(a.Light, keys.Light)
	}
	var account []byte
	if imported != "" {
		if account, err = os.ReadFile(imported); err != nil {
			return nil, fmt.Errorf("import an account: %w", err)
		}
	}
	password, err := a.password(settings.PasswordFile, func() (keys.Password, error) {
		return ask(a.session, a.In, a.Err)
	})
	if err != nil {
		return nil, err
	}
	if settings.Signer != "" {
		return keys.CreateSeed(a.path(keysDir), password, strength)
	}
	return keys.Create(a.path(keysDir), password, strength, account)
}

func (t *Terminal) password(file string, ask func() (keys.Password, error)) (keys.Password, error) {
	if file != "" {
		at, err := filepath.Abs(file)
		if err != nil {
			at = file
		}
		password, err := keys.ReadPassword(at)
		if err != nil {
			err = fmt.Errorf("keys.password_file: %w", err)
		}
		return password, err
	}
	password, err := ask()
	if errors.Is(err, keys.ErrNoTerminal) {
		return password, fmt.Errorf("%w with --keys.password_file", err)
	}
	return password, err
}

// made reports whether a daemon was made in the directory, or something is where its settings are.
func (a *app) made() bool {
	_, err := os.Lstat(a.path(configFile))
	return !errors.Is(err, fs.ErrNotExist)
}

// makeToken writes the secret that a client of the API has to show, unless there is one.
func (a *app) makeToken() error {
	if _, err := os.Stat(a.path(tokenFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return files.WriteNew(a.dir, tokenFile, []byte(rand.Text()+"\n"))
}

// reportAccount prints the accounts of a new daemon as JSON with --json, else a text.
func (a *app) reportAccount(account, gas common.Address, format string, args ...any) error {
	return a.report(map[string]string{"account": account.Hex(), "gas": gas.Hex(), "dir": a.dir}, format, args...)
}
