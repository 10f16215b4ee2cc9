package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func openCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "open [PLAYER] DEPOSIT", Short: "Offer another player a channel",
		Long: "Offer another player a channel. The player is an account, the beginning of a known peer's, a name that you gave, or an\n" +
			"address to connect to; by default the only peer. With a part of an account, or without a player to whom you gave a name,\n" +
			"you are shown the whole account, and asked. Nobody's money is locked until the other player accepts and everybody's is.\n" +
			"The offer lapses if that takes longer than a quarter of the window.",
		Example: "  channeld open 1eth\n  channeld open 0x7099 0.5eth\n  channeld open /ip4/192.0.2.7/tcp/4101/p2p/12D3KooW… 1eth --theirs 2eth",
		Args:    cobra.RangeArgs(1, 2)}
	request := new(antev1.OpenChannelRequest)
	theirs := cmd.Flags().String("theirs", "", "the other player's deposit (default: the same)")
	cmd.Flags().Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, in the Arena's clock (default: the configured one)")
	cmd.Flags().StringVar(&request.Memo, "memo", "", "a line for the other player")
	assetFlag(cmd, &request.Asset)
	yes, stays := yesFlag(cmd), a.waitFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) (err error) {
		player, deposit := first(args[:len(args)-1]), args[len(args)-1]
		if request.Deposits, err = api.parseAll([]string{deposit, cmp.Or(*theirs, deposit)}, request.Asset); err != nil {
			return err
		}
		peer, err := playerMeant(api, player, *yes)
		if err != nil {
			return err
		}
		request.Peers = []string{peer}
		if err := api.reviewOpening(peer, request.Deposits, *yes); err != nil {
			return err
		}
		r, err := call(api, api.OpenChannel, request)
		if err == nil {
			err = api.print(r, func() {
				api.printf("offered %s; it is for %s to accept within a quarter of the window (see: channeld offers)\n", short(r.OfferId), api.identified(peer))
			})
		}
		if err == nil && stays() {
			err = api.untilOpen(r.OfferId, api.called(peer))
		}
		return err
	})
	return cmd
}

// reviewOpening asks before a second offer to a player who has not answered the first, as both may
// be accepted, and before one in which the user has nothing to play for.
func (api *remote) reviewOpening(peer string, deposits []string, yes bool) error {
	r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
	if err != nil {
		return err
	}
	for _, o := range r.Offers {
		waits := o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN || o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED
		if o.Mine && waits && slices.ContainsFunc(o.Terms.Players, func(p string) bool { return strings.EqualFold(p, peer) }) {
			return api.ask(yes, "your offer %s to %s, of %s, is not done with: another one locks money twice", short(o.Id), api.identified(peer), api.monies(o.Terms.Deposits, o.Terms.Asset))
		}
	}
	if deposits[0] == "0" {
		return api.ask(yes, "without a deposit of yours you can play only for nothing")
	}
	return nil
}

func offersCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "offers", Short: "Channels that you or others want to open", Aliases: []string{"offer"}, Args: cobra.NoArgs,
		RunE: a.client(func(api *remote, _ []string) error {
			return show(api, api.ListOffers, &antev1.ListOffersRequest{}, func(r *antev1.ListOffersResponse) {
				table(api.Out, "OFFER\tSTATUS\tFROM\tDEPOSITS\tNOTE", r.Offers, func(o *antev1.Offer) []any {
					from := "you"
					if !o.Mine {
						from = api.called(o.Terms.Players[0])
					}
					return []any{short(o.Id), enum(o.Status, "OFFER_STATUS_"), from, api.monies(o.Terms.Deposits, o.Terms.Asset) + api.instead(o), clean(o.Memo + o.Reason)}
				})
			})
		})}
}

func acceptCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "accept [OFFER]", Short: "Accept an offered channel", Args: cobra.MaximumNArgs(1),
		Long: "Accept an offered channel. The name of an offer is that of its terms, so with all of the name what was shown under it is\n" +
			"accepted. With a part of it, or without, the offer that waits is shown first, and you are asked."}
	yes, stays := yesFlag(cmd), a.waitFlag(cmd)
	cmd.RunE = about(a, pickAcceptable, func(api *remote, o *antev1.Offer, _ []string) error {
		if err := api.reviewOffer(o, cmd.Flags().Arg(0), *yes); err != nil {
			return err
		}
		err := act(api, api.AcceptOffer, &antev1.AcceptOfferRequest{OfferId: o.Id},
			"accepted; the channel is open once its opening is final on the chain (see: channeld channels)\n")
		if err == nil && stays() {
			err = api.untilOpen(o.Id, api.called(o.Terms.Players[0]))
		}
		return err
	})
	return cmd
}

// reviewOffer shows what is offered, and asks: another offer whose name begins alike may have taken
// the place of the one that the user saw.
func (api *remote) reviewOffer(o *antev1.Offer, typed string, yes bool) error {
	memo := ""
	if o.Memo != "" {
		memo = fmt.Sprintf("%q; ", o.Memo)
	}
	instead, err := api.changes(o)
	if err != nil {
		return err
	}
	return api.ask(yes || strings.EqualFold(typed, o.Id), "%s offers a channel of %s%s, window %d, to be opened by clock time %d; %soffer %s", api.identified(o.Terms.Players[0]),
		api.monies(o.Terms.Deposits, o.Terms.Asset), instead, o.Terms.Window, o.Terms.OpenBy, memo, short(o.Id))
}

func declineCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "decline [OFFER [REASON]]", Short: "Refuse an offered channel, or take back your own offer or acceptance", Args: cobra.MaximumNArgs(2),
		RunE: about(a, pickDeclinable, func(api *remote, o *antev1.Offer, rest []string) error {
			return act(api, api.DeclineOffer, &antev1.DeclineOfferRequest{OfferId: o.Id, Reason: first(rest)}, "declined\n")
		})}
}

// pickAcceptable finds an offer of another player that waits for an answer.
func pickAcceptable(api *remote, typed string) (*antev1.Offer, error) {
	return pickOffer(api, typed, func(o *antev1.Offer) bool { return o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN && !o.Mine })
}

// pickDeclinable finds an offer that waits for an answer or, by its name only, one that the user
// accepted and whose channel is not there.
func pickDeclinable(api *remote, typed string) (*antev1.Offer, error) {
	return pickOffer(api, typed, func(o *antev1.Offer) bool {
		return o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN || typed != "" && o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED && !o.Mine
	})
}

func pickOffer(api *remote, typed string, fits func(*antev1.Offer) bool) (*antev1.Offer, error) {
	r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
	if err != nil {
		return nil, err
	}
	r.Offers = slices.DeleteFunc(r.Offers, func(o *antev1.Offer) bool { return !fits(o) })
	return pick(r.Offers, (*antev1.Offer).GetId, typed, "offer that waits for you", "channeld offers")
}
