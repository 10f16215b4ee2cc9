package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
)

func (a *app) tableCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "table", Short: "Tables of Box 9", Args: cobra.NoArgs,
		Long: "A house announces a table; players sit down, each with a stake and, if somebody brought them, a referrer. When registration is\n" +
			"over, or the table is full, the house opens one channel with all of them and the match starts. A player's daemon accepts\n" +
			"nothing but what was announced. Bets are asked of you then (channeld play), or a bot makes them (play.bot).",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	cmd.AddCommand(a.tableAnnounceCommand(), a.listRoundsCommand(true, "Show tables; ask a house for its", func(w io.Writer, u *units, list []*antev1.RoundInfo) {
		rows := make([][]string, len(list))
		for i, x := range list {
			rows[i] = []string{short(x.Id), short(x.House), tableState(x), priceOf(u, x), boxes(x).Rounds.String(), u.span(x.Least, x.Most, x.Asset),
				fmt.Sprint(x.Closes), fmt.Sprintf("%d of %d", len(x.Entries), x.Seats), own(u, x), clean(x.Trouble)}
		}
		table(w, []string{"TABLE", "HOUSE", "STATE", "A BOX", "ROUNDS", "STAKES", "CLOSES AT BLOCK", "PLAYERS", "YOUR STAKE", "NOTE"}, rows)
	}), a.tableSitCommand(), a.tableLeaveCommand(),
		a.showRoundCommand(true, "Show a table: who sits there, and how far it is", showTable), a.verifyRoundCommand(true,
			"Check a table's signatures, limits and seats", func(w io.Writer, u *units, x *antev1.RoundInfo) {
				showTable(w, u, x)
				fmt.Fprintf(w, "everything checked: the house's signature, %d registrations by their players, limits, referrers and seats\n", len(x.Entries))
			}))
	return cmd
}

func (a *app) tableAnnounceCommand() *cobra.Command {
	request := &antev1.OpenRoundRequest{Game: box9.GameName}
	var params []string
	var prices []uint
	var asset *string
	cmd := &cobra.Command{Use: "announce STAKE [MOST]", Short: "Announce tables, with you as the house", Args: cobra.RangeArgs(1, 2),
		Long: "Announce tables, with you as the house, for players who stake STAKE, or up to MOST: one for each price of a box. You stake\n" +
			"nothing: you get what is left of the bets when the prizes are paid.",
		Example: "  channeld table announce 0.1eth                 # the five usual prices\n" +
			"  channeld table announce 0.1eth 1eth --price 25 --players 5 --param rounds=20",
		RunE: func(c *cobra.Command, args []string) error {
			request.Asset = *asset
			api := a.client(c.Context())
			if err := limits(request, api.units, args); err != nil {
				return err
			}
			for _, price := range prices {
				object, err := games.ParamsObject(append(params[:len(params):len(params)], "price="+strconv.FormatUint(uint64(price), 10)))
				if err != nil {
					return err
				}
				request.ParamsJson = string(object)
				r, err := call(api, api.OpenRound, request)
				if err != nil {
					return err
				}
				if err := a.show(r, func(w io.Writer) {
					fmt.Fprintf(w, "table %s is open at %d coins a box; players see it by: channeld table list YOUR-ACCOUNT\n", short(r.RoundId), price)
				}); err != nil {
					return err
				}
			}
			return nil
		}}
	cmd.Flags().UintSliceVar(&prices, "price", box9.Prices(), "price of a box in coins: one table for each")
	cmd.Flags().Uint64Var(&request.Blocks, "blocks", 100, "blocks until registration closes, if the table is not full before")
	cmd.Flags().Uint32Var(&request.Fewest, "fewest", 1, "players without whom nothing is opened")
	cmd.Flags().Uint32Var(&request.Seats, "players", 0, "the most players (default: 15)")
	cmd.Flags().Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, in the channel (default: the configured one)")
	cmd.Flags().StringSliceVar(&params, "param", nil, "another parameter of the game, name=value, such as rounds or coin (see: channeld games)")
	asset = assetFlag(cmd)
	return cmd
}

// boxes reads the parameters of a table. What can't be read is shown as nothing.
func boxes(x *antev1.RoundInfo) (p struct{ Rounds, Price, Coin json.Number }) {
	_ = json.Unmarshal([]byte(x.ParamsJson), &p)
	return p
}

// priceOf is what a box costs at a table: in coins, and in money.
func priceOf(u *units, x *antev1.RoundInfo) string {
	p := boxes(x)
	coins, err := uint256.FromDecimal(p.Price.String())
	if err != nil {
		return ""
	}
	coin, err := uint256.FromDecimal(p.Coin.String())
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s coins (%s)", p.Price, u.money(coins.Mul(coins, coin).Dec(), x.Asset))
}

// tableState is how far a table is.
func tableState(x *antev1.RoundInfo) string {
	if len(x.Groups) == 0 {
		return x.State
	}
	return x.Groups[0].State
}

func (a *app) tableSitCommand() *cobra.Command {
	var referrer string
	cmd := &cobra.Command{Use: "sit TABLE [STAKE]", Short: "Sit down at a table", Args: cobra.RangeArgs(1, 2),
		Long: "Sit down at a table, once, with a stake (default: the least). Nothing is locked until the table is seated; then your daemon\n" +
			"opens the channel with the house and the others and starts the match by itself. The referrer gets a hundredth of your bets,\n" +
			"to bet with; it must sit at the table already. Without one the house gets it.",
		Example: "  channeld table sit 0x3f8a 0.2eth --referrer 0x7099",
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickRound(api, args[0], true)
			if err != nil {
				return err
			}
			if referrer != "" {
				if referrer, err = account(api, referrer); err != nil {
					return err
				}
			}
			r, stake, err := register(api, x, first(args[1:]), referrer)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "you sit at table %s with %s\n", short(x.Id), stake) })
		}}
	cmd.Flags().StringVar(&referrer, "referrer", "", "who brought you: a player who sits there")
	return cmd
}

func (a *app) tableLeaveCommand() *cobra.Command {
	return &cobra.Command{Use: "leave [TABLE]", Short: "Bet no more at a table", Args: cobra.MaximumNArgs(1),
		Long: "Bet no more at a table. That costs nothing: rounds without a bet of yours pass you by, and when the match is over you are paid\n" +
			"what you have. Keep your daemon running until then: it signs the rounds of the others, which saves everybody's gas.",
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickRound(api, first(args), true)
			if err != nil {
				return err
			}
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
				return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "you bet no more at table %s\n", short(x.Id)) })
			}
			return fmt.Errorf("nothing is being played at table %s", short(x.Id))
		}}
}

func showTable(w io.Writer, u *units, x *antev1.RoundInfo) {
	fmt.Fprintf(w, "table %s of %s is %s; a box is %s, %s rounds; %d to %d players; registration closes at block %d\n", short(x.Id), short(x.House),
		tableState(x), priceOf(u, x), boxes(x).Rounds, x.Fewest, x.Seats, x.Closes)
	if x.Trouble != "" {
		fmt.Fprintf(w, "you don't play: %s\n", clean(x.Trouble))
	}
	seats := map[string]string{}
	for _, g := range x.Groups {
		for i, e := range g.Players {
			seats[e.Player] = strconv.Itoa(i + 1)
		}
		if g.Reason != "" {
			fmt.Fprintln(w, clean(g.Reason))
		}
		if g.ChannelId != "" {
			fmt.Fprintf(w, "channel %s\n", short(g.ChannelId))
		}
	}
	rows := make([][]string, len(x.Entries))
	for i, e := range x.Entries {
		rows[i] = []string{seats[e.Player], e.Player, u.money(e.Stake, x.Asset), e.Referrer}
	}
	table(w, []string{"SEAT", "PLAYER", "STAKE", "REFERRED BY"}, rows)
}
