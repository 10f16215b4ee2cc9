package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func proposeCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "propose GAME [STAKE]", Short: "Propose a match to the other players of a channel",
		Long: "Propose a match to the other players of a channel; with --like, and neither game nor stake, one like a finished match:\n" +
			"the same game, parameters and stakes, in the same channel if that is still open.",
		Example: "  channeld match propose mastermind 0.1eth\n  channeld match propose mastermind 0.1eth --param rounds=2\n" +
			"  channeld match propose sums-and-cows --param guesses=12   # stakes what the parameters ask for\n" +
			"  channeld match propose --like 0x3f8a"}
	channel := cmd.Flags().String("channel", "", "in which channel (default: the only one)")
	stakes := cmd.Flags().StringSlice("stake", nil, "the other seats' stakes, in order (default: the same)")
	params := cmd.Flags().StringSlice("param", nil, "a parameter of the game, name=value (see: channeld games)")
	like := cmd.Flags().String("like", "", "a finished match to play again (see: channeld history)")
	cmd.MarkFlagsMutuallyExclusive("like", "stake")
	cmd.MarkFlagsMutuallyExclusive("like", "param")
	cmd.Args = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("like") {
			if len(args) > 0 {
				return fmt.Errorf("--like takes game and stakes from the match: leave out %s", strings.Join(args, " "))
			}
			return nil
		}
		for _, arg := range args {
			if strings.Contains(arg, "=") {
				return fmt.Errorf("%s is no stake: write a parameter as --param %s", clean(arg), clean(arg))
			}
		}
		return cobra.RangeArgs(1, 2)(c, args)
	}
	cmd.RunE = a.client(func(api *remote, args []string) error {
		if len(args) == 0 {
			return proposeLike(api, *like, *channel)
		}
		object, err := games.ParamsObject(*params)
		if err != nil {
			return err
		}
		ch, err := pickChannel(api, *channel)
		if err != nil {
			return err
		}
		amounts, err := api.parseAll(append(args[1:], *stakes...), ch.Terms.Asset)
		if err != nil {
			return err
		}
		before, err := api.proposals()
		if err != nil {
			return err
		}
		said := "proposed; once the others approve, play it: channeld play; if they refuse, channeld match list says why\n"
		if slices.ContainsFunc(before.mine, func(p *antev1.Proposal) bool { return p.ChannelId == ch.Id }) {
			said = "noted: the others are asked once they have answered what you proposed before (see: channeld match list)\n"
		}
		return act(api, api.ProposeMatch, &antev1.ProposeMatchRequest{
			ChannelId: ch.Id, Game: args[0], ParamsJson: string(object), Stakes: amounts,
		}, "%s", said)
	})
	return cmd
}

// proposeLike proposes what a finished match was, in its channel, or in another if that is typed or
// its own is not open any more.
func proposeLike(api *remote, typed, channel string) error {
	f, err := pickFinished(api, typed)
	if err != nil {
		return err
	}
	m := f.Match
	open, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{})
	if err != nil {
		return err
	}
	if channel == "" && slices.ContainsFunc(open.Channels, func(ch *antev1.Channel) bool { return ch.Id == m.ChannelId }) {
		channel = m.ChannelId
	}
	ch, err := pickChannel(api, channel)
	if err != nil {
		return err
	}
	if ch.Terms.Asset != m.Asset {
		return fmt.Errorf("%s was for %s, and channel %s holds another asset: propose it by game and stake", short(m.Id), api.monies(m.Stakes, m.Asset), short(ch.Id))
	}
	return act(api, api.ProposeMatch, &antev1.ProposeMatchRequest{ChannelId: ch.Id, Like: m.Id},
		"proposed: %s for %s, with the parameters of %s; play it once the others approve: channeld play\n", m.Game, api.monies(m.Stakes, m.Asset), short(m.Id))
}

func takeBackCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "withdraw [CHANNEL]", Short: "Take back what you proposed in a channel and nobody has agreed to", Args: cobra.MaximumNArgs(1),
		RunE: about(a, pickChannel, func(api *remote, ch *antev1.Channel, _ []string) error {
			return act(api, api.WithdrawProposals, &antev1.WithdrawProposalsRequest{ChannelId: ch.Id}, "taken back\n")
		})}
}

func approveCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "approve [CHANNEL]", Short: "Agree to play what is proposed in a channel", Args: cobra.MaximumNArgs(1)}
	version := cmd.Flags().Uint64("version", 0, "approve without being asked what channeld match list showed, and nothing that came in its place")
	yes := yesFlag(cmd)
	cmd.RunE = about(a, pickProposal, func(api *remote, p *antev1.Proposal, _ []string) error {
		if err := api.reviewProposal(p, *version, *yes); err != nil {
			return err
		}
		return act(api, api.ApproveMatch, &antev1.ApproveMatchRequest{ChannelId: p.ChannelId, Version: p.Version}, "approved; play it: channeld play\n")
	})
	return cmd
}

func rejectCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "reject [CHANNEL [REASON]]", Short: "Refuse what is proposed in a channel", Args: cobra.MaximumNArgs(2),
		RunE: about(a, pickProposal, func(api *remote, p *antev1.Proposal, rest []string) error {
			return act(api, api.RejectMatch, &antev1.RejectMatchRequest{ChannelId: p.ChannelId, Version: p.Version, Reason: first(rest)}, "rejected\n")
		})}
}

// reviewProposal has the user agree to what waits now, which need not be what the user was shown:
// by its version, or by asking.
func (api *remote) reviewProposal(p *antev1.Proposal, version uint64, yes bool) error {
	if version != 0 && version != p.Version {
		return fmt.Errorf("something else is proposed there by now, version %d (see: channeld match list)", p.Version)
	}
	lines := make([]string, len(p.Matches))
	for i, m := range p.Matches {
		lines[i] = api.proposed(p, m)
	}
	return api.ask(yes || version != 0, "%s", strings.Join(lines, "\n"))
}

// proposed describes a proposal: by whom, the game, its parameters and the stakes.
func (api *remote) proposed(p *antev1.Proposal, m *antev1.ProposedMatch) string {
	who := fmt.Sprintf("seat %d of %s proposes", p.From, short(p.ChannelId))
	if name := p.Proposer.GetName(); name != "" {
		who = fmt.Sprintf("%s (%s), seat %d of %s, proposes", name, p.Proposer.Account, p.From, short(p.ChannelId))
	}
	if p.Mine {
		who = fmt.Sprintf("in %s you propose", short(p.ChannelId))
	}
	return clean(fmt.Sprintf("%s %s %s for %s", who, m.Game, m.ParamsJson, api.monies(m.Stakes, p.Asset)))
}

// proposals are what waits for the user's answer, what of the user's waits for others, and what the
// user proposed lately that came to nothing.
type proposals struct {
	asked, mine, refused []*antev1.Proposal
}

func (api *remote) proposals() (list proposals, err error) {
	r, err := call(api, api.ListProposals, &antev1.ListProposalsRequest{Failed: true})
	for _, p := range r.GetProposals() {
		switch open := p.Status == antev1.ProposalStatus_PROPOSAL_STATUS_OPEN; {
		case open && p.Mine:
			list.mine = append(list.mine, p)
		case open:
			list.asked = append(list.asked, p)
		case p.Mine:
			list.refused = append(list.refused, p)
		}
	}
	return list, err
}

// refusal says which of the user's proposals came to nothing, and why.
func (api *remote) refusal(p *antev1.Proposal) string {
	var games []string
	for _, m := range p.Matches {
		games = append(games, m.Game+" for "+api.monies(m.Stakes, p.Asset))
	}
	why := "refused, without a reason"
	if p.Reason != "" {
		why = strconv.Quote(p.Reason)
	}
	return clean(fmt.Sprintf("your proposal in %s came to nothing (%s): %s", short(p.ChannelId), strings.Join(games, ", "), why))
}

func pickProposal(api *remote, typed string) (*antev1.Proposal, error) {
	list, err := api.proposals()
	if err != nil {
		return nil, err
	}
	return pick(list.asked, (*antev1.Proposal).GetChannelId, typed, "channel with a proposal", "channeld match list")
}
