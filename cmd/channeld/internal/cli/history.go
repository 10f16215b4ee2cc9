package cli

import (
	"cmp"
	"fmt"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func historyCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "history [MATCH]", Short: "Your finished matches, or one of them from its first position to its last", Args: cobra.MaximumNArgs(1)}
	request := new(antev1.ListHistoryRequest)
	cmd.Flags().Uint32Var(&request.Limit, "limit", 20, "how many, newest first; 0: all")
	cmd.Flags().StringVar(&request.Game, "game", "", "only of this game")
	with := cmd.Flags().String("with", "", "only with this player")
	cmd.RunE = a.client(func(api *remote, args []string) (err error) {
		if len(args) > 0 {
			return replay(api, args[0])
		}
		if *with != "" {
			if request.With, err = account(api, *with); err != nil {
				return err
			}
		}
		return show(api, api.ListHistory, request, func(r *antev1.ListHistoryResponse) {
			table(api.Out, "MATCH\tENDED\tGAME\tWITH\tRESULT\tPAID TO YOU", r.Matches, func(f *antev1.FinishedMatch) []any {
				m := f.Match
				paid := ""
				if int(m.Seat) < len(m.Payouts) {
					paid = api.money(m.Payouts[m.Seat], m.Asset)
					if m.Status != antev1.MatchStatus_MATCH_STATUS_BOOKED {
						paid += ", not yet"
					}
				}
				return []any{short(m.Id), clockTime(f.Ended), m.Game, others(m.Players), outcome(f), paid}
			})
			if r.Next != "" {
				api.printf("there are older ones: channeld history --limit 0\n")
			}
		})
	})
	return cmd
}

// outcome says how a match went for the user, and why, if not by the score.
func outcome(f *antev1.FinishedMatch) string {
	went := [...]string{"lost", "draw", "won"}[1+cmp.Compare(f.Result, 0)]
	if f.Match.Reason == "" {
		return went
	}
	return went + ": " + clean(f.Match.Reason)
}

// others names the players but the user.
func others(players []*antev1.Person) string {
	var names []string
	for _, p := range players {
		if !p.Mine {
			names = append(names, called(p.Name, p.Account))
		}
	}
	return strings.Join(names, ", ")
}

// called is what a player is called: by name, else by the beginning of the account.
func called(name, account string) string {
	if name == "" {
		return short(account)
	}
	return clean(name)
}

// replay prints a match, position by position.
func replay(api *remote, typed string) error {
	f, err := pickFinished(api, typed)
	if err != nil {
		return err
	}
	m := f.Match
	return show(api, api.GetReplay, &antev1.GetReplayRequest{MatchId: m.Id}, func(r *antev1.GetReplayResponse) {
		api.printf("%s %s with %s\n", m.Game, short(m.Id), others(m.Players))
		if r.Missing != "" {
			api.printf("%s\n", clean(r.Missing))
		}
		for _, p := range r.Positions {
			api.printf("\n%s\n%s\n", moved(m, p), api.picture(p.View))
		}
	})
}

// pickFinished finds one of the newest finished matches.
func pickFinished(api *remote, typed string) (*antev1.FinishedMatch, error) {
	list, err := call(api, api.ListHistory, &antev1.ListHistoryRequest{Limit: pageSize})
	if err != nil {
		return nil, err
	}
	return pick(list.Matches, func(f *antev1.FinishedMatch) string { return f.Match.Id }, typed, "finished match", "channeld history")
}

// moved says what led to a position.
func moved(m *antev1.Match, p *antev1.ReplayPosition) string {
	who := "the chain"
	switch {
	case p.Mover == -1 && p.Move == "":
		return "the start:"
	case p.Mover == int32(m.Seat): //nolint:gosec // seats are few
		who = "you"
	case p.Mover >= 0:
		who = seatName(m, p.Mover)
	}
	return fmt.Sprintf("turn %s, %s: %s", p.Turn, who, clean(p.Move))
}
