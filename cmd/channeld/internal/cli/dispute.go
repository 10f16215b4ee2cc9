package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func disputeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "dispute", Short: "What the chain holds of a channel, and going there", RunE: about(a, pickDisputed, showDispute),
		Long: "The daemon goes to the chain by itself: it answers what others post there, and, when a peer is silent for longer\n" +
			"than your patience, starts the peer's clock. These commands show what it does and why, and start it earlier."}
	return group(cmd, demandCommand(a), exitCommand(a), &cobra.Command{Use: "show [CHANNEL]", Args: cobra.MaximumNArgs(1),
		Short: "What the chain holds, what will be done about it, why, and for how much", RunE: about(a, pickDisputed, showDispute)})
}

// pickDisputed finds a channel; with nothing typed and several channels, the only one that is
// contested.
func pickDisputed(api *remote, typed string) (*antev1.Channel, error) {
	if typed == "" {
		r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{})
		if err != nil {
			return nil, err
		}
		r.Channels = slices.DeleteFunc(r.Channels, func(ch *antev1.Channel) bool { return ch.Status != antev1.ChannelStatus_CHANNEL_STATUS_CONTESTED })
		if len(r.Channels) == 1 {
			return r.Channels[0], nil
		}
	}
	return pickChannel(api, typed)
}

func demandCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "demand [MATCH]", Short: "Start the other player's clock on-chain now", Args: cobra.MaximumNArgs(1)}
	yes, stays := yesFlag(cmd), a.waitFlag(cmd)
	cmd.RunE = about(a, pickRunning, func(api *remote, m *antev1.Match, _ []string) error {
		switch {
		case m.Deadline > 0:
			return fmt.Errorf("a clock of match %s runs on-chain already, until %d (see: channeld dispute show)", short(m.Id), m.Deadline)
		case m.Mover == int32(m.Seat): //nolint:gosec // seats are few
			return fmt.Errorf("match %s waits for a move of yours, not of another player: channeld play %s", short(m.Id), short(m.Id))
		}
		sent, err := api.transactionsSince()
		if err != nil {
			return err
		}
		err = api.startDispute(*yes, &antev1.StartDisputeRequest{
			ChannelId: m.ChannelId, MatchId: m.Id, Action: antev1.DisputeAction_DISPUTE_ACTION_DEMAND})
		if err == nil && stays() {
			err = api.untilClock(m, sent)
		}
		return err
	})
	return cmd
}

func exitCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "exit [CHANNEL]", Short: "Close a channel without the other players: contest, wait the window, settle", Args: cobra.MaximumNArgs(1)}
	yes, stays := yesFlag(cmd), a.waitFlag(cmd)
	cmd.RunE = about(a, pickChannel, func(api *remote, ch *antev1.Channel, _ []string) error {
		if ch.Status == antev1.ChannelStatus_CHANNEL_STATUS_CONTESTED {
			return fmt.Errorf("channel %s is being closed on-chain already (see: channeld dispute show %[1]s)", short(ch.Id))
		}
		sent, err := api.transactionsSince()
		if err != nil {
			return err
		}
		if err := api.stillPlayed(ch); err != nil {
			return err
		}
		err = api.startDispute(*yes, &antev1.StartDisputeRequest{ChannelId: ch.Id, Action: antev1.DisputeAction_DISPUTE_ACTION_EXIT})
		if err == nil && stays() {
			err = api.untilContested(ch.Id, sent)
		}
		return err
	})
	return cmd
}

// stillPlayed says of each match that is still played in a channel what ends it: its stakes stay
// locked until then.
func (api *remote) stillPlayed(ch *antev1.Channel) error {
	list, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{ChannelId: ch.Id})
	for _, m := range list.GetMatches() {
		what := "it goes on meanwhile"
		switch {
		case ended(m):
			continue
		case m.Frozen && m.Mover == int32(m.Seat): //nolint:gosec // seats are few
			what = "it is your turn, and your daemon may sign no move: unless the other player ends it, its stake is lost"
		case m.Frozen:
			what = "the daemon starts the other player's clock once the window is over"
		case m.Mover == int32(m.Seat): //nolint:gosec // seats are few
			what = "it is your turn: channeld play " + short(m.Id)
		case m.Mover >= 0 && m.Deadline == 0:
			what = "its clock needs a demand, which the daemon makes after your patience: channeld dispute demand " + short(m.Id)
		}
		fmt.Fprintf(api.Err, "match %s is still played, and its stakes stay locked until it is over; %s\n", short(m.Id), api.hinted(what))
	}
	return err
}

func showDispute(api *remote, ch *antev1.Channel, _ []string) error {
	matches, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{ChannelId: ch.Id})
	if err != nil {
		return err
	}
	return show(api, api.GetDispute, &antev1.GetDisputeRequest{ChannelId: ch.Id}, func(d *antev1.GetDisputeResponse) {
		api.printf("channel %s, the Arena's clock is at %d\n", short(ch.Id), d.Clock)
		switch {
		case d.Settled:
			api.printf("settled: the free balances of ledger %d are paid out; what is locked in matches follows\n", d.ContestedVersion)
		case d.Contested:
			api.printf("contested with ledger %d; can be settled from %d on\n", d.ContestedVersion, d.ContestDeadline)
		}
		for _, m := range d.Matches {
			api.printf("match %s is %s on-chain at turn %s", short(m.MatchId), m.Status, m.Turn)
			if m.Deadline > 0 {
				api.printf(", %s", whose(m, matches.Matches))
			}
			api.printf("\n")
		}
		if !d.Contested && len(d.Matches) == 0 {
			api.printf("nothing of it is in dispute\n")
		}
		plan(api.Out, d.Planned)
		api.waiting(matches.Matches, d.Contested)
		for _, alarm := range d.Alarms {
			api.printf("! %s\n", api.named(clean(alarm)))
		}
	})
}

// waiting prints which matches wait for another player, and how to go on without: by starting that
// player's clock or, where only the payout lacks a signature and the channel is not contested, by
// leaving.
func (api *remote) waiting(list []*antev1.Match, contested bool) {
	for _, m := range list {
		if m.Status == antev1.MatchStatus_MATCH_STATUS_OVER && m.Waiting != nil && !contested {
			who, _ := waitedFor(m)
			api.printf("match %s is over, and %s has not signed the ledger that pays it out: %s the daemon closes the channel\n"+
				"  alone; to do that now: channeld dispute exit %s\n", short(m.Id), who, patienceEnds(m, time.Now()), short(m.ChannelId))
		}
		if !ended(m) && !m.Frozen && m.Deadline == 0 && m.Mover >= 0 && m.Mover != int32(m.Seat) { //nolint:gosec // seats are few
			also := ""
			if r, err := call(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: m.Id}); err == nil && leaves(r.Match) {
				also = " and " + closesAlone
			}
			api.printf("match %s waits for %s: %s the daemon starts its clock\n"+
				"  on-chain%s; to start the clock now: channeld dispute demand %s\n", short(m.Id), seatName(m, m.Mover), patienceEnds(m, time.Now()), also, short(m.Id))
		}
	}
}

// patienceEnds says when the daemon's patience with the others ends.
func patienceEnds(m *antev1.Match, now time.Time) string {
	if m.Waiting.GetUntil() == 0 {
		return "after your patience (wait.patience in the settings)"
	}
	if left := time.Unix(m.Waiting.Until, 0).Sub(now); left > 0 {
		return "in " + span(left)
	}
	return "now"
}

// whose says whose clock runs on-chain, and until when.
func whose(d *antev1.DisputedMatch, list []*antev1.Match) string {
	who := "it stands"
	for _, m := range list {
		switch {
		case m.Id != d.MatchId || d.Status != "running" || d.Mover < 0:
		case d.Mover == int32(m.Seat): //nolint:gosec // seats are few
			who = "your clock runs"
		default:
			who = "the clock of " + seatName(m, d.Mover) + " runs"
		}
	}
	return fmt.Sprintf("%s until %d", who, d.Deadline)
}

// plan prints transactions that the daemon will send or has sent.
func plan(w io.Writer, planned []*antev1.PlannedTransaction) {
	for _, p := range planned {
		what := "will send a transaction"
		if p.Underway {
			what = "has sent a transaction"
		}
		fmt.Fprintf(w, "%s: %s (about %d gas", what, clean(p.Why), p.Gas)
		if p.Fee != "" {
			fmt.Fprintf(w, ", %s", fee(p.Fee))
		}
		fmt.Fprint(w, ", all of it paid by you")
		if p.Deadline > 0 {
			fmt.Fprintf(w, ", before %d", p.Deadline)
		}
		fmt.Fprintln(w, ")")
	}
}

// startDispute shows what going to the chain costs, asks, and goes.
func (api *remote) startDispute(yes bool, request *antev1.StartDisputeRequest) error {
	if !yes {
		request.DryRun = true
		r, err := call(api, api.StartDispute, request)
		if err != nil {
			return err
		}
		plan(api.Err, r.Planned)
		if err := api.agree(); err != nil {
			return err
		}
		request.DryRun = false
	}
	return show(api, api.StartDispute, request, func(r *antev1.StartDisputeResponse) {
		plan(api.Out, r.Planned)
		api.printf("follow it with: channeld dispute show %s\n", short(request.ChannelId))
	})
}
