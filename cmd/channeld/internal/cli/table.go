package cli

import (
	"encoding/json"
	"fmt"
	"strconv"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
)

func tableCommand(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "table", Short: "Tables of Box 9",
		Long: "A house announces a table; players sit down, each with a stake and, if somebody brought them, a referrer. When registration is\n" +
			"over, or the table is full, the house opens one channel with all of them and the match starts. A player's daemon accepts\n" +
			"nothing but what was announced. Then you bet (channeld play), or a bot does (play.bot)."},
		announceCommand(a), stopCommand(a, "table", pickTable), sitCommand(a),
		&cobra.Command{Use: "leave [TABLE]", Short: "Bet no more at a table", Args: cobra.MaximumNArgs(1), RunE: about(a, pickTable, leaveTable),
			Long: "Bet no more at a table. That costs nothing: you sit out the other rounds, and when the match is over you are paid\n" +
				"what you have. Keep your daemon running until then: it signs the rounds of the others, which saves everybody's gas."},
		&cobra.Command{Use: "show [TABLE]", Short: "Show a table, its players and its state", Args: cobra.MaximumNArgs(1),
			RunE: about(a, pickTable, showRound((*remote).printTable))},
		&cobra.Command{Use: "verify [TABLE]", Short: "Check a table's signatures, limits and seats, and its draws on the chain", Args: cobra.MaximumNArgs(1),
			RunE: about(a, pickTable, verifyRound((*remote).printCheckedTable))},
		&cobra.Command{Use: "list [HOUSE]", Short: "Show tables, or ask a house for its tables", Args: cobra.MaximumNArgs(1),
			RunE: a.client(listRounds(true, (*remote).printTables))},
	)
}

func announceCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "announce STAKE [MOST]", Short: "Announce tables, with you as the house", Args: cobra.RangeArgs(1, 2),
		Long: "Announce tables, with you as the house, for players who stake STAKE, or up to MOST: one for each price of a box. You stake\n" +
			"nothing: you get what is left of the bets when the prizes are paid.",
		Example: "  channeld table announce 0.1eth                 # the five usual prices\n" +
			"  channeld table announce 0.1eth 1eth --price 25 --players 5 --param rounds=20"}
	request := &antev1.OpenRoundRequest{Game: box9.GameName}
	flags := cmd.Flags()
	prices := flags.UintSlice("price", box9.Prices(), "price of a box in coins: one table for each")
	flags.Uint64Var(&request.Blocks, "blocks", 100, "blocks until registration closes, if the table is not full before")
	flags.Uint32Var(&request.Fewest, "fewest", 1, "players without whom nothing is opened")
	flags.Uint32Var(&request.Seats, "players", 0, "the most players (default: 15)")
	flags.Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, in the channel (default: the configured one)")
	params := flags.StringSlice("param", nil, "another parameter of the game, name=value, such as rounds or coin (see: channeld games)")
	againFlag(cmd, request, "table")
	assetFlag(cmd, &request.Asset)
	noQuestion(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) error {
		if err := api.limits(request, args); err != nil {
			return err
		}
		house := api.ownAccount()
		for _, price := range *prices {
			object, err := games.ParamsObject(append(*params, "price="+strconv.FormatUint(uint64(price), 10)))
			if err != nil {
				return err
			}
			request.ParamsJson = string(object)
			if err := show(api, api.OpenRound, request, func(r *antev1.OpenRoundResponse) {
				api.printf("table %s is open at %d coins a box; players see it by: channeld table list %s\n", short(r.RoundId), price, house)
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return cmd
}

func sitCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "sit TABLE [STAKE]", Short: "Sit down at a table", Args: cobra.RangeArgs(1, 2),
		Long: "Sit down at a table, once, with a stake (default: the least). Nothing is locked until the table is seated; then your daemon\n" +
			"opens the channel with the house and the others and starts the match by itself. The referrer gets a hundredth of your bets,\n" +
			"to bet with, and must sit at the table already. Without a referrer the house gets it. With a part of a table's name you are\n" +
			"shown what it says, and asked.",
		Example: "  channeld table sit 0x3f8a 0.2eth --referrer 0x7099"}
	referrer := cmd.Flags().String("referrer", "", "who brought you: a player who sits there")
	yes := yesFlag(cmd)
	cmd.RunE = about(a, pickTable, func(api *remote, x *antev1.RoundInfo, rest []string) error {
		stake, err := api.roundStake(x, first(rest))
		if err != nil {
			return err
		}
		if err := api.reviewRound(x, cmd.Flags().Arg(0), stake, *yes); err != nil {
			return err
		}
		by := *referrer
		if by != "" {
			if by, err = playerMeant(api, by, *yes); err != nil {
				return err
			}
		}
		return register(api, x, stake, by, "you sit at table %s with %s\n")
	})
	return cmd
}

func leaveTable(api *remote, x *antev1.RoundInfo, _ []string) error {
	list, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{})
	if err != nil {
		return err
	}
	for _, m := range list.Matches {
		if len(x.Groups) == 0 || m.ChannelId != x.Groups[0].ChannelId {
			continue
		}
		r, err := call(api, api.SetBot, &antev1.SetBotRequest{MatchId: m.Id})
		if err != nil {
			return err
		}
		// A bet of this round is taken back if it still can be.
		if _, err := call(api, api.Play, &antev1.PlayRequest{MatchId: m.Id, Move: "pass"}); err != nil && connect.CodeOf(err) == connect.CodeUnavailable {
			return err
		}
		return api.print(r, func() { api.printf("you bet no more at table %s\n", short(x.Id)) })
	}
	return fmt.Errorf("nothing is being played at table %s", short(x.Id))
}

// boxes reads the parameters of a table. What can't be read is shown as nothing.
func boxes(x *antev1.RoundInfo) (p struct{ Rounds, Price, Coin json.Number }) {
	_ = json.Unmarshal([]byte(x.ParamsJson), &p)
	return p
}

// priceOf is what a box costs at a table: in coins, and in money.
func (api *remote) priceOf(x *antev1.RoundInfo) string {
	p := boxes(x)
	coins, err := uint256.FromDecimal(p.Price.String())
	if err != nil {
		return ""
	}
	coin, err := uint256.FromDecimal(p.Coin.String())
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s coins (%s)", p.Price, api.money(coins.Mul(coins, coin).Dec(), x.Asset))
}

// tableState is how far a table is.
func tableState(x *antev1.RoundInfo) string {
	if len(x.Groups) == 0 {
		return x.State
	}
	return x.Groups[0].State
}

func (api *remote) printTables(list []*antev1.RoundInfo) {
	table(api.Out, "TABLE\tHOUSE\tSTATE\tA BOX\tROUNDS\tSTAKES\tCLOSES AT BLOCK\tPLAYERS\tYOUR STAKE\tNOTE", list, func(x *antev1.RoundInfo) []any {
		return []any{short(x.Id), api.called(x.House), tableState(x), api.priceOf(x), boxes(x).Rounds, api.span(x.Least, x.Most, x.Asset),
			x.Closes, fmt.Sprintf("%d of %d", len(x.Entries), x.Seats), api.own(x), clean(x.Trouble)}
	})
}

func (api *remote) printTable(x *antev1.RoundInfo) {
	api.printf("table %s of %s is %s; a box is %s, %s rounds; %d to %d players; registration closes at block %d\n", short(x.Id), api.called(x.House),
		tableState(x), api.priceOf(x), boxes(x).Rounds, x.Fewest, x.Seats, x.Closes)
	api.follows(x)
	api.trouble(x)
	seats := map[string]string{}
	for _, g := range x.Groups {
		for i, e := range g.Players {
			seats[e.Player] = strconv.Itoa(i + 1)
		}
		if g.Reason != "" {
			api.printf("%s\n", clean(g.Reason))
		}
		if g.ChannelId != "" {
			api.printf("channel %s\n", short(g.ChannelId))
		}
	}
	table(api.Out, "SEAT\tPLAYER\tSTAKE\tREFERRED BY", x.Entries, func(e *antev1.RoundEntryInfo) []any {
		return []any{seats[e.Player], api.identified(e.Player), api.money(e.Stake, x.Asset), api.identified(e.Referrer)}
	})
}

// printCheckedTable prints a table whose signatures, limits, seats and draws were checked.
func (api *remote) printCheckedTable(r *antev1.VerifyRoundResponse) {
	api.printTable(r.Round)
	for _, d := range r.Draws {
		api.printf("round %d: %s\n", d.Round, clean(d.Says))
	}
	if r.Missing != "" {
		api.printf("not all draws could be checked: %s\n", clean(r.Missing))
	}
	api.printf("everything checked: the house's signature, %d registrations by their players, limits, referrers and seats", len(r.Round.Entries))
	if n := len(r.Draws); n > 0 {
		api.printf(", and the draws of %s", plural(uint64(n), "rounds"))
	}
	api.printf("\n")
}
