package cli

import (
	"fmt"
	"io"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) channelsCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{Use: "channels", Short: "Your channels", Aliases: []string{"channel"}, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{Closed: all})
			if err != nil {
				return err
			}
			u := api.units
			return a.show(r, func(w io.Writer) {
				rows := make([][]string, len(r.Channels))
				for i, ch := range r.Channels {
					status := enum(ch.Status, "CHANNEL_STATUS_")
					if ch.Frozen {
						status += ", frozen: this store is an old copy, or another program uses its keys (see alarms)"
					}
					if ch.Hold != nil {
						status += ", held"
					}
					rows[i] = []string{short(ch.Id), status, fmt.Sprint(ch.Seat),
						u.monies(ch.Balances, ch.Terms.Asset), fmt.Sprint(len(ch.MatchIds))}
				}
				table(w, []string{"CHANNEL", "STATUS", "YOUR SEAT", "BALANCES BY SEAT", "MATCHES"}, rows)
				holds(w, r.Channels)
			})
		}}
	cmd.Flags().BoolVar(&all, "all", false, "closed ones too")
	return cmd
}

// holds says why channels are held, and what to do.
func holds(w io.Writer, list []*antev1.Channel) {
	held := false
	for _, ch := range list {
		if ch.Hold == nil {
			continue
		}
		held = true
		fmt.Fprintf(w, "%s is held until %s, or until all your towers have said what they hold of it:\n", short(ch.Id), clockTime(ch.Hold.Until))
		for _, tower := range ch.Hold.Towers {
			fmt.Fprintf(w, "  tower %s has not answered\n", tower)
		}
		if ch.Hold.Missing > 0 {
			fmt.Fprintf(w, "  towers of the settings that were not reached: %d (see: channeld alarms)\n", ch.Hold.Missing)
		}
	}
	if held {
		fmt.Fprintln(w, "A held channel signs nothing after a start, because your data could be an old copy, and goes on by itself; at once where a clock on\n"+
			"the chain can't wait. If you did put back a backup, stop the daemon and run: channeld restored")
	}
}

func (a *app) closeCommand() *cobra.Command {
	return &cobra.Command{Use: "close [CHANNEL]", Short: "Close a channel together with the other players, and be paid",
		Long: "Close a channel: nothing new is played in it, and once its matches are over and everybody has signed, it is paid\n" +
			"out. If the others don't answer, see the dispute exit command.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			id, err := pickChannel(api, first(args))
			if err != nil {
				return err
			}
			r, err := call(api, api.CloseChannel, &antev1.CloseChannelRequest{ChannelId: id})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "closing %s (see: channeld channels)\n", short(id)) })
		}}
}

// pickChannel returns the channel that is meant, which is not closed.
func pickChannel(api *remote, typed string) (string, error) {
	r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{})
	if err != nil {
		return "", err
	}
	ids := make([]string, len(r.Channels))
	for i, ch := range r.Channels {
		ids[i] = ch.Id
	}
	return pick(ids, typed, "channel", "channeld channels")
}
