package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
)

func resizeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "resize [CHANNEL|PLAYER] DEPOSIT", Short: "Add money to a channel, or take part of it out",
		Long: "Add money to a channel, or take part of it out: the channel closes and another one opens in its place, with this\n" +
			"deposit of yours, in one transaction that everybody signs. What you add must be in the bank; what you take out goes\n" +
			"there. While a match runs in the channel, this waits. The other player has to accept it like an offered channel.",
		Example: "  channeld channel resize 2eth\n  channeld channel resize 0.5eth   # takes out what is above 0.5 eth\n  channeld channel resize alice 0.5eth --theirs 1eth --wait\n  channeld channel resize --cancel",
		Args:    cobra.MaximumNArgs(2)}
	noQuestion(cmd)
	theirs := cmd.Flags().String("theirs", "", "the other player's deposit (default: what it has in the channel then)")
	memo := cmd.Flags().String("memo", "", "a line for the other players")
	wait := cmd.Flags().Bool("wait", false, "wait until it is done, and say what it waits for")
	cancel := cmd.Flags().Bool("cancel", false, "take back a resize that waits for matches to end (see also: channeld decline)")
	cmd.RunE = func(c *cobra.Command, args []string) error {
		if *cancel != (len(args) == 0) && !(*cancel && len(args) == 1) {
			return usage(c, errors.New("say either DEPOSIT or --cancel"))
		}
		api := a.dial(c.Context())
		deposit := ""
		if !*cancel {
			deposit, args = args[len(args)-1], args[:len(args)-1]
		}
		ch, err := pickChannel(api, first(args))
		if err != nil {
			return err
		}
		request := &antev1.ResizeChannelRequest{ChannelId: ch.Id, Memo: *memo}
		if *cancel {
			return act(api, api.ResizeChannel, request, "the channel stays as it is\n")
		}
		request.Deposits = make([]string, len(ch.Players))
		for seat := range request.Deposits {
			text := *theirs
			if seat == int(ch.Seat) {
				text = deposit
			}
			if request.Deposits[seat], err = api.parse(text, ch.Terms.Asset); err != nil {
				return err
			}
		}
		if err := show(api, api.ResizeChannel, request, func(r *antev1.ResizeChannelResponse) {
			if ch.Resize != nil {
				api.printf("this takes the place of the resize that you asked for before\n")
			}
			if r.Resize.GetWaits() != "" {
				api.printf("it waits: %s; then %s is asked\n", r.Resize.Waits, others(ch.Players))
			} else {
				api.printf("asked %s, who must accept it within a quarter of the window (see: channeld offers)\n", others(ch.Players))
			}
		}); err != nil || !*wait {
			return err
		}
		return api.untilResized(ch)
	}
	return cmd
}

// untilResized shows how far the resizing of a channel is, until another has its place or it is
// kept.
func (api *remote) untilResized(ch *antev1.Channel) error {
	offer, found := "", ""
	err := api.follow(func() (string, bool, error) {
		now, err := call(api, api.GetChannel, &antev1.GetChannelRequest{ChannelId: ch.Id})
		if err != nil {
			return "", false, err
		}
		if r := now.Channel.Resize; r.GetOfferId() == "" && r != nil {
			return "it waits: " + r.Waits, false, nil
		} else if r != nil {
			offer = r.OfferId
		}
		list, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
		if err != nil {
			return "", false, err
		}
		at := slices.IndexFunc(list.Offers, func(o *antev1.Offer) bool {
			return o.Id == offer || offer == "" && o.Replaces == ch.Id && o.Status == antev1.OfferStatus_OFFER_STATUS_OPENED
		})
		if at < 0 {
			return "", true, fmt.Errorf("channel %s is not resized: it was taken back, or the channel closes (see: channeld events)", short(ch.Id))
		}
		switch o := list.Offers[at]; o.Status {
		case antev1.OfferStatus_OFFER_STATUS_OPENED:
			found = fmt.Sprintf("channel %s has taken the place of %s", short(o.ChannelId), short(ch.Id))
			return "", true, nil
		case antev1.OfferStatus_OFFER_STATUS_OPEN:
			return fmt.Sprintf("it waits for %s to accept and sign (offer %s)", others(ch.Players), short(o.Id)), false, nil
		case antev1.OfferStatus_OFFER_STATUS_ACCEPTED:
			return "everybody has signed: it waits for the chain", false, nil
		default:
			return "", true, fmt.Errorf("channel %s is not resized: the offer is %s %s", short(ch.Id), enum(o.Status, "OFFER_STATUS_"), clean(o.Reason))
		}
	})
	if err != nil {
		return err
	}
	return api.report(map[string]string{"found": found}, "%s\n", found)
}

// instead says which channel an offer takes the place of, empty if of none.
func (api *remote) instead(o *antev1.Offer) string {
	if o.Replaces == "" {
		return ""
	}
	return fmt.Sprintf(", in place of %s with %s", short(o.Replaces), api.monies(o.Balances, o.Terms.Asset))
}

// changes is instead with what the user adds, or gets.
func (api *remote) changes(o *antev1.Offer) (string, error) {
	if o.Replaces == "" {
		return "", nil
	}
	me, err := call(api, api.GetStatus, &antev1.GetStatusRequest{})
	if err != nil {
		return "", err
	}
	seat := slices.IndexFunc(o.Terms.Players, func(p string) bool { return strings.EqualFold(p, me.Account) })
	if seat < 0 || seat >= len(o.Balances) {
		return "", fmt.Errorf("offer %s does not seat you", short(o.Id))
	}
	deposit, err := uint256.FromDecimal(o.Terms.Deposits[seat])
	if err != nil {
		return "", err
	}
	had, err := uint256.FromDecimal(o.Balances[seat])
	if err != nil {
		return "", err
	}
	text := api.instead(o) + ": you "
	switch {
	case deposit.Eq(had):
		return text + "add nothing", nil
	case deposit.Lt(had):
		return text + "get " + api.money(had.Sub(had, deposit).Dec(), o.Terms.Asset) + " in the bank", nil
	}
	return text + "add " + api.money(deposit.Sub(deposit, had).Dec(), o.Terms.Asset) + " from the bank", nil
}
