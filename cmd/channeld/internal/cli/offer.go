package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) openCommand() *cobra.Command {
	var theirs, memo string
	var window uint64
	var yes *bool
	var asset *string
	cmd := &cobra.Command{Use: "open PLAYER DEPOSIT", Short: "Offer another player a channel",
		Long: "Offer another player a channel. The player is an account, the beginning of a known peer's, or an address to\n" +
			"connect to. Nobody's money is locked until the other player accepts and everybody's is. The offer lapses if that\n" +
			"takes longer than a quarter of the window.",
		Example: "  channeld open 0x7099 0.5eth\n  channeld open /ip4/192.0.2.7/tcp/4101/p2p/12D3KooW… 1eth --theirs 2eth",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			deposits, err := api.units.parseAll([]string{args[1], cmp.Or(theirs, args[1])}, *asset)
			if err != nil {
				return err
			}
			peer, err := account(api, args[0])
			if err != nil {
				return err
			}
			if err := a.reviewOpening(api, peer, deposits, *yes); err != nil {
				return err
			}
			r, err := call(api, api.OpenChannel, &antev1.OpenChannelRequest{
				Peers: []string{peer}, Deposits: deposits, Asset: *asset, Window: window, Memo: memo,
			})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintf(w, "offered %s; it is for %s to accept within a quarter of the window (see: channeld offers)\n", short(r.OfferId), peer)
			})
		}}
	cmd.Flags().StringVar(&theirs, "theirs", "", "the other player's deposit (default: the same)")
	cmd.Flags().Uint64Var(&window, "window", 0, "time for an answer on-chain, in the Arena's clock (default: the configured one)")
	cmd.Flags().StringVar(&memo, "memo", "", "a line for the other player")
	asset, yes = assetFlag(cmd), yesFlag(cmd)
	return cmd
}

// reviewOpening asks before a second offer to a player who has not answered the first, as both may be accepted, and before one in which
// the user has nothing to play for.
func (a *app) reviewOpening(api *remote, peer string, deposits []string, yes bool) error {
	r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
	if err != nil {
		return err
	}
	u := api.units
	for _, o := range r.Offers {
		waits := o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN || o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED
		if o.Mine && waits && slices.ContainsFunc(o.Terms.Players, func(p string) bool { return strings.EqualFold(p, peer) }) {
			return a.ask(yes, "your offer %s to %s, of %s, is not done with: another one locks money twice", short(o.Id), peer, u.monies(o.Terms.Deposits, o.Terms.Asset))
		}
	}
	if deposits[0] == "0" {
		return a.ask(yes, "without a deposit of yours you can play only for nothing")
	}
	return nil
}

func (a *app) offersCommand() *cobra.Command {
	return &cobra.Command{Use: "offers", Short: "Channels that you or others want to open", Aliases: []string{"offer"}, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
			if err != nil {
				return err
			}
			u := api.units
			return a.show(r, func(w io.Writer) {
				rows := make([][]string, len(r.Offers))
				for i, o := range r.Offers {
					from := "you"
					if !o.Mine {
						from = short(o.Terms.Players[0])
					}
					rows[i] = []string{short(o.Id), enum(o.Status, "OFFER_STATUS_"), from, u.monies(o.Terms.Deposits, o.Terms.Asset),
						clean(o.Memo + o.Reason)}
				}
				table(w, []string{"OFFER", "STATUS", "FROM", "DEPOSITS", "NOTE"}, rows)
			})
		}}
}

func (a *app) acceptCommand() *cobra.Command {
	var yes *bool
	cmd := &cobra.Command{Use: "accept [OFFER]", Short: "Accept an offered channel", Args: cobra.MaximumNArgs(1),
		Long: "Accept an offered channel. The name of an offer is that of its terms, so what has been shown under it is what is\n" +
			"accepted; without one, the offer that waits is shown first, and you are asked.",
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			o, err := pickOffer(api, first(args), acceptable)
			if err != nil {
				return err
			}
			id := o.Id
			memo := ""
			if o.Memo != "" {
				memo = fmt.Sprintf("%q; ", o.Memo)
			}
			if err := a.ask(*yes || len(args) > 0, "%s offers a channel of %s, window %d, to be opened by clock time %d; %soffer %s", o.Terms.Players[0],
				api.units.monies(o.Terms.Deposits, o.Terms.Asset), o.Terms.Window, o.Terms.OpenBy, memo, short(id)); err != nil {
				return err
			}
			r, err := call(api, api.AcceptOffer, &antev1.AcceptOfferRequest{OfferId: id})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintln(w, "accepted; the channel is open once its opening is final on the chain (see: channeld channels)")
			})
		}}
	yes = yesFlag(cmd)
	return cmd
}

func (a *app) declineCommand() *cobra.Command {
	return &cobra.Command{Use: "decline [OFFER [REASON]]", Short: "Refuse an offered channel, or take back your own offer or acceptance", Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			o, err := pickOffer(api, first(args), declinable(len(args) > 0))
			if err != nil {
				return err
			}
			request := &antev1.DeclineOfferRequest{OfferId: o.Id}
			if len(args) == 2 {
				request.Reason = args[1]
			}
			r, err := call(api, api.DeclineOffer, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "declined") })
		}}
}

func acceptable(o *antev1.Offer) bool {
	return o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN && !o.Mine
}

// declinable are offers that wait for an answer and, by their names only, acceptances whose channel is not there.
func declinable(named bool) func(*antev1.Offer) bool {
	return func(o *antev1.Offer) bool {
		return o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN || named && o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED && !o.Mine
	}
}

// pickOffer finds an offer that waits for an answer.
func pickOffer(api *remote, typed string, fits func(*antev1.Offer) bool) (*antev1.Offer, error) {
	r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
	if err != nil {
		return nil, err
	}
	var ids []string
	byID := map[string]*antev1.Offer{}
	for _, o := range slices.Backward(r.Offers) {
		if fits(o) {
			ids, byID[o.Id] = append(ids, o.Id), o
		}
	}
	id, err := pick(ids, typed, "offer that waits for you", "channeld offers")
	return byID[id], err
}
