package cli

import (
	"fmt"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func drawCommand(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "draw", Short: "End a match by agreement"}, offerDrawCommand(a), acceptDrawCommand(a))
}

func offerDrawCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "offer [MATCH]", Short: "Offer a draw: stakes back, or other payouts", Args: cobra.MaximumNArgs(1)}
	payouts := cmd.Flags().StringSlice("payout", nil, "payout of each seat, in order; they sum to the stakes")
	cmd.RunE = about(a, pickRunning, func(api *remote, m *antev1.Match, _ []string) error {
		list, err := api.parseAll(*payouts, m.Asset)
		if err != nil {
			return err
		}
		return act(api, api.OfferDraw, &antev1.OfferDrawRequest{MatchId: m.Id, Payouts: list}, "offered; it is off when somebody moves\n")
	})
	return cmd
}

func acceptDrawCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "accept [MATCH]", Short: "Accept an offered draw: stakes back, or the payouts that you say", Args: cobra.MaximumNArgs(1)}
	seat := cmd.Flags().Uint32("seat", 0, "whose offer (default: the only one)")
	payouts := cmd.Flags().StringSlice("payout", nil, "payout of each seat that is offered, in order (default: everybody's stake back)")
	cmd.RunE = about(a, pickRunning, func(api *remote, m *antev1.Match, _ []string) error {
		list, err := api.parseAll(*payouts, m.Asset)
		if err != nil {
			return err
		}
		if !cmd.Flags().Changed("seat") {
			if len(m.Draws) == 0 {
				return fmt.Errorf("nobody offers to end %s; to offer it: channeld draw offer %[1]s", short(m.Id))
			}
			if len(m.Draws) > 1 {
				return fmt.Errorf("there are %d offers to end %s: see channeld match show, and say whose with --seat", len(m.Draws), short(m.Id))
			}
			*seat = m.Draws[0].Seat
		}
		return act(api, api.AcceptDraw, &antev1.AcceptDrawRequest{MatchId: m.Id, Seat: *seat, Payouts: list}, "agreed\n")
	})
	return cmd
}
