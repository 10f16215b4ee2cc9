package cli

import (
	"cmp"
	"fmt"
	"slices"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// untilOpen shows how far an offered channel is until it is open. With is the other player.
func (api *remote) untilOpen(offer, with string) error {
	err := api.follow(func() (string, bool, error) {
		r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
		if err != nil {
			return "", false, err
		}
		at := slices.IndexFunc(r.Offers, func(o *antev1.Offer) bool { return o.Id == offer })
		if at < 0 {
			return "", true, fmt.Errorf("offer %s is gone (see: channeld channels)", short(offer))
		}
		switch o := r.Offers[at]; {
		case o.Status == antev1.OfferStatus_OFFER_STATUS_OPENED:
			return "", true, nil
		case o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN:
			return "waits for " + with + " to accept", false, nil
		case o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED && !o.Mine:
			return "waits for " + with + " to open the channel", false, nil
		case o.Status == antev1.OfferStatus_OFFER_STATUS_ACCEPTED:
			t, err := api.transaction("open/" + offer)
			return "the opening: " + api.inBlocks(t), false, err
		default:
			return "", true, fmt.Errorf("offer %s is %s (%s)", short(offer), enum(o.Status, "OFFER_STATUS_"), cmp.Or(clean(o.Reason), "nobody says why"))
		}
	})
	return api.told(err, "the channel with %s is open\n", with)
}

// told prints that what was followed is done.
func (api *remote) told(err error, format string, args ...any) error {
	if err == nil && !api.json {
		api.printf(format, args...)
	}
	return err
}

// transactionsSince tells apart what the daemon sends to the chain from now on. It returns what
// says how far the newest of that is, empty while there is none.
func (api *remote) transactionsSince() (state func() (string, error), err error) {
	before, err := call(api, api.ListTransactions, &antev1.ListTransactionsRequest{})
	return func() (string, error) {
		now, err := call(api, api.ListTransactions, &antev1.ListTransactionsRequest{})
		for _, t := range now.GetTransactions() {
			old := slices.ContainsFunc(before.Transactions, func(b *antev1.Transaction) bool { return b.Key == t.Key })
			if !old && t.Status <= antev1.TransactionStatus_TRANSACTION_STATUS_MINED {
				return clean(t.Why) + ": " + api.inBlocks(t), nil
			}
		}
		return "", err
	}, err
}

// untilPaid shows how far a channel is that is being closed, until it is paid out.
func (api *remote) untilPaid(id string, sent func() (string, error)) error {
	err := api.follow(func() (string, bool, error) {
		r, err := call(api, api.GetChannel, &antev1.GetChannelRequest{ChannelId: id})
		if err != nil {
			return "", false, err
		}
		if r.Channel.Status == antev1.ChannelStatus_CHANNEL_STATUS_CLOSED {
			return "", true, nil
		}
		state, err := sent()
		switch {
		case state != "" || err != nil:
		case r.Channel.Waiting != nil:
			state = "waits for " + others(r.Channel.Players) + " to sign"
		case r.Channel.Deadline > 0:
			var d *antev1.GetDisputeResponse
			if d, err = call(api, api.GetDispute, &antev1.GetDisputeRequest{ChannelId: id}); err == nil {
				state = window(d)
			}
		default:
			state = "the channel is " + channelStatus(r.Channel)
		}
		return state, false, err
	})
	return api.told(err, "channel %s is paid out (see: channeld balance)\n", short(id))
}

// untilContested shows how far the exit from a channel is, until its window runs for good.
func (api *remote) untilContested(id string, sent func() (string, error)) error {
	said := ""
	err := api.follow(func() (string, bool, error) {
		d, err := call(api, api.GetDispute, &antev1.GetDisputeRequest{ChannelId: id})
		if err != nil {
			return "", false, err
		}
		state, err := sent()
		if err != nil || state != "" || !d.Contested {
			return cmp.Or(state, "the exit is about to be sent"), false, err
		}
		said = window(d)
		return "", true, nil
	})
	return api.told(err, "%s; until then: channeld wait payout %s\n", said, short(id))
}

// window says how far the window of a contested channel is.
func window(d *antev1.GetDisputeResponse) string {
	return fmt.Sprintf("contested; it is paid out from %d of the Arena's clock on, which is at %d", d.ContestDeadline, d.Clock)
}

// untilClock shows how far the start of a clock is, until it runs on-chain or nobody is waited for.
func (api *remote) untilClock(m *antev1.Match, sent func() (string, error)) error {
	err := api.follow(func() (string, bool, error) {
		r, err := call(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: m.Id})
		if err != nil || r.Match.Deadline > 0 || ended(r.Match) || r.Match.Turn != m.Turn {
			return "", err == nil, err
		}
		state, err := sent()
		return cmp.Or(state, "the clock is about to be started"), false, err
	})
	return api.told(err, "what the chain holds: channeld dispute show %s\n", short(m.ChannelId))
}
