package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) proposeCommand() *cobra.Command {
	var channel string
	var stakes, params []string
	cmd := &cobra.Command{Use: "propose GAME [STAKE]", Short: "Propose a match to the other players of a channel",
		Example: "  channeld match propose mastermind 0.1eth\n  channeld match propose mastermind 0.1eth --param rounds=2\n" +
			"  channeld match propose sums-and-cows --param guesses=12   # stakes what the parameters ask for",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			object, err := games.ParamsObject(params)
			if err != nil {
				return err
			}
			api := a.client(c.Context())
			id, err := pickChannel(api, channel)
			if err != nil {
				return err
			}
			ch, err := call(api, api.GetChannel, &antev1.GetChannelRequest{ChannelId: id})
			if err != nil {
				return err
			}
			request := &antev1.ProposeMatchRequest{ChannelId: id, Game: args[0], ParamsJson: string(object)}
			request.Stakes, err = api.units.parseAll(append(args[1:], stakes...), ch.Channel.Terms.Asset)
			if err != nil {
				return err
			}
			r, err := call(api, api.ProposeMatch, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintln(w, "proposed; play it once the others approve: channeld play")
			})
		}}
	cmd.Flags().StringVar(&channel, "channel", "", "in which channel (default: the only one)")
	cmd.Flags().StringSliceVar(&stakes, "stake", nil, "the other seats' stakes, in order (default: the same)")
	cmd.Flags().StringSliceVar(&params, "param", nil, "a parameter of the game, name=value (see: channeld games)")
	return cmd
}

func (a *app) withdrawProposalCommand() *cobra.Command {
	return &cobra.Command{Use: "withdraw [CHANNEL]", Short: "Take back what you proposed in a channel and nobody has agreed to", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			id, err := pickChannel(api, first(args))
			if err != nil {
				return err
			}
			r, err := call(api, api.WithdrawProposals, &antev1.WithdrawProposalsRequest{ChannelId: id})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "taken back") })
		}}
}

func (a *app) answerCommand(approve bool) *cobra.Command {
	use, short := "reject [CHANNEL [REASON]]", "Refuse what is proposed in a channel"
	if approve {
		use, short = "approve [CHANNEL]", "Agree to play what is proposed in a channel"
	}
	var yes *bool
	var version uint64
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			p, err := pickProposal(api, first(args))
			if err != nil {
				return err
			}
			if approve {
				if err := a.reviewProposal(api.units, p, version, *yes); err != nil {
					return err
				}
				r, err := call(api, api.ApproveMatch, &antev1.ApproveMatchRequest{ChannelId: p.ChannelId, Version: p.Version})
				if err != nil {
					return err
				}
				return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "approved; play it: channeld play") })
			}
			request := &antev1.RejectMatchRequest{ChannelId: p.ChannelId, Version: p.Version}
			if len(args) == 2 {
				request.Reason = args[1]
			}
			r, err := call(api, api.RejectMatch, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "rejected") })
		}}
	if approve {
		cmd.Flags().Uint64Var(&version, "version", 0, "approve without being asked what channeld match list showed, and nothing that came in its place")
		yes = yesFlag(cmd)
	}
	return cmd
}

// reviewProposal has the user agree to what waits now, which need not be what the user was shown: by its version, or by asking.
func (a *app) reviewProposal(u *units, p *antev1.Proposal, version uint64, yes bool) error {
	if version != 0 && version != p.Version {
		return fmt.Errorf("something else is proposed there by now, version %d (see: channeld match list)", p.Version)
	}
	lines := make([]string, len(p.Matches))
	for i, m := range p.Matches {
		lines[i] = proposed(u, p, m)
	}
	return a.ask(yes || version != 0, "%s", strings.Join(lines, "\n"))
}

// proposed says what is proposed: by whom, the game, its parameters and the stakes.
func proposed(u *units, p *antev1.Proposal, m *antev1.ProposedMatch) string {
	return clean(fmt.Sprintf("seat %d of %s proposes %s %s for %s", p.From, short(p.ChannelId), m.Game, m.ParamsJson, u.monies(m.Stakes, p.Asset)))
}

func pickProposal(api *remote, typed string) (*antev1.Proposal, error) {
	r, err := call(api, api.ListProposals, &antev1.ListProposalsRequest{})
	if err != nil {
		return nil, err
	}
	channels := make([]string, len(r.Proposals))
	byChannel := map[string]*antev1.Proposal{}
	for i, p := range r.Proposals {
		channels[i], byChannel[p.ChannelId] = p.ChannelId, p
	}
	id, err := pick(channels, typed, "channel with a proposal", "channeld match list")
	return byChannel[id], err
}
