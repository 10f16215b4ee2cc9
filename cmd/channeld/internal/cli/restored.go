package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/ante-games/ante/store"
	"github.com/spf13/cobra"
)

func (a *app) restoredCommand() *cobra.Command {
	return &cobra.Command{Use: "restored", Short: "Declare that the data was put back from a backup", Args: cobra.NoArgs,
		Long: "Declare that the daemon's data was put back from a backup, before it is started again. A peer may hold a newer\n" +
			"state that the backup knows nothing of; signing on would be taken for cheating. So in the channels from before\n" +
			"nothing is signed any more: they are closed on-chain with the best evidence that anybody shows.",
		RunE: func(*cobra.Command, []string) (err error) {
			if _, err := os.Stat(a.path(storeDir)); errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no data in %s: put the backup back first, or say where it is with --dir", a.dir)
			}
			s, err := store.Open(a.path(storeDir), slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			if err := store.MarkRestored(s); err != nil {
				return err
			}
			generation, err := store.Restored(s)
			if err != nil {
				return err
			}
			if a.json {
				return json.NewEncoder(a.Out).Encode(map[string]uint64{"restored": generation})
			}
			a.printf("marked as restored in generation %d\n", generation)
			return nil
		}}
}
