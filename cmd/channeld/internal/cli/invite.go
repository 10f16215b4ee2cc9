package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) inviteCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "invite", Short: "Find an opponent, or be found", Args: cobra.NoArgs,
		Long: "Invites say what match a player would play, and for how much. They are seen by whoever is connected to the player,\n" +
			"and by everybody in a lobby. Nothing is locked until a stake is agreed on; then the match follows by itself, in a\n" +
			"channel that the two have, or in one that is opened for it.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	cmd.AddCommand(a.inviteCreateCommand(), a.inviteListCommand(), a.inviteMineCommand(), a.inviteJoinCommand(), a.inviteBidCommand(), a.inviteCancelCommand())
	return cmd
}

func (a *app) inviteCreateCommand() *cobra.Command {
	request := new(antev1.CreateInviteRequest)
	var most, deposit string
	var guests, params []string
	var life time.Duration
	var asset *string
	cmd := &cobra.Command{Use: "create GAME STAKE", Short: "Invite somebody, or anybody, to play for a stake",
		Example: "  channeld invite create mastermind 0.1eth --deposit 1eth\n  channeld invite create mastermind 0.1eth --most 0.5eth --for 0x7099",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			request.Game, request.Asset, request.Seconds = args[0], *asset, uint64(life/time.Second) //nolint:gosec // the API caps it
			api := a.client(c.Context())
			u := api.units
			for _, m := range []struct {
				text string
				to   *string
			}{{args[1], &request.Least}, {most, &request.Most}, {deposit, &request.Deposit}} {
				var err error
				if *m.to, err = u.parse(m.text, *asset); err != nil {
					return err
				}
			}
			object, err := games.ParamsObject(params)
			if err != nil {
				return err
			}
			request.ParamsJson = string(object)
			if request.Guests, err = players(api, guests); err != nil {
				return err
			}
			r, err := call(api, api.CreateInvite, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintf(w, "invite %s is open; the match follows when somebody joins (see: channeld invite mine)\n", short(r.InviteId))
			})
		}}
	cmd.Flags().StringVar(&most, "most", "", "the largest stake that you take without being asked (default: the same)")
	cmd.Flags().StringVar(&deposit, "deposit", "", "what each locks if a channel is opened, for more matches (default: the stake)")
	cmd.Flags().StringSliceVar(&guests, "for", nil, "players who may join (default: anybody)")
	cmd.Flags().StringSliceVar(&params, "param", nil, "a parameter of the game, name=value (see: channeld games)")
	cmd.Flags().Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, if a channel is opened (default: the configured one)")
	cmd.Flags().DurationVar(&life, "life", time.Hour, "how long it is open, at most a week")
	asset = assetFlag(cmd)
	return cmd
}

func (a *app) inviteListCommand() *cobra.Command {
	var asset *string
	cmd := &cobra.Command{Use: "list [GAME]", Short: "Invites of others that you may join", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.BrowseInvites, &antev1.BrowseInvitesRequest{Game: first(args), Asset: *asset, AnyAsset: *asset == ""})
			if err != nil {
				return err
			}
			u := api.units
			return a.show(r, func(w io.Writer) {
				rows := make([][]string, len(r.Invites))
				for i, x := range r.Invites {
					whom := "anybody"
					if len(x.Guests) > 0 {
						whom = "you"
					}
					rows[i] = []string{short(x.Id), short(x.Player), x.Game, u.span(x.Least, x.Most, x.Asset), whom, clockTime(int64(x.Expiry)), x.ParamsJson} //nolint:gosec // a time
				}
				table(w, []string{"INVITE", "PLAYER", "GAME", "STAKE", "FOR", "UNTIL", "PARAMETERS"}, rows)
			})
		}}
	asset = assetFlag(cmd)
	return cmd
}

func (a *app) inviteMineCommand() *cobra.Command {
	return &cobra.Command{Use: "mine", Short: "Invites that you made or joined, and what is bid for them", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.ListMyInvites, &antev1.ListMyInvitesRequest{})
			if err != nil {
				return err
			}
			u := api.units
			return a.show(r, func(w io.Writer) {
				rows := make([][]string, len(r.Invites))
				for i, x := range r.Invites {
					stake, with := u.span(x.Least, x.Most, x.Asset), short(x.With)
					if x.Stake != "" {
						stake = u.money(x.Stake, x.Asset)
					}
					by := "you"
					if !x.Mine {
						by = short(x.Player)
					}
					rows[i] = []string{short(x.Id), enum(x.Status, "INVITE_STATUS_"), by, x.Game, stake, with, clean(x.Reason)}
				}
				table(w, []string{"INVITE", "STATUS", "BY", "GAME", "STAKE", "WITH", "NOTE"}, rows)
				for _, x := range r.Invites {
					negotiations(w, u, x)
				}
			})
		}}
}

// negotiations prints the negotiations that wait for the user.
func negotiations(w io.Writer, u *units, x *antev1.InviteInfo) {
	for _, b := range x.Negotiations {
		if b.Waits && len(b.Bids) > 0 {
			bid := b.Bids[len(b.Bids)-1]
			fmt.Fprintf(w, "%s bids %s: take it, or say what you would play for: channeld invite bid %s %s\n", b.With, u.money(bid, x.Asset), short(x.Id), u.typed(bid, x.Asset))
		}
	}
}

func (a *app) inviteJoinCommand() *cobra.Command {
	var game string
	var asset *string
	cmd := &cobra.Command{Use: "join INVITE|any [STAKE]", Short: "Join another player's invite, or any that fits",
		Long: "Join another player's invite. A stake that it takes is agreed on at once; another one is a bid, which that player\n" +
			"answers. With \"any\", join one of the public invites that take the stake, by chance.",
		Example: "  channeld invite join 0x3f8a\n  channeld invite join 0x3f8a 0.05eth\n  channeld invite join any 0.1eth --game mastermind",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			request := &antev1.JoinInviteRequest{Game: game, Asset: *asset}
			api := a.client(c.Context())
			of := *asset
			if args[0] != "any" {
				x, err := pickShown(api, args[0])
				if err != nil {
					return err
				}
				request.InviteId, of = x.Id, x.Asset
			}
			var err error
			if request.Stake, err = api.units.parse(first(args[1:]), of); err != nil {
				return err
			}
			r, err := call(api, api.JoinInvite, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				fmt.Fprintf(w, "joining %s; the match follows once the stake is agreed on (see: channeld invite mine)\n", short(r.InviteId))
			})
		}}
	cmd.Flags().StringVar(&game, "game", "", "any: of this game only")
	asset = assetFlag(cmd)
	return cmd
}

func pickShown(api *remote, typed string) (*antev1.InviteInfo, error) {
	r, err := call(api, api.BrowseInvites, &antev1.BrowseInvitesRequest{AnyAsset: true})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(r.Invites))
	byID := map[string]*antev1.InviteInfo{}
	for i, x := range r.Invites {
		ids[i], byID[x.Id] = x.Id, x
	}
	id, err := pick(ids, typed, "invite", "channeld invite list")
	return byID[id], err
}

func (a *app) inviteBidCommand() *cobra.Command {
	var with string
	cmd := &cobra.Command{Use: "bid INVITE STAKE", Short: "Say what you would play for; what the other side bid last fixes it", Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickInvite(api, args[0])
			if err != nil {
				return err
			}
			stake, err := api.units.parse(args[1], x.Asset)
			if err != nil {
				return err
			}
			var waiting []string
			for _, b := range x.Negotiations {
				if b.Waits {
					waiting = append(waiting, b.With)
				}
			}
			other, err := pick(waiting, with, "player who waits for your bid", "channeld invite mine")
			if err != nil {
				return err
			}
			r, err := call(api, api.PlaceBid, &antev1.PlaceBidRequest{InviteId: x.Id, With: other, Stake: stake})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "bid sent (see: channeld invite mine)") })
		}}
	cmd.Flags().StringVar(&with, "with", "", "to whom, if several bid")
	return cmd
}

func (a *app) inviteCancelCommand() *cobra.Command {
	return &cobra.Command{Use: "cancel [INVITE [REASON]]", Short: "Take back your invite, or leave one that you joined", Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickInvite(api, first(args))
			if err != nil {
				return err
			}
			request := &antev1.CancelInviteRequest{InviteId: x.Id}
			if len(args) == 2 {
				request.Reason = args[1]
			}
			r, err := call(api, api.CancelInvite, request)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { fmt.Fprintln(w, "cancelled") })
		}}
}

// pickInvite finds an invite that the user made or joined and that is not over.
func pickInvite(api *remote, typed string) (*antev1.InviteInfo, error) {
	r, err := call(api, api.ListMyInvites, &antev1.ListMyInvitesRequest{})
	if err != nil {
		return nil, err
	}
	var ids []string
	byID := map[string]*antev1.InviteInfo{}
	for _, x := range r.Invites {
		if x.Status == antev1.InviteStatus_INVITE_STATUS_OPEN || x.Status == antev1.InviteStatus_INVITE_STATUS_JOINED {
			ids, byID[x.Id] = append(ids, x.Id), x
		}
	}
	id, err := pick(ids, typed, "open invite of yours", "channeld invite mine")
	return byID[id], err
}
