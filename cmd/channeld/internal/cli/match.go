package cli

import (
	"fmt"
	"io"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) gamesCommand() *cobra.Command {
	return &cobra.Command{Use: "games", Short: "The games there are, and their parameters", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.ListGames, &antev1.ListGamesRequest{})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				for _, g := range r.Games {
					fmt.Fprintf(w, "%s: %s\n", g.Name, g.Summary)
					if g.Rules == "" {
						fmt.Fprintln(w, "  (its rules contract is not set, see the games section of the settings: it can't be played)")
					}
					for _, p := range g.Parameters {
						fmt.Fprintf(w, "  %s=%s  %s\n", p.Name, p.DefaultJson, p.Help)
					}
				}
			})
		}}
}

func (a *app) matchCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "match", Short: "Propose matches, answer proposals, look at matches", Args: cobra.NoArgs, RunE: a.listMatches(false)}
	var all bool
	list := &cobra.Command{Use: "list", Short: "Your matches and what others propose", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error { return a.listMatches(all)(c, args) }}
	list.Flags().BoolVar(&all, "all", false, "those that are paid, too")
	show := &cobra.Command{Use: "show [MATCH]", Short: "Look at a match", Args: cobra.MaximumNArgs(1), RunE: a.showMatch}
	bot := &cobra.Command{Use: "bot on|off [MATCH]", Short: "Let a bot play a match for you", Args: cobra.RangeArgs(1, 2),
		ValidArgs: []string{"on", "off"}, RunE: a.setBot}
	cmd.AddCommand(a.proposeCommand(), a.withdrawProposalCommand(), a.answerCommand(true), a.answerCommand(false), list, show, bot)
	return cmd
}

func (a *app) listMatches(all bool) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		api := a.client(c.Context())
		r, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{Booked: all})
		if err != nil {
			return err
		}
		proposals, err := call(api, api.ListProposals, &antev1.ListProposalsRequest{})
		if err != nil {
			return err
		}
		u := api.units
		return a.show(r, func(w io.Writer) {
			rows := make([][]string, len(r.Matches))
			for i, m := range r.Matches {
				rows[i] = []string{short(m.Id), m.Game, matchStatus(m), u.monies(m.Stakes, m.Asset), m.Turn, short(m.ChannelId)}
			}
			if len(rows) > 0 {
				table(w, []string{"MATCH", "GAME", "STATUS", "STAKES BY SEAT", "TURN", "CHANNEL"}, rows)
			} else if len(proposals.Proposals) == 0 {
				fmt.Fprintln(w, "there is no match (propose one: channeld match propose mastermind 0.1eth)")
			}
			for _, p := range proposals.Proposals {
				for _, m := range p.Matches {
					fmt.Fprintf(w, "%s: channeld match approve %s --version %d\n", proposed(u, p, m), short(p.ChannelId), p.Version)
				}
			}
		})
	}
}

func matchStatus(m *antev1.Match) string {
	status := enum(m.Status, "MATCH_STATUS_")
	switch {
	case m.YourTurn:
		status += ", your turn"
	case m.Status == antev1.MatchStatus_MATCH_STATUS_RUNNING && m.Bot:
		status += ", the bot plays"
	}
	if m.Deadline > 0 {
		status += fmt.Sprintf(", on-chain clock until %d", m.Deadline)
	}
	return status
}

func (a *app) showMatch(c *cobra.Command, args []string) error {
	api := a.client(c.Context())
	id, err := pickMatch(api, first(args), true)
	if err != nil {
		return err
	}
	r, err := call(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: id})
	if err != nil {
		return err
	}
	u := api.units
	return a.show(r, func(w io.Writer) { board(w, u, r) })
}

// opponent names another seat of a match.
func opponent(m *antev1.Match, seat uint32) string {
	if len(m.Seats) == 2 {
		return "your opponent"
	}
	return fmt.Sprintf("seat %d", seat)
}

// board prints a match as its player sees it.
func board(w io.Writer, u *units, m *antev1.GetMatchResponse) {
	fmt.Fprintf(w, "%s %s, %s, you are seat %d\n", m.Match.Game, short(m.Match.Id), matchStatus(m.Match), m.Match.Seat)
	fmt.Fprintln(w, strings.TrimRight(m.View, "\n"))
	if m.Recall != "" {
		fmt.Fprintln(w, "yours:", m.Recall)
	}
	for _, d := range m.Match.Draws {
		if d.Seat == m.Match.Seat || ended(m.Match) {
			continue
		}
		fmt.Fprintf(w, "%s offers to end it with %s: channeld draw accept %s\n", opponent(m.Match, d.Seat), u.monies(d.Payouts, m.Match.Asset), short(m.Match.Id))
	}
	if len(m.Match.Payouts) > 0 {
		fmt.Fprintf(w, "payouts by seat: %s; yours is %s\n", u.monies(m.Match.Payouts, m.Match.Asset), u.money(m.Match.Payouts[m.Match.Seat], m.Match.Asset))
	}
	if len(m.Match.Guilty) > 0 {
		fmt.Fprintf(w, "seat %v cheated: %s\n", m.Match.Guilty, clean(m.Match.Reason))
	}
}

func ended(m *antev1.Match) bool {
	return m.Status == antev1.MatchStatus_MATCH_STATUS_OVER || m.Status == antev1.MatchStatus_MATCH_STATUS_BOOKED
}

func (a *app) setBot(c *cobra.Command, args []string) error {
	if args[0] != "on" && args[0] != "off" {
		return fmt.Errorf("%q: say on or off", args[0])
	}
	api := a.client(c.Context())
	id, err := pickMatch(api, first(args[1:]), false)
	if err != nil {
		return err
	}
	r, err := call(api, api.SetBot, &antev1.SetBotRequest{MatchId: id, On: args[0] == "on"})
	if err != nil {
		return err
	}
	return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "the bot is %s\n", args[0]) })
}

// pickMatch finds a match that is not over, or, where any will do, any.
func pickMatch(api *remote, typed string, over bool) (string, error) {
	r, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{Booked: over && typed != ""})
	if err != nil {
		return "", err
	}
	var ids []string
	for _, m := range r.Matches {
		if over || m.Status != antev1.MatchStatus_MATCH_STATUS_OVER {
			ids = append(ids, m.Id)
		}
	}
	return pick(ids, typed, "match", "channeld match list")
}
