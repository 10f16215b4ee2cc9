package cli

import (
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func scoreCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "score [PLAYER]", Short: "Wins, losses and draws: yours, or what the score board counts of a player",
		Args: cobra.MaximumNArgs(1),
		RunE: a.client(func(api *remote, args []string) error {
			return show(api, api.GetScore, &antev1.GetScoreRequest{Player: first(args)}, api.printScore)
		})}
	cmd.AddCommand(&cobra.Command{Use: "publish", Short: "Publish results on the score board", Args: cobra.NoArgs,
		Long: "Publish the results that the score board does not count yet: those that all players signed, in one transaction for\n" +
			"each channel, and each match that the Arena paid and somebody won. The other player may have published them already.",
		RunE: a.client(func(api *remote, _ []string) error {
			return show(api, api.PublishScore, &antev1.PublishScoreRequest{}, func(r *antev1.PublishScoreResponse) {
				if r.Results == 0 {
					api.printf("nothing to publish\n")
				}
				for _, t := range r.Transactions {
					api.sent(t)
				}
			})
		})})
	return cmd
}

func (api *remote) printScore(r *antev1.GetScoreResponse) {
	var rows [][]any
	add := func(where string, scores []*antev1.GameScore) {
		for _, s := range scores {
			rows = append(rows, []any{where, s.Game, s.Wins, s.Losses, s.Draws})
		}
	}
	add("here", r.Own)
	add("score board", r.Board)
	if len(rows) == 0 {
		api.printf("no match is counted\n")
		return
	}
	table(api.Out, "COUNTED\tGAME\tWON\tLOST\tDRAWN", rows, func(row []any) []any { return row })
	if r.Unpublished > 0 {
		api.printf("%d results can go on the score board: channeld score publish\n", r.Unpublished)
	}
}
