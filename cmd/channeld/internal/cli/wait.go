package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// finder finds what is waited for, or nothing yet. Typed is the beginning of an id, or empty.
type finder func(api *remote, typed string) (found string, err error)

func waitCommand(a *app) *cobra.Command {
	var timeout time.Duration
	until := func(use, short, not string, find finder) *cobra.Command {
		return &cobra.Command{Use: use, Short: short, Args: cobra.MaximumNArgs(1), RunE: func(c *cobra.Command, args []string) error {
			return a.waitFor(c.Context(), timeout, first(args), not, find)
		}}
	}
	offer := until("offer", "Until somebody offers you a channel or proposes a match", "nobody offers you anything", somethingIsOffered)
	offer.Args = cobra.NoArgs
	cmd := group(&cobra.Command{Use: "wait", Short: "Wait until something has happened",
		Long: "Wait until something has happened, or return at once if it has already. With --timeout the exit code is 4 when it\n" +
			"has not in that time. To wait for a payout fails when no channel, or not the named one, is being closed.",
		Example: "  channeld wait channel && channeld match propose mastermind 0.1eth\n  channeld wait turn --timeout 1h && notify-send 'your turn'"},
		offer,
		until("channel [CHANNEL]", "Until a channel is open", "no channel is open", channelIsOpen),
		until("turn [MATCH]", "Until a move of yours is wanted", "nobody waits for a move of yours", isYourTurn),
		until("over [MATCH]", "Until a match is over, or none is played any more", "a match is still played", matchIsOver),
		until("payout [CHANNEL]", "Until a channel, or each that is being closed, is paid out", "a channel is not paid out", channelIsPaid()))
	cmd.PersistentFlags().DurationVar(&timeout, "timeout", 0, "give up after this long, such as 90s or 2h; 0: never")
	return cmd
}

// waitFor looks until it finds something, and prints that. What is not yet is said where it does
// not come in time.
func (a *app) waitFor(ctx context.Context, timeout time.Duration, typed, not string, find finder) error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	found, err := a.await(ctx, typed, find)
	switch {
	// the daemon may find first that there is no time left
	case errors.Is(ctx.Err(), context.DeadlineExceeded), timeout > 0 && late(err):
		return fmt.Errorf("%w: after %s %s", errTimeout, timeout, not)
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted: %s", not)
	case err != nil:
		return err
	}
	return a.report(map[string]string{"found": found}, "%s\n", a.hinted(found))
}

// await looks, and looks again at whatever happens, until it finds something or the context ends. A
// daemon that goes away meanwhile is waited for, too.
func (a *app) await(ctx context.Context, typed string, find finder) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	api := a.dial(ctx)
	found, err := find(api, typed)
	if found != "" || err != nil && !late(err) {
		return found, err
	}
	news, failed := api.watch(ctx, new(antev1.StreamEventsRequest))
	for {
		var gone <-chan time.Time
		switch found, err := find(api, typed); {
		case found != "", err != nil && !lost(err) && !late(err):
			return found, err
		case err != nil:
			gone = time.After(retry)
		}
		select {
		case <-news:
		case <-gone:
		case err := <-failed:
			return "", err
		}
	}
}

// late reports whether the daemon did not answer in time, be it that there is no time left.
func late(err error) bool { return connect.CodeOf(err) == connect.CodeDeadlineExceeded }

func somethingIsOffered(api *remote, _ string) (string, error) {
	offers, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
	if err != nil {
		return "", err
	}
	for _, o := range offers.Offers {
		if o.Status == antev1.OfferStatus_OFFER_STATUS_OPEN && !o.Mine {
			return fmt.Sprintf("a channel is offered to you: channeld accept %s", short(o.Id)), nil
		}
	}
	list, err := api.proposals()
	if err != nil || len(list.asked) == 0 {
		return "", err
	}
	return fmt.Sprintf("a match is proposed to you: channeld match approve %s", short(list.asked[0].ChannelId)), nil
}

func channelIsOpen(api *remote, typed string) (string, error) {
	r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{})
	if err != nil {
		return "", err
	}
	list, err := matching(r.Channels, (*antev1.Channel).GetId, typed, "channel", "channeld channels")
	for _, ch := range list {
		if ch.Status == antev1.ChannelStatus_CHANNEL_STATUS_OPEN {
			return fmt.Sprintf("channel %s is open", short(ch.Id)), nil
		}
	}
	return "", err
}

// errNotClosing ends waiting for a payout that nobody has asked for.
var errNotClosing = errors.New("no channel is being closed, so nothing will be paid out")

// channelIsPaid finds that a channel is paid out or, with none typed, that each is which was being
// closed whenever it looked: a reorganisation may undo a closing, and the channel is open again. It
// fails when none was, although some are open or there is none.
func channelIsPaid() finder {
	waited := map[string]bool{}
	return func(api *remote, typed string) (string, error) {
		r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{Closed: true})
		if err != nil {
			return "", err
		}
		list, err := matching(r.Channels, (*antev1.Channel).GetId, typed, "channel", "channeld channels --all")
		if err != nil {
			return "", err
		}
		open, waits := false, false
		for _, ch := range list {
			switch ch.Status {
			case antev1.ChannelStatus_CHANNEL_STATUS_CLOSING, antev1.ChannelStatus_CHANNEL_STATUS_CONTESTED:
				waited[ch.Id], waits = true, true
			case antev1.ChannelStatus_CHANNEL_STATUS_CLOSED:
			default:
				open, waits = true, waits || waited[ch.Id]
			}
		}
		switch {
		case waits:
			return "", nil
		case len(waited) == 0 && (open || len(list) == 0):
			return "", fmt.Errorf("%w: close one with channeld close, and name one that is paid already", errNotClosing)
		}
		return "paid out (see: channeld balance)", nil
	}
}

func isYourTurn(api *remote, typed string) (string, error) {
	list, err := matchesNamed(api, typed)
	for _, m := range list {
		if m.YourTurn {
			return fmt.Sprintf("%s %s waits for a move of yours: channeld play %s", m.Game, short(m.Id), short(m.Id)), nil
		}
	}
	return "", err
}

func matchIsOver(api *remote, typed string) (string, error) {
	list, err := matchesNamed(api, typed)
	if err != nil || slices.ContainsFunc(list, func(m *antev1.Match) bool { return !ended(m) }) {
		return "", err
	}
	return "over (see: channeld match list --all)", nil
}

func matchesNamed(api *remote, typed string) ([]*antev1.Match, error) {
	r, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{Booked: typed != ""})
	if err != nil {
		return nil, err
	}
	return matching(r.Matches, (*antev1.Match).GetId, typed, "match", "channeld match list --all")
}

// matching returns the items whose ids begin with what the user typed, with nothing typed all of
// them. That none does is an error: it would be waited for in vain.
func matching[T any](items []T, id func(T) string, typed, what, list string) ([]T, error) {
	if typed == "" {
		return items, nil
	}
	x, err := pick(items, id, typed, what, list)
	if err != nil {
		return nil, err
	}
	return []T{x}, nil
}
