package cli

import (
	"fmt"
	"io"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) scoreCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "score [PLAYER]", Short: "Wins, losses and draws: yours, or what the score board counts of a player",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			request := &antev1.GetScoreRequest{}
			if len(args) > 0 {
				request.Player = args[0]
			}
			r, err := call(api, api.GetScore, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { writeScore(w, r) })
		}}
	publish := &cobra.Command{Use: "publish", Short: "Have the score board count the results that it takes", Args: cobra.NoArgs,
		Long: "Have the score board count the results that it does not count yet: those that all players signed, in one transaction for\n" +
			"each channel, and each match that the Arena paid and somebody won. Anybody may publish them; the other player may have done it.",
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.PublishScore, &antev1.PublishScoreRequest{})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				if r.Results == 0 {
					fmt.Fprintln(w, "nothing to publish")
				}
				for _, t := range r.Transactions {
					sent(w, t)
				}
			})
		}}
	cmd.AddCommand(publish)
	return cmd
}

func writeScore(w io.Writer, r *antev1.GetScoreResponse) {
	rows := [][]string{}
	for _, s := range r.Own {
		rows = append(rows, scoreRow("here", s))
	}
	for _, s := range r.Board {
		rows = append(rows, scoreRow("score board", s))
	}
	if len(rows) == 0 {
		fmt.Fprintln(w, "no match is counted")
		return
	}
	table(w, []string{"COUNTED", "GAME", "WON", "LOST", "DRAWN"}, rows)
	if r.Unpublished > 0 {
		fmt.Fprintf(w, "%d results can go on the score board: channeld score publish\n", r.Unpublished)
	}
}

func scoreRow(where string, s *antev1.GameScore) []string {
	return []string{where, s.Game, fmt.Sprint(s.Wins), fmt.Sprint(s.Losses), fmt.Sprint(s.Draws)}
}
