package cli

import (
	"fmt"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func concedeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "concede [MATCH]", Short: "Give a match to the other player", Args: cobra.MaximumNArgs(1)}
	yes := yesFlag(cmd)
	cmd.RunE = about(a, pickRunning, func(api *remote, m *antev1.Match, _ []string) error {
		if err := api.ask(*yes, "%s", api.givesUp(m)); err != nil {
			return err
		}
		return act(api, api.Concede, &antev1.ConcedeRequest{MatchId: m.Id}, "conceded %s\n", short(m.Id))
	})
	return cmd
}

// givesUp says what conceding a match costs.
func (api *remote) givesUp(m *antev1.Match) string {
	return fmt.Sprintf("that gives %s to the other player, and your stake of %s", short(m.Id), api.money(m.Stakes[m.Seat], m.Asset))
}
