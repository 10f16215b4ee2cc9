package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ante-games/ante/node/api"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func gamesCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "games [GAME]", Short: "The games there are, their parameters, and how one is played", Args: cobra.MaximumNArgs(1),
		Long: "The games there are, their parameters, and how one is played. Without a daemon, those that come with this program.",
		RunE: a.client(func(api *remote, args []string) error {
			r, err := call(api, api.ListGames, &antev1.ListGamesRequest{})
			running := runs(err)
			switch {
			case !running:
				r = a.shipped()
			case err != nil:
				return err
			}
			if name := first(args); name != "" {
				if r.Games = slices.DeleteFunc(r.Games, func(g *antev1.Game) bool { return g.Name != name }); len(r.Games) == 0 {
					text := fmt.Sprintf("there is no game %s (see: channeld games)", clean(name))
					if !running {
						text += ", unless a daemon knows it; but " + a.explain(err)
					}
					return errors.New(text)
				}
			}
			return api.print(r, func() {
				for _, g := range r.Games {
					api.printGame(g, len(args) > 0)
					if running && g.Rules == "" {
						api.printf("  (its rules contract is not set, see the games section of the settings: it can't be played)\n")
					}
				}
			})
		})}
}

// shipped returns the games that come with this program, as a daemon lists them that knows of no
// contract.
func (a *app) shipped() *antev1.ListGamesResponse {
	return &antev1.ListGamesResponse{Games: api.Games(a.Games, nil)}
}

// printGame prints what a game is and its parameters, and how it is played if that is wanted.
func (api *remote) printGame(g *antev1.Game, guide bool) {
	api.printf("%s: %s\n", g.Name, g.Summary)
	if guide && g.Guide != "" {
		api.printf("\n%s\n", strings.TrimSpace(g.Guide))
		if len(g.Parameters) > 0 {
			api.printf("\n")
		}
	}
	for _, p := range g.Parameters {
		api.printf("  %s=%s  %s\n", p.Name, p.DefaultJson, p.Help)
	}
}

func matchCommand(a *app) *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Your matches and what others propose", Args: cobra.NoArgs}
	request := new(antev1.ListMatchesRequest)
	list.Flags().BoolVar(&request.Booked, "all", false, "those that are paid, too")
	list.RunE = a.client(func(api *remote, _ []string) error { return listMatches(api, request) })
	show := &cobra.Command{Use: "show [MATCH]", Short: "Look at a match", Args: cobra.MaximumNArgs(1), RunE: about(a, pickMatch, showMatch)}
	bot := &cobra.Command{Use: "bot on|off [MATCH]", Short: "Let a bot play a match for you", Args: cobra.RangeArgs(1, 2),
		RunE: a.client(setBot)}
	return group(&cobra.Command{Use: "match", Short: "Propose matches, answer proposals, look at matches", RunE: list.RunE},
		proposeCommand(a), takeBackCommand(a), approveCommand(a), rejectCommand(a), list, show, bot)
}

func listMatches(api *remote, request *antev1.ListMatchesRequest) error {
	list, err := api.proposals()
	if err != nil {
		return err
	}
	return show(api, api.ListMatches, request, func(r *antev1.ListMatchesResponse) {
		if len(r.Matches) > 0 {
			table(api.Out, "MATCH\tGAME\tSTATUS\tSTAKES BY SEAT\tTURN\tCHANNEL\tWITH", r.Matches, func(m *antev1.Match) []any {
				status := matchStatus(m)
				if m.Status == antev1.MatchStatus_MATCH_STATUS_OVER {
					status += ", not paid yet"
				}
				return []any{short(m.Id), m.Game, status, api.monies(m.Stakes, m.Asset), m.Turn, short(m.ChannelId), others(m.Players)}
			})
		} else if len(list.asked)+len(list.mine) == 0 {
			api.printf("there is no match (propose one: channeld match propose mastermind 0.1eth)\n")
		}
		for _, p := range list.asked {
			for _, m := range p.Matches {
				api.printf("%s: channeld match approve %s --version %d\n", api.proposed(p, m), short(p.ChannelId), p.Version)
			}
		}
		for _, p := range list.mine {
			waits := "for an answer"
			if slices.ContainsFunc(list.asked, func(asked *antev1.Proposal) bool { return asked.ChannelId == p.ChannelId }) {
				waits = "until you have answered theirs" // one is asked about at a time
			}
			for _, m := range p.Matches {
				api.printf("%s: waits %s\n", api.proposed(p, m), waits)
				waits = "until what is before it is answered"
			}
		}
		for _, p := range list.refused {
			api.printf("%s  %s\n", clockTime(p.Time), api.refusal(p))
		}
	})
}

const chance = -2 // the mover of a match where it is the chain's move

func matchStatus(m *antev1.Match) string {
	status := enum(m.Status, "MATCH_STATUS_")
	switch {
	case m.Frozen && !ended(m):
		status += ", frozen"
	case m.YourTurn:
		status += ", your turn"
	case m.Waiting != nil && len(m.Waiting.Seats) == 0:
		status += ", " + clean(m.Waiting.Text)
	case m.Status == antev1.MatchStatus_MATCH_STATUS_RUNNING && m.Bot:
		status += ", the bot plays"
	}
	if m.Deadline > 0 {
		status += fmt.Sprintf(", on-chain clock until %d", m.Deadline)
	}
	if !ended(m) && !m.Frozen && len(drawsForYou(m)) > 0 {
		status += ", an end is offered"
	}
	return status
}

func showMatch(api *remote, m *antev1.Match, _ []string) error {
	return show(api, api.GetMatch, &antev1.GetMatchRequest{MatchId: m.Id}, func(r *antev1.GetMatchResponse) {
		api.printMatch(r)
		if m := r.Match; m.Deadline > 0 || m.Waiting != nil {
			api.printf("%s\n", api.clock(m, time.Now(), api.arena()))
			if leaves(m) {
				api.printf("with that the daemon also %s\n", closesAlone)
			}
		} else if who := absent(m); who != "" {
			api.printf("%s is away: what you play reaches %[1]s once the connection is back; play on, as the other daemon may start your clock on the chain\n", who)
		}
	})
}

// printMatch prints a match as its player sees it.
func (api *remote) printMatch(r *antev1.GetMatchResponse) {
	m := r.Match
	api.printf("%s\n", api.folded(fmt.Sprintf("%s %s, %s; with %s, you are seat %d", m.Game, short(m.Id), matchStatus(m), others(m.Players), m.Seat)))
	api.printf("%s\n", api.picture(r.View))
	if r.Recall != "" {
		api.printf("yours: %s\n", cleanLines(r.Recall))
	}
	if m.Frozen && !ended(m) {
		api.printf("%s\n", api.folded("frozen, as its channel is: your daemon signs no move and no draw in it. What ends it is the other player, or the chain's "+
			"clock; what to do: "+api.hinted("channeld dispute exit")+" "+short(m.ChannelId)))
	}
	if !ended(m) && !m.Frozen {
		for _, d := range drawsForYou(m) {
			api.printf("%s\n", api.drawOffered(m, d))
		}
	}
	if len(m.Payouts) > 0 {
		api.printf("payouts by seat: %s; yours is %s\n", api.monies(m.Payouts, m.Asset), api.money(m.Payouts[m.Seat], m.Asset))
	}
	if len(m.Guilty) > 0 {
		api.printf("%s cheated: %s\n", cheats(m), clean(m.Reason))
	}
}

// cheats names the seats of a match that cheated.
func cheats(m *antev1.Match) string {
	names := make([]string, len(m.Guilty))
	for i, seat := range m.Guilty {
		names[i] = "you"
		if seat != m.Seat {
			names[i] = fmt.Sprintf("%s (seat %d)", seatName(m, int32(seat)), seat) //nolint:gosec // seats are few
		}
	}
	return strings.Join(names, ", ")
}

func ended(m *antev1.Match) bool {
	return m.Status == antev1.MatchStatus_MATCH_STATUS_OVER || m.Status == antev1.MatchStatus_MATCH_STATUS_BOOKED
}

func setBot(api *remote, args []string) error {
	if args[0] != "on" && args[0] != "off" {
		return fmt.Errorf("%q: say on or off", args[0])
	}
	m, err := pickRunning(api, first(args[1:]))
	if err != nil {
		return err
	}
	return act(api, api.SetBot, &antev1.SetBotRequest{MatchId: m.Id, On: args[0] == "on"}, "the bot is %s\n", args[0])
}

// pickMatch finds a match: one that is paid only by its id.
func pickMatch(api *remote, typed string) (*antev1.Match, error) {
	r, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{Booked: typed != ""})
	if err != nil {
		return nil, err
	}
	return pick(r.Matches, (*antev1.Match).GetId, typed, "match", "channeld match list")
}

// pickRunning finds a match that is not over.
func pickRunning(api *remote, typed string) (*antev1.Match, error) {
	r, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{})
	if err != nil {
		return nil, err
	}
	r.Matches = slices.DeleteFunc(r.Matches, func(m *antev1.Match) bool { return m.Status == antev1.MatchStatus_MATCH_STATUS_OVER })
	m, err := pick(r.Matches, (*antev1.Match).GetId, typed, "match", "channeld match list")
	if typed != "" && errors.Is(err, errNone) {
		if over, e := pickMatch(api, typed); e == nil {
			err = fmt.Errorf("match %s is over (see: channeld match show %[1]s, or channeld history %[1]s)", short(over.Id))
		}
	}
	return m, err
}
