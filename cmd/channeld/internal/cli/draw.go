package cli

import (
	"fmt"
	"slices"
	"strings"

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
	seat := cmd.Flags().Uint32("seat", 0, "whose offer (default: any other player's)")
	payouts := cmd.Flags().StringSlice("payout", nil, "payout of each seat that is offered, in order (default: everybody's stake back)")
	cmd.RunE = about(a, pickRunning, func(api *remote, m *antev1.Match, _ []string) error {
		list, err := api.parseAll(*payouts, m.Asset)
		if err != nil {
			return err
		}
		if list == nil {
			list = m.Stakes
		}
		var others []string
		for _, d := range drawsForYou(m) {
			switch {
			case cmd.Flags().Changed("seat") && d.Seat != *seat:
			case slices.Equal(d.Payouts, list):
				return act(api, api.AcceptDraw, &antev1.AcceptDrawRequest{MatchId: m.Id, Seat: d.Seat, Payouts: list}, "agreed\n")
			default:
				others = append(others, api.drawOffered(m, d))
			}
		}
		if len(others) > 0 {
			return fmt.Errorf("nobody else offers to end %s with %s; %s", short(m.Id), api.monies(list, m.Asset), strings.Join(others, "; "))
		}
		return fmt.Errorf("nobody else offers to end %s; to offer it: channeld draw offer %[1]s", short(m.Id))
	})
	return cmd
}

// drawsForYou are the draws of a match that others offer.
func drawsForYou(m *antev1.Match) []*antev1.DrawOffer {
	return slices.DeleteFunc(slices.Clone(m.Draws), func(d *antev1.DrawOffer) bool { return d.Seat == m.Seat })
}

// drawOffered says what another seat offers, and how to accept that and nothing else.
func (api *remote) drawOffered(m *antev1.Match, d *antev1.DrawOffer) string {
	text := fmt.Sprintf("%s offers to end it with %s: %s %s", seatName(m, int32(d.Seat)), api.monies(d.Payouts, m.Asset), api.hinted("channeld draw accept"), short(m.Id)) //nolint:gosec // seats are few
	if slices.Equal(d.Payouts, m.Stakes) {
		return text
	}
	payouts := make([]string, len(d.Payouts))
	for i, amount := range d.Payouts {
		payouts[i] = api.typed(amount, m.Asset)
	}
	return text + " --payout " + strings.Join(payouts, ",")
}
