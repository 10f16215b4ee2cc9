package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/lobby"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func (s *inviteCalls) CreateInvite(ctx context.Context, r *connect.Request[antev1.CreateInviteRequest]) (*connect.Response[antev1.CreateInviteResponse], error) {
	if r.Msg.Seconds > lobby.Life {
		return nil, fmt.Errorf("%w: an invite lives a week at most", ErrRequest)
	}
	out := node.InviteRequest{Game: r.Msg.Game, Params: json.RawMessage(r.Msg.ParamsJson), Window: r.Msg.Window, Life: time.Duration(r.Msg.Seconds) * time.Second}
	out.Window = cmp.Or(out.Window, s.config.Window)
	out.Life = cmp.Or(out.Life, time.Hour)
	of, badAsset := parseAddress("asset", r.Msg.Asset, true)
	least, badLeast := parseAmount("least", r.Msg.Least)
	highest, badMost := parseAmount("most", cmp.Or(r.Msg.Most, "0"))
	deposit, badDeposit := parseAmount("deposit", cmp.Or(r.Msg.Deposit, "0"))
	guests, badGuests := parseAddresses("guest", r.Msg.Guests)
	if err := errors.Join(badAsset, badLeast, badMost, badDeposit, badGuests); err != nil {
		return nil, err
	}
	out.Asset, out.Least, out.Most, out.Deposit, out.Guests = of, *least, *highest, *deposit, guests
	if err := s.risk(ctx, out.Asset, most(&out.Least, &out.Most, &out.Deposit)); err != nil {
		return nil, err
	}
	id, err := s.node.Invite(ctx, out)
	return connect.NewResponse(&antev1.CreateInviteResponse{InviteId: id.Hex()}), err
}

// most returns the highest of some amounts.
func most(amounts ...*uint256.Int) *uint256.Int {
	return slices.MaxFunc(amounts, func(a, b *uint256.Int) int { return a.Cmp(b) })
}

func (s *inviteCalls) BrowseInvites(ctx context.Context, r *connect.Request[antev1.BrowseInvitesRequest]) (*connect.Response[antev1.BrowseInvitesResponse], error) {
	f, err := s.filter(r.Msg.Game, r.Msg.Asset)
	if err != nil {
		return nil, err
	}
	if r.Msg.AnyAsset {
		f.Asset = nil
	}
	list, err := s.node.Browse(ctx, f)
	if err != nil {
		return nil, err
	}
	shown := each(list, func(i *matchmaking.SignedInvite) *antev1.InviteInfo { return s.invite(&i.Invite) })
	return connect.NewResponse(&antev1.BrowseInvitesResponse{Invites: shown}), nil
}

func (s *inviteCalls) filter(game, asset string) (node.Filter, error) {
	token, err := parseAddress("asset", asset, true)
	f := node.Filter{Asset: &token}
	if err != nil || game == "" {
		return f, err
	}
	if f.Rules = s.config.Rules[game]; f.Rules == (common.Address{}) {
		return f, fmt.Errorf("%w: %q is not on this chain", games.ErrUnknownGame, game)
	}
	return f, nil
}

func (s *inviteCalls) ListMyInvites(_ context.Context, r *connect.Request[antev1.ListMyInvitesRequest]) (*connect.Response[antev1.ListMyInvitesResponse], error) {
	list, err := s.node.Invites()
	if err != nil {
		return nil, err
	}
	reply := new(antev1.ListMyInvitesResponse)
	reply.Invites, reply.NextPageToken, err = page(r.Msg, each(list, s.ownInvite), (*antev1.InviteInfo).GetId)
	return connect.NewResponse(reply), err
}

func (s *inviteCalls) invite(i *matchmaking.Invite) *antev1.InviteInfo {
	game := s.game(i.Rules)
	return &antev1.InviteInfo{
		Id: i.ID(s.node.Domain()).Hex(), Player: i.Player.Hex(), Game: game, Asset: asset(i.Asset), Least: i.Least.Dec(), Most: i.Most.Dec(),
		Deposit: i.Deposit.Dec(), Window: i.Window, Guests: addresses(i.Guests), Expiry: i.Expiry,
		Maker: s.person(i.Player), ParamsJson: s.object(game, i.Params),
	}
}

var inviteStates = map[node.InviteState]antev1.InviteStatus{
	node.InviteOpen:      antev1.InviteStatus_INVITE_STATUS_OPEN,
	node.InviteJoined:    antev1.InviteStatus_INVITE_STATUS_JOINED,
	node.InvitePlayed:    antev1.InviteStatus_INVITE_STATUS_PLAYED,
	node.InviteCancelled: antev1.InviteStatus_INVITE_STATUS_CANCELLED,
	node.InviteEnded:     antev1.InviteStatus_INVITE_STATUS_ENDED,
}

func (s *inviteCalls) ownInvite(i *node.Invite) *antev1.InviteInfo {
	out := s.invite(&i.Invite)
	out.Mine, out.Status, out.Reason, out.ChannelId = i.Mine, inviteStates[i.State], i.Reason, id(i.Channel)
	if i.With != (common.Address{}) {
		out.With, out.Stake = i.With.Hex(), i.Stake.Dec()
	}
	for k := range i.Negotiations {
		b := &i.Negotiations[k]
		x := &antev1.Negotiation{With: b.With.Hex(), Waits: i.Waits(b), MayBid: i.MayBid(b), Ended: b.Ended}
		for _, bid := range b.Bids {
			x.Bids = append(x.Bids, &antev1.StakeBid{By: bid.By.Hex(), Number: bid.Number, Stake: bid.Stake.Dec(), Agrees: bid.Agrees})
		}
		out.Negotiations = append(out.Negotiations, x)
	}
	return out
}

func (s *inviteCalls) JoinInvite(ctx context.Context, r *connect.Request[antev1.JoinInviteRequest]) (*connect.Response[antev1.JoinInviteResponse], error) {
	f, err := s.filter(r.Msg.Game, r.Msg.Asset)
	if err != nil {
		return nil, err
	}
	stake, err := parseAnyAmount("stake", r.Msg.Stake)
	if err != nil {
		return nil, err
	}
	if r.Msg.InviteId == "" {
		return s.joinAny(ctx, f, stake)
	}
	wanted, err := parseHash("invite_id", r.Msg.InviteId)
	if err != nil {
		return nil, err
	}
	list, err := s.node.Browse(ctx, node.Filter{})
	if err != nil {
		return nil, err
	}
	for _, i := range list {
		if i.ID(s.node.Domain()) != wanted {
			continue
		}
		if stake == nil && !i.Least.Eq(&i.Most) {
			unit, _ := s.node.Unit(ctx, i.Asset) // its smallest units will do
			return nil, fmt.Errorf("%w: it takes %s to %s; say what you would stake", ErrRequest, unit.Format(&i.Least), unit.Format(&i.Most))
		}
		if stake == nil {
			stake = &i.Least
		}
		if err := s.risk(ctx, i.Asset, most(stake, &i.Deposit)); err != nil {
			return nil, err
		}
		if _, err := s.node.Join(ctx, i, stake); err != nil {
			return nil, err
		}
		return connect.NewResponse(&antev1.JoinInviteResponse{InviteId: wanted.Hex()}), nil
	}
	return nil, fmt.Errorf("%w: nobody shows %s any more", node.ErrUnknownInvite, wanted)
}

func (s *inviteCalls) joinAny(ctx context.Context, f node.Filter, stake *uint256.Int) (*connect.Response[antev1.JoinInviteResponse], error) {
	if stake == nil {
		return nil, fmt.Errorf("%w: say what you would stake", ErrRequest)
	}
	list, err := s.node.Browse(ctx, f)
	if err != nil {
		return nil, err
	}
	// nobody has looked at what it locks, for how long, and how often the chain must be looked at
	list = slices.DeleteFunc(list, func(i matchmaking.SignedInvite) bool { return i.Deposit.Gt(stake) || i.Window != s.config.Window })
	if err := s.risk(ctx, *f.Asset, stake); err != nil {
		return nil, err
	}
	joined, err := s.node.JoinAny(ctx, list, stake)
	return connect.NewResponse(&antev1.JoinInviteResponse{InviteId: joined.Hex()}), err
}

func (s *inviteCalls) PlaceBid(ctx context.Context, r *connect.Request[antev1.PlaceBidRequest]) (*connect.Response[antev1.PlaceBidResponse], error) {
	invite, badInvite := parseHash("invite_id", r.Msg.InviteId)
	with, badWith := parseAddress("with", r.Msg.With, false)
	stake, badStake := parseAmount("stake", r.Msg.Stake)
	if err := errors.Join(badInvite, badWith, badStake); err != nil {
		return nil, err
	}
	if err := s.riskBid(ctx, invite, stake); err != nil {
		return nil, err
	}
	return connect.NewResponse(new(antev1.PlaceBidResponse)), s.node.Bid(ctx, invite, with, stake, r.Msg.Agrees)
}

// riskBid counts what the node bids for an invite.
func (s *inviteCalls) riskBid(ctx context.Context, invite common.Hash, stake *uint256.Int) error {
	if !limited(ctx) {
		return nil
	}
	list, err := s.node.Invites()
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].ID == invite {
			return s.risk(ctx, list[i].Asset, most(stake, &list[i].Deposit))
		}
	}
	return fmt.Errorf("%w: %s", node.ErrUnknownInvite, invite)
}

func (s *inviteCalls) CancelInvite(_ context.Context, r *connect.Request[antev1.CancelInviteRequest]) (*connect.Response[antev1.CancelInviteResponse], error) {
	invite, err := parseHash("invite_id", r.Msg.InviteId)
	return done[antev1.CancelInviteResponse](err, func() error { return s.node.CancelInvite(invite, r.Msg.Reason) })
}
