package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/spf13/cobra"
)

// towerPlace says where a running tower is.
type towerPlace struct {
	Account   string   `json:"account"`
	Addresses []string `json:"addresses"`
	Metrics   string   `json:"metrics,omitempty"`
}

func towerCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "tower", Short: "Run a tower: answer on-chain for players who are away",
		Long: "Run a tower until it is interrupted, instead of a player's daemon. It holds evidence for players, and posts it when\n" +
			"somebody posts something older. It pays for the gas. It has no player's key, and can neither play nor withdraw.",
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := a.config(c)
			if err != nil {
				return err
			}
			ring, err := a.unlock(settings)
			if err != nil {
				return err
			}
			var failed error
			err = daemon.RunTower(c.Context(), daemon.Options{
				Config: settings, Games: a.Games, Foreign: a.pins(), Keys: ring, StoreDir: a.path(storeDir), Log: a.logger(settings.Log.Level),
			}, func(t *tower.Tower, metrics string) { failed = a.towerReady(t, metrics) })
			if !errors.Is(err, store.ErrInUse) { // else it is another's
				_ = os.Remove(a.path(towerFile))
			}
			return errors.Join(err, failed)
		}}
	config.Flags(cmd.Flags())
	return group(cmd, &cobra.Command{Use: "show", Short: "Show the addresses of the running tower", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := os.ReadFile(a.path(towerFile))
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("no tower runs in %s: start it with: channeld tower", a.dir)
			}
			var place towerPlace
			if err == nil {
				err = json.Unmarshal(text, &place)
			}
			if err != nil {
				return fmt.Errorf("read %s: %w", towerFile, err)
			}
			return a.showTower(place)
		}})
}

// hasTower reports whether a tower runs here, or was killed.
func (a *app) hasTower() bool {
	_, err := os.Stat(a.path(towerFile))
	return err == nil
}

// towerReady tells the user, and the other commands, where the tower is.
func (a *app) towerReady(t *tower.Tower, metrics string) error {
	place := towerPlace{t.Account().Hex(), t.Network().Addresses(), metrics}
	text, err := json.Marshal(place)
	if err == nil {
		err = os.WriteFile(a.path(towerFile), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", towerFile, err)
	}
	if err := a.showTower(place); err != nil || a.json {
		return err
	}
	a.printf("it holds evidence for %d seats; stop it with Ctrl-C\n", t.Seats())
	return nil
}

func (a *app) showTower(place towerPlace) error {
	metrics := ""
	if place.Metrics != "" {
		metrics = fmt.Sprintf("metrics are at %s\n", place.Metrics)
	}
	return a.report(place, "the tower is %s; players set peers.towers to one of\n%s%s", place.Account, indented(place.Addresses), metrics)
}
