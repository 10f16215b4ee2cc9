package cli

import (
	"fmt"
	"io"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) roundCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "round", Short: "Organised rounds of Split or steal", Args: cobra.NoArgs,
		Long: "A house takes bets until a block, and groups the players in twos by the hash of a later block, which nobody can choose.\n" +
			"Each two play one match with the house. A player's daemon checks the draw, and plays nothing else for its bet.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	cmd.AddCommand(a.roundOpenCommand(), a.roundRegisterCommand(), a.showRoundCommand(false, "Show a round: its bets, pairs and matrices", showRound),
		a.verifyRoundCommand(false, "Check a round's signatures and, on the chain, its draw", roundChecked),
		a.listRoundsCommand(false, "Show rounds; ask a house for its", func(w io.Writer, u *units, list []*antev1.RoundInfo) {
			rows := make([][]string, len(list))
			for i, x := range list {
				rows[i] = []string{short(x.Id), short(x.House), x.State, u.span(x.Least, x.Most, x.Asset),
					fmt.Sprint(x.Closes), fmt.Sprint(len(x.Entries)), own(u, x), clean(x.Trouble)}
			}
			table(w, []string{"ROUND", "HOUSE", "STATE", "BETS", "CLOSES AT BLOCK", "PLAYERS", "YOUR BET", "NOTE"}, rows)
		}))
	return cmd
}

func (a *app) roundOpenCommand() *cobra.Command {
	request := &antev1.OpenRoundRequest{Game: splitsteal.Name}
	var params, named []string
	var asset *string
	var yes *bool
	cmd := &cobra.Command{Use: "open LEAST MOST", Short: "Open a round, with you as the house", Args: cobra.ExactArgs(2),
		Long: "Open a round, with you as the house, for bets of LEAST to MOST. Two splitters get more than they bet: you pay that in\n" +
			"advance to pairs of accounts that you name, and to others out of what your earlier rounds have earned.",
		Example: "  channeld round open 0.01eth 0.5eth --blocks 100 --named 0x7099 --named 0x3c44",
		RunE: func(c *cobra.Command, args []string) error {
			object, err := games.ParamsObject(params)
			if err != nil {
				return err
			}
			request.ParamsJson, request.Asset = string(object), *asset
			api := a.client(c.Context())
			if err := limits(request, api.units, args); err != nil {
				return err
			}
			if request.Named, err = players(api, named); err != nil {
				return err
			}
			if len(named) == 0 {
				if err := a.ask(*yes, "you name no players: a pair plays only if your earlier rounds have earned its subsidy, and nobody does in your first (see --named)"); err != nil {
					return err
				}
			}
			r, err := call(api, api.OpenRound, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintf(w, "round %s is open; players see it by: channeld round list YOUR-ACCOUNT\n", short(r.RoundId))
			})
		}}
	cmd.Flags().Uint64Var(&request.Blocks, "blocks", 100, "blocks until registration closes")
	cmd.Flags().Uint64Var(&request.Pause, "pause", 5, "blocks from then to the one that shuffles: players must get the sealed list in between")
	cmd.Flags().Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, in the channels (default: the configured one)")
	cmd.Flags().StringSliceVar(&named, "named", nil, "players whose pairs you pay the subsidy in advance")
	cmd.Flags().StringSliceVar(&params, "param", nil, "a parameter of the matrix, name=value (see: channeld games)")
	asset, yes = assetFlag(cmd), yesFlag(cmd)
	return cmd
}

func (a *app) roundRegisterCommand() *cobra.Command {
	return &cobra.Command{Use: "register ROUND BET", Short: "Bet in a round", Args: cobra.ExactArgs(2),
		Long: "Bet in a round. Nothing is locked until you are drawn; then your daemon opens the channel with the house and your\n" +
			"opponent and starts the match by itself. The choice is asked of you then (channeld play).",
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickRound(api, args[0], false)
			if err != nil {
				return err
			}
			r, stake, err := register(api, x, args[1], "")
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "you bet %s in round %s\n", stake, short(x.Id)) })
		}}
}

func showRound(w io.Writer, u *units, x *antev1.RoundInfo) {
	fmt.Fprintf(w, "round %s of %s is %s; closes at block %d, shuffled by block %d; %s\n", short(x.Id), short(x.House), x.State, x.Closes, x.Shuffle, x.ParamsJson)
	if x.Trouble != "" {
		fmt.Fprintf(w, "you don't play: %s\n", clean(x.Trouble))
	}
	rows := make([][]string, len(x.Entries))
	for i, e := range x.Entries {
		rows[i] = []string{e.Player, u.money(e.Stake, x.Asset)}
	}
	table(w, []string{"PLAYER", "BET"}, rows)
	for i, g := range x.Groups {
		fmt.Fprintf(w, "\npair %d: %s (X) and %s (Y): %s %s\n%s", i+1, g.Players[0].Player, g.Players[1].Player, g.State, clean(g.Reason), g.Matrix)
	}
}

// roundChecked shows a round whose signatures and draw were checked.
func roundChecked(w io.Writer, u *units, x *antev1.RoundInfo) {
	showRound(w, u, x)
	fmt.Fprintf(w, "everything checked: the house's signature, %d bets by their players, limits", len(x.Entries))
	if x.State != "open" {
		fmt.Fprint(w, ", the sealed list")
	}
	if x.State == "drawn" {
		fmt.Fprintf(w, ", and the pairs by the hash of block %d", x.Shuffle)
	}
	fmt.Fprintln(w)
}
