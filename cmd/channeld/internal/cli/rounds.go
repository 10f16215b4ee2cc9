package cli

import (
	"cmp"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// What the commands about rounds and those about tables share. A table is a round that is not
// shuffled.

// listRounds prints the rounds or the tables; of a house, if one is typed.
func listRounds(tables bool, print func(*remote, []*antev1.RoundInfo)) func(*remote, []string) error {
	return func(api *remote, args []string) error {
		r, err := rounds(api, first(args), tables)
		if err != nil {
			return err
		}
		return api.print(r, func() { print(api, r.Rounds) })
	}
}

// showRound prints a round or table.
func showRound(print func(*remote, *antev1.RoundInfo)) func(*remote, *antev1.RoundInfo, []string) error {
	return func(api *remote, x *antev1.RoundInfo, _ []string) error {
		return api.print(x, func() { print(api, x) })
	}
}

// verifyRound prints a round or table after the daemon has checked it.
func verifyRound(print func(*remote, *antev1.VerifyRoundResponse)) func(*remote, *antev1.RoundInfo, []string) error {
	return func(api *remote, x *antev1.RoundInfo, _ []string) error {
		return show(api, api.VerifyRound, &antev1.VerifyRoundRequest{RoundId: x.Id},
			func(r *antev1.VerifyRoundResponse) { print(api, r) })
	}
}

// limits reads what a player stakes at least and, if it is typed, at most.
func (api *remote) limits(request *antev1.OpenRoundRequest, args []string) (err error) {
	for i, to := range []*string{&request.Least, &request.Most}[:len(args)] {
		if *to, err = api.parse(args[i], request.Asset); err != nil {
			return err
		}
	}
	return nil
}

// ownAccount is what others type for the house that this is.
func (api *remote) ownAccount() string {
	s, err := call(api, api.GetStatus, new(antev1.GetStatusRequest))
	if err != nil {
		return "YOUR-ACCOUNT"
	}
	return s.Account
}

// againFlag adds the flag that has more rounds follow a round or table.
func againFlag(cmd *cobra.Command, request *antev1.OpenRoundRequest, what string) {
	cmd.Flags().Uint32Var(&request.Again, "again", 0, "how many more like it follow by themselves, each when the time of the "+what+" before it is over (see: channeld "+what+" stop)")
}

// stopCommand ends that others follow a round or table by themselves.
func stopCommand(a *app, what string, find func(*remote, string) (*antev1.RoundInfo, error)) *cobra.Command {
	return &cobra.Command{Use: "stop [" + strings.ToUpper(what) + "]", Short: "Let no other " + what + " follow one of yours by itself", Args: cobra.MaximumNArgs(1),
		Long: "Let no other " + what + " follow one of yours by itself. The " + what + " itself goes on: its players have registered.",
		RunE: about(a, find, func(api *remote, x *antev1.RoundInfo, _ []string) error {
			return show(api, api.StopRound, &antev1.StopRoundRequest{RoundId: x.Id}, func(*antev1.StopRoundResponse) {
				api.printf("no other follows %s %s by itself\n", what, short(x.Id))
			})
		})}
}

// follows says how many more follow a round or table by themselves, if any.
func (api *remote) follows(x *antev1.RoundInfo) {
	if x.Again > 0 {
		api.printf("%d more like it follow by themselves\n", x.Again)
	}
}

// own is what the player stakes in a round, empty if it is not registered.
func (api *remote) own(x *antev1.RoundInfo) string {
	if x.Stake == "" {
		return ""
	}
	return api.money(x.Stake, x.Asset)
}

// trouble prints why the player does not play in a round, if so.
func (api *remote) trouble(x *antev1.RoundInfo) {
	if x.Trouble != "" {
		api.printf("you don't play: %s\n", clean(x.Trouble))
	}
}

// reviewRound shows a round, and asks: another whose name begins alike may have taken the place of
// the one that the user saw.
func (api *remote) reviewRound(x *antev1.RoundInfo, typed, stake string, yes bool) error {
	return api.ask(yes || strings.EqualFold(typed, x.Id), "you stake %s: %s takes stakes of %s for %s %s, window %d, until block %d; round or table %s",
		api.money(stake, x.Asset), api.identified(x.House), api.span(x.Least, x.Most, x.Asset), x.Game, clean(x.ParamsJson), x.Window, x.Closes, short(x.Id))
}

// roundStake reads what is staked in a round: the least if none is typed.
func (api *remote) roundStake(x *antev1.RoundInfo, typed string) (string, error) {
	stake, err := api.parse(typed, x.Asset)
	return cmp.Or(stake, x.Least), err
}

// register registers for a round. The line that it prints takes the round's id and the stake.
func register(api *remote, x *antev1.RoundInfo, stake, referrer, line string) error {
	request := &antev1.RegisterRoundRequest{RoundId: x.Id, Stake: stake, Referrer: referrer}
	return show(api, api.RegisterRound, request, func(*antev1.RegisterRoundResponse) {
		api.printf(line, short(x.Id), api.money(request.Stake, x.Asset))
	})
}

// rounds returns the rounds or the tables; of a house, if one is typed.
func rounds(api *remote, house string, tables bool) (*antev1.ListRoundsResponse, error) {
	request := new(antev1.ListRoundsRequest)
	if house != "" {
		var err error
		if request.House, err = account(api, house); err != nil {
			return nil, err
		}
	}
	r, err := call(api, api.ListRounds, request)
	if err != nil {
		return nil, err
	}
	r.Rounds = slices.DeleteFunc(r.Rounds, func(x *antev1.RoundInfo) bool { return (x.Shuffle == 0) != tables })
	return r, nil
}

func pickRound(api *remote, typed string) (*antev1.RoundInfo, error) {
	return pickOrganised(api, typed, false, "round")
}

func pickTable(api *remote, typed string) (*antev1.RoundInfo, error) {
	return pickOrganised(api, typed, true, "table")
}

func pickOrganised(api *remote, typed string, tables bool, what string) (*antev1.RoundInfo, error) {
	r, err := rounds(api, "", tables)
	if err != nil {
		return nil, err
	}
	return pick(r.Rounds, (*antev1.RoundInfo).GetId, typed, what, "channeld "+what+" list HOUSE")
}
