package cli

import (
	"fmt"
	"io"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) concedeCommand() *cobra.Command {
	var yes *bool
	cmd := &cobra.Command{Use: "concede [MATCH]", Short: "Give a match to the other player", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			id, err := pickMatch(api, first(args), false)
			if err != nil {
				return err
			}
			m, err := call(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: id})
			if err != nil {
				return err
			}
			if err := a.ask(*yes, "%s", givesUp(api.units, m.Match)); err != nil {
				return err
			}
			r, err := call(api, api.Concede, &antev1.ConcedeRequest{MatchId: id})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "conceded %s\n", short(id)) })
		}}
	yes = yesFlag(cmd)
	return cmd
}

// givesUp says what conceding a match costs.
func givesUp(u *units, m *antev1.Match) string {
	return fmt.Sprintf("that gives %s to the other player, and your stake of %s", short(m.Id), u.money(m.Stakes[m.Seat], m.Asset))
}

func (a *app) drawCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "draw", Short: "End a match by agreement"}
	var payouts []string
	offer := &cobra.Command{Use: "offer [MATCH]", Short: "Offer a draw: stakes back, or other payouts", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			id, err := pickMatch(api, first(args), false)
			if err != nil {
				return err
			}
			m, err := call(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: id})
			if err != nil {
				return err
			}
			list, err := api.units.parseAll(payouts, m.Match.Asset)
			if err != nil {
				return err
			}
			r, err := call(api, api.OfferDraw, &antev1.OfferDrawRequest{MatchId: id, Payouts: list})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintln(w, "offered; it is off when somebody moves")
			})
		}}
	offer.Flags().StringSliceVar(&payouts, "payout", nil, "payout of each seat, in order; they sum to the stakes")
	var seat uint32
	var agreed []string
	accept := &cobra.Command{Use: "accept [MATCH]", Short: "Accept an offered draw: stakes back, or the payouts that you say", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			id, err := pickMatch(api, first(args), false)
			if err != nil {
				return err
			}
			m, err := call(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: id})
			if err != nil {
				return err
			}
			list, err := api.units.parseAll(agreed, m.Match.Asset)
			if err != nil {
				return err
			}
			if !c.Flags().Changed("seat") {
				if len(m.Match.Draws) != 1 {
					return fmt.Errorf("there are %d offers to end %s: see channeld match show, and say whose with --seat", len(m.Match.Draws), short(id))
				}
				seat = m.Match.Draws[0].Seat
			}
			r, err := call(api, api.AcceptDraw, &antev1.AcceptDrawRequest{MatchId: id, Seat: seat, Payouts: list})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "agreed") })
		}}
	accept.Flags().Uint32Var(&seat, "seat", 0, "whose offer (default: the only one)")
	accept.Flags().StringSliceVar(&agreed, "payout", nil, "payout of each seat that is offered, in order (default: everybody's stake back)")
	cmd.AddCommand(offer, accept)
	return cmd
}
