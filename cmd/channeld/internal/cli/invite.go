package cli

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func inviteCommand(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "invite", Short: "Find an opponent, or be found",
		Long: "An invite says what match a player would play, and for how much. Everybody connected to the player sees it,\n" +
			"and everybody in a lobby. Nothing is locked until a stake is agreed on; then the match follows by itself, in a\n" +
			"channel that the two have, or in one that is opened for it."},
		inviteCreateCommand(a), inviteListCommand(a), inviteMineCommand(a), inviteJoinCommand(a), inviteBidCommand(a), inviteCancelCommand(a))
}

func inviteCreateCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "create GAME STAKE", Short: "Invite somebody, or anybody, to play for a stake",
		Example: "  channeld invite create mastermind 0.1eth --deposit 1eth\n  channeld invite create mastermind 0.1eth --most 0.5eth --for 0x7099",
		Args:    cobra.ExactArgs(2)}
	request := new(antev1.CreateInviteRequest)
	flags := cmd.Flags()
	most := flags.String("most", "", "the largest stake that you take without being asked (default: the same)")
	deposit := flags.String("deposit", "", "what each locks if a channel is opened, for more matches (default: the stake)")
	guests := flags.StringSlice("for", nil, "players who may join (default: anybody)")
	params := flags.StringSlice("param", nil, "a parameter of the game, name=value (see: channeld games)")
	flags.Uint64Var(&request.Window, "window", 0, "time for an answer on-chain, if a channel is opened (default: the configured one)")
	life := flags.Duration("life", time.Hour, "how long it is open, at most a week")
	assetFlag(cmd, &request.Asset)
	yes := yesFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) error {
		request.Game, request.Seconds = args[0], uint64(*life/time.Second) //nolint:gosec // the API caps it
		amounts, err := api.parseAll([]string{args[1], *most, *deposit}, request.Asset)
		if err != nil {
			return err
		}
		request.Least, request.Most, request.Deposit = amounts[0], amounts[1], amounts[2]
		object, err := games.ParamsObject(*params)
		if err != nil {
			return err
		}
		request.ParamsJson = string(object)
		if request.Guests, err = players(api, *guests, *yes); err != nil {
			return err
		}
		return show(api, api.CreateInvite, request, func(r *antev1.CreateInviteResponse) {
			api.printf("invite %s is open; the match follows when somebody joins (see: channeld invite mine)\n", short(r.InviteId))
		})
	})
	return cmd
}

func inviteListCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "list [GAME]", Short: "Invites of others that you may join", Args: cobra.MaximumNArgs(1)}
	request := new(antev1.BrowseInvitesRequest)
	assetFlag(cmd, &request.Asset)
	cmd.RunE = a.client(func(api *remote, args []string) error {
		request.Game, request.AnyAsset = first(args), request.Asset == ""
		return show(api, api.BrowseInvites, request, func(r *antev1.BrowseInvitesResponse) {
			table(api.Out, "INVITE\tPLAYER\tGAME\tSTAKE\tFOR\tUNTIL\tPARAMETERS", r.Invites, func(x *antev1.InviteInfo) []any {
				whom := "anybody"
				if len(x.Guests) > 0 {
					whom = "you"
				}
				return []any{short(x.Id), called(x.Maker.GetName(), x.Player), x.Game, api.span(x.Least, x.Most, x.Asset), whom, clockTime(int64(x.Expiry)), x.ParamsJson} //nolint:gosec // a time
			})
		})
	})
	return cmd
}

func inviteMineCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "mine", Short: "Invites that you made or joined, and the bids for them", Args: cobra.NoArgs,
		RunE: a.client(func(api *remote, _ []string) error {
			return show(api, api.ListMyInvites, &antev1.ListMyInvitesRequest{}, func(r *antev1.ListMyInvitesResponse) {
				table(api.Out, "INVITE\tSTATUS\tBY\tGAME\tSTAKE\tWITH\tNOTE", r.Invites, func(x *antev1.InviteInfo) []any {
					stake, by := api.span(x.Least, x.Most, x.Asset), "you"
					if x.Stake != "" {
						stake = api.money(x.Stake, x.Asset)
					}
					if !x.Mine {
						by = api.called(x.Player)
					}
					return []any{short(x.Id), enum(x.Status, "INVITE_STATUS_"), by, x.Game, stake, api.called(x.With), clean(x.Reason)}
				})
				for _, x := range r.Invites {
					api.printBids(x)
				}
			})
		})}
}

// printBids prints what the negotiations about an invite wait for.
func (api *remote) printBids(x *antev1.InviteInfo) {
	for _, b := range x.Negotiations {
		if b.Ended != "" && !b.MayBid || len(b.Bids) == 0 || x.Status != antev1.InviteStatus_INVITE_STATUS_OPEN {
			continue
		}
		bid, other := b.Bids[len(b.Bids)-1], api.identified(b.With)
		switch stake := api.money(bid.Stake, x.Asset); {
		case b.Waits:
			whose := ""
			if x.Mine {
				whose = " --with " + b.With // whom another may bid as much as
			}
			api.printf("%s bids %s: take it, or say what you would play for: channeld invite bid %s %s%s\n", other, stake, short(x.Id), api.typed(bid.Stake, x.Asset), whose)
		case b.MayBid && bid.By != b.With:
			api.printf("%s has not answered your bid of %s, which another one replaces: channeld invite bid %s STAKE\n", other, stake, short(x.Id))
		case bid.By != b.With && bid.Agrees != 0:
			api.printf("you agreed to the %s of %s, whose node has not answered\n", stake, other)
		}
	}
}

func inviteJoinCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "join INVITE|any [STAKE]", Short: "Join another player's invite, or any that fits",
		Long: "Join another player's invite. A stake in its range is agreed on at once; any other is a bid, which that player\n" +
			"answers. A bid holds until the invite expires or is cancelled. With \"any\", join a random public invite that accepts\n" +
			"the stake, for a game with its usual parameters, and that locks no more, with the window that is configured. With a\n" +
			"part of an invite's name you are shown what it says, and asked.",
		Example: "  channeld invite join 0x3f8a\n  channeld invite join 0x3f8a 0.05eth\n  channeld invite join any 0.1eth --game mastermind",
		Args:    cobra.RangeArgs(1, 2)}
	request := new(antev1.JoinInviteRequest)
	cmd.Flags().StringVar(&request.Game, "game", "", "any: of this game only")
	assetFlag(cmd, &request.Asset)
	yes := yesFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) (err error) {
		var x *antev1.InviteInfo
		asset := request.Asset
		if args[0] != "any" {
			if x, err = pickShown(api, args[0]); err != nil {
				return err
			}
			request.InviteId, asset = x.Id, x.Asset
		}
		if request.Stake, err = api.parse(first(args[1:]), asset); err != nil {
			return err
		}
		if x != nil {
			if err := api.reviewInvite(x, args[0], request.Stake, *yes); err != nil {
				return err
			}
		}
		return show(api, api.JoinInvite, request, func(r *antev1.JoinInviteResponse) {
			api.printf("joining %s; the match follows once the stake is agreed on (see: channeld invite mine)\n", short(r.InviteId))
		})
	})
	return cmd
}

// reviewInvite shows an invite, and asks: another whose name begins alike may have taken the place
// of the one that the user saw. Without a stake, that of an invite which has but one is meant.
func (api *remote) reviewInvite(x *antev1.InviteInfo, typed, stake string, yes bool) error {
	if stake == "" && x.Least == x.Most {
		stake = x.Least
	}
	if stake != "" {
		stake = "you stake " + api.money(stake, x.Asset) + ": "
	}
	locks := x.Deposit
	if locks == "" || locks == "0" {
		locks = x.Least
	}
	return api.ask(yes || strings.EqualFold(typed, x.Id), "%s%s invites you to %s %s for %s; where no channel is open, one opens and locks %s of each, window %d; invite %s",
		stake, api.identified(x.Player), x.Game, clean(x.ParamsJson), api.span(x.Least, x.Most, x.Asset), api.money(locks, x.Asset), x.Window, short(x.Id))
}

func inviteBidCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "bid INVITE STAKE", Short: "Bid a stake in place of your last bid; repeating the other side's last bid agrees to it",
		Args: cobra.ExactArgs(2)}
	with := cmd.Flags().String("with", "", "to whom, where others bid for your invite; with a part of an account, or without, you are asked")
	yes := yesFlag(cmd)
	cmd.RunE = about(a, pickInvite, func(api *remote, x *antev1.InviteInfo, rest []string) error {
		stake, err := api.parse(rest[0], x.Asset)
		if err != nil {
			return err
		}
		other, err := api.bidder(x, *with, *yes)
		if err != nil {
			return err
		}
		request := &antev1.PlaceBidRequest{InviteId: x.Id, With: other.With, Stake: stake}
		for _, bid := range other.Bids {
			if bid.By != other.With {
				continue
			}
			if request.Agrees = 0; bid.Stake == stake {
				request.Agrees = bid.Number
			}
		}
		return act(api, api.PlaceBid, request, "bid sent (see: channeld invite mine)\n")
	})
	return cmd
}

// bidder finds who is bid to. For another's invite that can only be its player.
func (api *remote) bidder(x *antev1.InviteInfo, with string, yes bool) (*antev1.Negotiation, error) {
	list, err := api.peers()
	if err != nil {
		return nil, err
	}
	named, err := contact(list, with)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(x.Negotiations, func(b *antev1.Negotiation) bool { return !b.MayBid })
	other, err := pickPlayer(open, (*antev1.Negotiation).GetWith, cmp.Or(named, with), "player to whom you may bid", "channeld invite mine")
	if err != nil {
		return nil, err
	}
	return other, api.surelyMeans(with, other.With, yes || !x.Mine)
}

func inviteCancelCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "cancel [INVITE [REASON]]", Short: "Withdraw your invite, or leave one that you joined", Args: cobra.MaximumNArgs(2),
		RunE: about(a, pickInvite, func(api *remote, x *antev1.InviteInfo, rest []string) error {
			return act(api, api.CancelInvite, &antev1.CancelInviteRequest{InviteId: x.Id, Reason: first(rest)}, "cancelled\n")
		})}
}

// pickShown finds an invite of another player.
func pickShown(api *remote, typed string) (*antev1.InviteInfo, error) {
	r, err := call(api, api.BrowseInvites, &antev1.BrowseInvitesRequest{AnyAsset: true})
	if err != nil {
		return nil, err
	}
	return pick(r.Invites, (*antev1.InviteInfo).GetId, typed, "invite", "channeld invite list")
}

// pickInvite finds an invite that the user made or joined and that is not over.
func pickInvite(api *remote, typed string) (*antev1.InviteInfo, error) {
	r, err := call(api, api.ListMyInvites, &antev1.ListMyInvitesRequest{})
	if err != nil {
		return nil, err
	}
	r.Invites = slices.DeleteFunc(r.Invites, func(x *antev1.InviteInfo) bool {
		return x.Status != antev1.InviteStatus_INVITE_STATUS_OPEN && x.Status != antev1.InviteStatus_INVITE_STATUS_JOINED
	})
	return pick(r.Invites, (*antev1.InviteInfo).GetId, typed, "open invite of yours", "channeld invite mine")
}
