package cli

import (
	"fmt"
	"io"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) disputeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "dispute", Short: "What the chain holds of a channel, and going there", Args: cobra.NoArgs, RunE: a.showDispute,
		Long: "The daemon goes to the chain by itself: it answers what others post there, and, when a peer is silent for longer\n" +
			"than your patience, starts the peer's clock. These commands show what it does and why, and start it earlier."}
	show := &cobra.Command{Use: "show [CHANNEL]", Short: "What the chain holds, what will be done about it, why, and for how much", Args: cobra.MaximumNArgs(1), RunE: a.showDispute}
	var yes bool
	demand := &cobra.Command{Use: "demand [MATCH]", Short: "Start the other player's clock on-chain now", Args: cobra.MaximumNArgs(1),
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
			switch m := m.Match; {
			case m.Deadline > 0:
				return fmt.Errorf("a clock of match %s runs on-chain already, until %d (see: channeld dispute show)", short(id), m.Deadline)
			case m.Mover == int32(m.Seat): //nolint:gosec // seats are few
				return fmt.Errorf("match %s waits for a move of yours, not of another player: channeld play %s", short(id), short(id))
			}
			return a.startDispute(api, yes, &antev1.StartDisputeRequest{
				ChannelId: m.Match.ChannelId, MatchId: id, Action: antev1.DisputeAction_DISPUTE_ACTION_DEMAND})
		}}
	exit := &cobra.Command{Use: "exit [CHANNEL]", Short: "Close a channel without the other players: contest, wait the window, settle", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			id, err := pickChannel(api, first(args))
			if err != nil {
				return err
			}
			return a.startDispute(api, yes, &antev1.StartDisputeRequest{
				ChannelId: id, Action: antev1.DisputeAction_DISPUTE_ACTION_EXIT})
		}}
	for _, sub := range []*cobra.Command{demand, exit} {
		sub.Flags().BoolVarP(&yes, "yes", "y", false, "don't ask")
	}
	cmd.AddCommand(show, demand, exit)
	return cmd
}

func (a *app) showDispute(c *cobra.Command, args []string) error {
	api := a.client(c.Context())
	id, err := pickChannel(api, first(args))
	if err != nil {
		return err
	}
	d, err := call(api, api.GetDispute, &antev1.GetDisputeRequest{ChannelId: id})
	if err != nil {
		return err
	}
	matches, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{ChannelId: id})
	if err != nil {
		return err
	}
	return a.show(d, func(w io.Writer) {
		fmt.Fprintf(w, "channel %s, the Arena's clock is at %d\n", short(id), d.Clock)
		if d.Contested {
			fmt.Fprintf(w, "contested with version %d; can be settled from %d on\n", d.ContestedVersion, d.ContestDeadline)
		}
		for _, m := range d.Matches {
			fmt.Fprintf(w, "match %s is %s on-chain at turn %s", short(m.MatchId), m.Status, m.Turn)
			if m.Deadline > 0 {
				fmt.Fprint(w, ", ", whose(m, matches.Matches))
			}
			fmt.Fprintln(w)
		}
		if !d.Contested && len(d.Matches) == 0 {
			fmt.Fprintln(w, "nothing of it is in dispute")
		}
		plan(w, d.Planned)
		for _, m := range matches.Matches {
			if !ended(m) && m.Deadline == 0 && m.Mover >= 0 && m.Mover != int32(m.Seat) { //nolint:gosec // seats are few
				fmt.Fprintf(w, "match %s waits for %s: after your patience (wait.patience in the settings) the daemon starts its clock\n"+
					"  on-chain; to do that now: channeld dispute demand %s\n", short(m.Id), opponent(m, uint32(m.Mover)), short(m.Id)) //nolint:gosec // it is one
			}
		}
		for _, alarm := range d.Alarms {
			fmt.Fprintln(w, "!", clean(alarm))
		}
	})
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
			who = "the clock of " + opponent(m, uint32(d.Mover)) + " runs" //nolint:gosec // it is a seat
		}
	}
	return fmt.Sprintf("%s until %d", who, d.Deadline)
}

func plan(w io.Writer, planned []*antev1.PlannedTransaction) {
	for _, p := range planned {
		what := "will send"
		if p.Underway {
			what = "has sent"
		}
		fmt.Fprintf(w, "%s %s: %s (about %d gas", what, strings.Join(p.Calls, "+"), p.Why, p.Gas)
		if p.Fee != "" {
			fmt.Fprintf(w, ", %s", fee(p.Fee))
		}
		if p.Deadline > 0 {
			fmt.Fprintf(w, ", before %d", p.Deadline)
		}
		fmt.Fprintln(w, ")")
	}
}

// startDispute shows what going to the chain costs, asks, and goes.
func (a *app) startDispute(api *remote, yes bool, request *antev1.StartDisputeRequest) error {
	if !yes {
		request.DryRun = true
		r, err := call(api, api.StartDispute, request)
		if err != nil {
			return err
		}
		plan(a.Err, r.Planned)
		if err := a.agree(); err != nil {
			return err
		}
		request.DryRun = false
	}
	r, err := call(api, api.StartDispute, request)
	if err != nil {
		return err
	}
	return a.show(r, func(w io.Writer) {
		plan(w, r.Planned)
		fmt.Fprintln(w, "follow it with: channeld dispute show")
	})
}
