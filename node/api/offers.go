package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func (s *offerCalls) OpenChannel(ctx context.Context, r *connect.Request[antev1.OpenChannelRequest]) (*connect.Response[antev1.OpenChannelResponse], error) {
	peers, badPeers := parseAddresses("peer", r.Msg.Peers)
	of, badAsset := parseAddress("asset", r.Msg.Asset, true)
	deposits, badDeposits := parseAmounts("deposit", r.Msg.Deposits)
	if err := errors.Join(badPeers, badAsset, badDeposits); err != nil {
		return nil, err
	}
	if len(deposits) != len(peers)+1 {
		return nil, fmt.Errorf("%w: %d deposits for %d seats", ErrRequest, len(deposits), len(peers)+1)
	}
	if err := s.risk(ctx, of, &deposits[0]); err != nil {
		return nil, err
	}
	window := cmp.Or(r.Msg.Window, s.config.Window)
	offer, err := s.node.Offer(ctx, node.OpenRequest{Peers: peers, Asset: of, Deposits: deposits, Window: window, OpenBy: r.Msg.OpenBy, Memo: r.Msg.Memo})
	return connect.NewResponse(&antev1.OpenChannelResponse{OfferId: offer.Hex()}), err
}

func (s *offerCalls) ListOffers(_ context.Context, r *connect.Request[antev1.ListOffersRequest]) (*connect.Response[antev1.ListOffersResponse], error) {
	offers, err := s.node.Offers()
	if err != nil {
		return nil, err
	}
	reply := new(antev1.ListOffersResponse)
	reply.Offers, reply.NextPageToken, err = page(r.Msg, each(offers, s.offer), (*antev1.Offer).GetId)
	return connect.NewResponse(reply), err
}

var offerStates = map[node.OfferState]antev1.OfferStatus{
	node.OfferOpen:     antev1.OfferStatus_OFFER_STATUS_OPEN,
	node.OfferAccepted: antev1.OfferStatus_OFFER_STATUS_ACCEPTED,
	node.OfferDeclined: antev1.OfferStatus_OFFER_STATUS_DECLINED,
	node.OfferOpened:   antev1.OfferStatus_OFFER_STATUS_OPENED,
	node.OfferLapsed:   antev1.OfferStatus_OFFER_STATUS_LAPSED,
}

func (s *offerCalls) offer(o *node.Offer) *antev1.Offer {
	return &antev1.Offer{
		Id: o.ID.Hex(), Mine: o.Mine(), Status: offerStates[o.State], Terms: terms(&o.Terms), Memo: o.Memo, Reason: o.Reason,
		ChannelId: s.channelOf(&o.Terms), Replaces: id(o.Replaces), Balances: amounts(o.Balances),
	}
}

// channelOf returns the id of the channel with these terms, empty while signers are missing.
func (s *offerCalls) channelOf(t *protocol.Terms) string {
	if slices.Contains(t.Signers, common.Address{}) {
		return ""
	}
	return t.ID(s.node.Domain()).Hex()
}

func terms(t *protocol.Terms) *antev1.Terms {
	return &antev1.Terms{
		Players: addresses(t.Players), Signers: addresses(t.Signers), Asset: asset(t.Asset), Deposits: amounts(t.Deposits),
		Window: t.Window, OpenBy: t.OpenBy,
	}
}

func (s *offerCalls) AcceptOffer(ctx context.Context, r *connect.Request[antev1.AcceptOfferRequest]) (*connect.Response[antev1.AcceptOfferResponse], error) {
	offer, err := parseHash("offer_id", r.Msg.OfferId)
	if err != nil {
		return nil, err
	}
	if err := s.riskOffer(ctx, offer); err != nil {
		return nil, err
	}
	if err := s.node.Accept(ctx, offer); err != nil {
		return nil, err
	}
	offers, err := s.node.Offers()
	if err != nil {
		return nil, err
	}
	reply := new(antev1.AcceptOfferResponse)
	for i := range offers {
		if offers[i].ID == offer {
			reply.ChannelId = s.channelOf(&offers[i].Terms)
		}
	}
	return connect.NewResponse(reply), nil
}

// riskOffer counts what the node deposits in a channel that it is offered.
func (s *offerCalls) riskOffer(ctx context.Context, id common.Hash) error {
	if !limited(ctx) {
		return nil
	}
	offers, err := s.node.Offers()
	if err != nil {
		return err
	}
	for i := range offers {
		if t := &offers[i].Terms; offers[i].ID == id {
			if seat := slices.Index(t.Players, s.node.Account()); seat >= 0 {
				return s.risk(ctx, t.Asset, added(&t.Deposits[seat], offers[i].Balances, seat))
			}
		}
	}
	return fmt.Errorf("%w: %s", node.ErrUnknownOffer, id)
}

// added returns what a deposit adds to the balance in a channel whose place another takes.
func added(deposit *uint256.Int, balances []uint256.Int, seat int) *uint256.Int {
	switch {
	case len(balances) == 0:
		return deposit
	case deposit.Lt(&balances[seat]):
		return new(uint256.Int)
	}
	return new(uint256.Int).Sub(deposit, &balances[seat])
}

func (s *offerCalls) DeclineOffer(_ context.Context, r *connect.Request[antev1.DeclineOfferRequest]) (*connect.Response[antev1.DeclineOfferResponse], error) {
	offer, err := parseHash("offer_id", r.Msg.OfferId)
	return done[antev1.DeclineOfferResponse](err, func() error { return s.node.Decline(offer, r.Msg.Reason) })
}
