package cli

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func roundCommand(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "round", Short: "Organised rounds of Split or steal",
		Long: "A house takes bets until a block, and pairs the players by the hash of a later block, which nobody can choose.\n" +
			"Each pair plays one match with the house. A player's daemon checks the draw, and plays nothing else for the bet."},
		openRoundCommand(a), stopCommand(a, "round", pickRound),
		registerCommand(a),
		&cobra.Command{Use: "show [ROUND]", Short: "Show a round: its bets, pairs and matrices", Args: cobra.MaximumNArgs(1),
			RunE: about(a, pickRound, showRound((*remote).printRound))},
		&cobra.Command{Use: "verify [ROUND]", Short: "Check a round's signatures and, on the chain, its draw", Args: cobra.MaximumNArgs(1),
			RunE: about(a, pickRound, verifyRound((*remote).printCheckedRound))},
		&cobra.Command{Use: "list [HOUSE]", Short: "Show rounds, or ask a house for its rounds", Args: cobra.MaximumNArgs(1),
			RunE: a.client(listRounds(false, (*remote).printRounds))},
	)
}

func registerCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "register ROUND BET", Short: "Bet in a round", Args: cobra.ExactArgs(2),
		Long: "Bet in a round. Nothing is locked until you are drawn and have had the round's time to study the matrix (channeld\n" +
			"round show); then your daemon opens the channel with the house and your opponent and starts the match by itself. Then choose to split or steal (channeld play).\n" +
			"With a part of a round's name you are shown what it says, and asked."}
	yes := yesFlag(cmd)
	cmd.RunE = about(a, pickRound, func(api *remote, x *antev1.RoundInfo, rest []string) error {
		stake, err := api.roundStake(x, rest[0])
		if err != nil {
			return err
		}
		if err := api.reviewRound(x, cmd.Flags().Arg(0), stake, *yes); err != nil {
			return err
		}
		return register(api, x, stake, "", "you bet %[2]s in round %[1]s\n")
	})
	return cmd
}

func openRoundCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "open LEAST MOST", Short: "Open a round, with you as the house", Args: cobra.ExactArgs(2),
		Long: "Open a round, with you as the house, for bets of LEAST to MOST. Two splitters get more than they bet: you pay that in\n" +
			"advance to pairs of accounts that you name, and to others out of what your earlier rounds have earned.",
		Example: "  channeld round open 0.01eth 0.5eth --blocks 100 --named 0x7099 --named 0x3c44"}
	request := &antev1.OpenRoundRequest{Game: splitsteal.Name}
	flags := cmd.Flags()
	flags.Uint64Var(&request.Blocks, "blocks", 100, "blocks until registration closes")
	flags.Uint64Var(&request.Pause, "pause", 5, "blocks from then to the one that shuffles: players must get the sealed list in between")
	flags.Uint64Var(&request.Study, "study", 20, "blocks from then on in which no pair begins, so that it can study its matrix")
	flags.Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, in the channels (default: the configured one)")
	againFlag(cmd, request, "round")
	assetFlag(cmd, &request.Asset)
	named := flags.StringSlice("named", nil, "players whose pairs you pay the subsidy in advance")
	params := flags.StringSlice("param", nil, "a parameter of the matrix, name=value (see: channeld games)")
	yes := yesFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) error {
		object, err := games.ParamsObject(*params)
		if err != nil {
			return err
		}
		request.ParamsJson = string(object)
		if err := api.limits(request, args); err != nil {
			return err
		}
		if request.Named, err = players(api, *named, *yes); err != nil {
			return err
		}
		if len(*named) == 0 {
			if err := a.ask(*yes, "you name no players: a pair plays only if your earlier rounds have earned its subsidy, and nobody does in your first (see --named)"); err != nil {
				return err
			}
		}
		return show(api, api.OpenRound, request, func(r *antev1.OpenRoundResponse) {
			api.printf("round %s is open; players see it by: channeld round list %s\n", short(r.RoundId), api.ownAccount())
		})
	})
	return cmd
}

// roundState is how far a round is: over when its pairs are, as far as they are known here. Of the
// pairs of others a player learns only that they are drawn.
func roundState(x *antev1.RoundInfo) string {
	over := 0
	for _, g := range x.Groups {
		if g.State == "done" || g.State == "dropped" {
			over++
		}
	}
	if over == 0 || x.Mine && over < len(x.Groups) {
		return x.State
	}
	return "over"
}

func (api *remote) printRounds(list []*antev1.RoundInfo) {
	table(api.Out, "ROUND\tHOUSE\tSTATE\tBETS\tCLOSES AT BLOCK\tPLAYERS\tYOUR BET\tNOTE", list, func(x *antev1.RoundInfo) []any {
		return []any{short(x.Id), api.called(x.House), roundState(x), api.span(x.Least, x.Most, x.Asset), x.Closes, len(x.Entries), api.own(x), clean(x.Trouble)}
	})
}

func (api *remote) printRound(x *antev1.RoundInfo) {
	api.printf("round %s of %s is %s; closes at block %d, shuffled by block %d, then %s to study; %s\n", short(x.Id), api.called(x.House), roundState(x), x.Closes, x.Shuffle,
		plural(x.Study, "blocks"), clean(x.ParamsJson))
	if x.StudyLeft > 0 {
		api.printf("the pairs have %s left to study their matrices; then the channels are opened\n", plural(x.StudyLeft, "blocks"))
	}
	api.follows(x)
	api.trouble(x)
	table(api.Out, "PLAYER\tBET", x.Entries, func(e *antev1.RoundEntryInfo) []any {
		return []any{api.identified(e.Player), api.money(e.Stake, x.Asset)}
	})
	for i, g := range x.Groups {
		api.printf("\npair %d: %s (X) and %s (Y): %s %s\n%s", i+1, api.identified(g.Players[0].Player), api.identified(g.Players[1].Player), g.State, clean(g.Reason), cleanLines(g.Matrix))
	}
}

// printCheckedRound prints a round whose signatures and draw were checked.
func (api *remote) printCheckedRound(r *antev1.VerifyRoundResponse) {
	x := r.Round
	api.printRound(x)
	api.printf("everything checked: the house's signature, %d bets by their players, limits", len(x.Entries))
	if x.State != "open" && x.State != "closed" {
		api.printf(", the sealed list")
	}
	if x.State == "drawn" {
		api.printf(", and the pairs by the hash of block %d", x.Shuffle)
	}
	api.printf("\n")
}
