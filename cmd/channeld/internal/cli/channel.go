package cli

import (
	"fmt"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func channelsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "channels", Short: "Your channels", Aliases: []string{"channel"}}
	all := cmd.Flags().Bool("all", false, "closed ones too")
	cmd.RunE = a.client(func(api *remote, _ []string) error {
		return show(api, api.ListChannels, &antev1.ListChannelsRequest{Closed: *all}, func(r *antev1.ListChannelsResponse) {
			table(api.Out, "CHANNEL\tSTATUS\tYOUR SEAT\tBALANCES BY SEAT\tMATCHES\tWITH", r.Channels, func(ch *antev1.Channel) []any {
				return []any{short(ch.Id), channelStatus(ch), ch.Seat, api.monies(ch.Balances, ch.Terms.Asset), len(ch.MatchIds), others(ch.Players)}
			})
			api.holds(r.Channels)
		})
	})
	return group(cmd, resizeCommand(a))
}

func channelStatus(ch *antev1.Channel) string {
	status := enum(ch.Status, "CHANNEL_STATUS_")
	if ch.Frozen {
		status += ", frozen"
	}
	if ch.Hold != nil {
		status += ", held"
	}
	if r := ch.Resize; r != nil {
		status += ", to be resized"
		if r.Waits != "" {
			status += " (waits: " + r.Waits + ")"
		}
	}
	return status
}

// holds prints why channels are held or frozen, and what to do.
func (api *remote) holds(list []*antev1.Channel) {
	held := false
	for _, ch := range list {
		if ch.Frozen && ch.Status == antev1.ChannelStatus_CHANNEL_STATUS_OPEN {
			api.printf("%s is frozen, because your data is an old copy, or another program uses your keys: nothing more is signed in it.\n"+
				"Connect to the other players, who show what is newest (channeld peer add), then leave it: channeld dispute exit %[1]s\n", short(ch.Id))
		}
		if ch.Hold == nil {
			continue
		}
		held = true
		api.printf("%s is held until %s, or until all your towers have said what they hold of it:\n", short(ch.Id), clockTime(ch.Hold.Until))
		for _, tower := range ch.Hold.Towers {
			api.printf("  tower %s has not answered\n", tower)
		}
		if ch.Hold.Missing > 0 {
			api.printf("  towers of the settings that were not reached: %d (see: channeld alarms)\n", ch.Hold.Missing)
		}
	}
	if held {
		api.printf("A held channel signs nothing after a start, because your data could be an old copy, and goes on by itself; at once where a clock on\n" +
			"the chain can't wait. If you did put back a backup, stop the daemon and run: channeld restored\n")
	}
}

func closeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "close [CHANNEL]", Short: "Close a channel together with the other players, and be paid",
		Long: "Close a channel: nothing new is played in it, and once everybody has signed, it is paid out. While a match runs it is\n" +
			"refused. If the others don't sign within your patience (wait.patience, 5 minutes by default), the daemon closes the\n" +
			"channel alone: two transactions and one window. Before a holiday close your channels, and see that they are paid out:\n" +
			"money in the bank needs no daemon that runs, unless an offer of yours stands.",
		Args: cobra.MaximumNArgs(1)}
	noQuestion(cmd)
	stays := a.waitFlag(cmd)
	cmd.RunE = about(a, pickChannel, func(api *remote, ch *antev1.Channel, _ []string) error {
		sent, err := api.transactionsSince()
		if err != nil {
			return err
		}
		err = act(api, api.CloseChannel, &antev1.CloseChannelRequest{ChannelId: ch.Id}, "closing %s (see: channeld channels)\n", short(ch.Id))
		if err != nil || !stays() {
			return unpaid(api, ch, err)
		}
		return api.untilPaid(ch.Id, sent)
	})
	return cmd
}

// unpaid adds to an error of closing a channel how it is left, where a match is over that the
// others don't sign to be paid.
func unpaid(api *remote, ch *antev1.Channel, err error) error {
	if err == nil {
		return nil
	}
	r, unread := call(api, api.ListMatches, &antev1.ListMatchesRequest{ChannelId: ch.Id})
	if unread != nil {
		return err
	}
	for _, m := range r.Matches {
		if m.Status == antev1.MatchStatus_MATCH_STATUS_OVER {
			return fmt.Errorf("match %s is over, but its payout is not signed by everybody yet: wait for the other player, or close the channel alone: channeld dispute exit %s",
				short(m.Id), short(ch.Id))
		}
		if len(m.Waiting.GetSeats()) > 0 {
			who, _ := waitedFor(m)
			return fmt.Errorf("%w; match %s waits for %s: to leave without the others: channeld dispute exit %s", err, short(m.Id), who, short(ch.Id))
		}
	}
	return err
}

// pickChannel finds a channel that is not closed, by the beginning of its id or by a player of it.
// Who offers a channel can choose how its id begins: a name means a player or nothing, and what
// fits two channels neither.
func pickChannel(api *remote, typed string) (*antev1.Channel, error) {
	r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{Closed: true})
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(r.Channels), closed)
	if typed == "" {
		return pick(open, (*antev1.Channel).GetId, "", "channel", "channeld channels")
	}
	list, err := api.peers()
	if err != nil {
		return nil, err
	}
	named, err := contact(list, typed)
	if err != nil {
		return nil, err
	}
	if named == "" && !prefixed(typed) {
		return nil, fmt.Errorf("%w channel %s (an id begins with 0x, and so does an account; see: channeld channels)", errNone, clean(typed))
	}
	player := named
	if player == "" { // an id may begin with what begins no account
		peer, _ := pick(list, (*antev1.Peer).GetAccount, typed, "peer", "channeld peer list")
		player = peer.GetAccount()
	}
	fit := slices.DeleteFunc(slices.Clone(open), func(ch *antev1.Channel) bool {
		with := player != "" && slices.ContainsFunc(ch.Terms.Players, func(p string) bool { return strings.EqualFold(p, player) })
		return !with && (named != "" || !begins(ch.Id, typed))
	})
	if len(fit) > 0 {
		return pick(fit, (*antev1.Channel).GetId, "", "channel", "channeld channels")
	}
	if ch, err := pick(r.Channels, (*antev1.Channel).GetId, typed, "channel", "channeld channels --all"); err == nil && named == "" {
		return nil, fmt.Errorf("channel %s is closed (see: channeld channels --all)", short(ch.Id))
	}
	what := "channel"
	if player != "" {
		what, typed = "channel with "+clean(typed), ""
	}
	return pick(fit, (*antev1.Channel).GetId, typed, what, "channeld channels")
}

func closed(ch *antev1.Channel) bool { return ch.Status == antev1.ChannelStatus_CHANNEL_STATUS_CLOSED }
