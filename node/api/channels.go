package api

import (
	"context"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

var channelStates = map[node.ChannelStatus]antev1.ChannelStatus{
	node.ChannelOpening:   antev1.ChannelStatus_CHANNEL_STATUS_OPENING,
	node.ChannelOpen:      antev1.ChannelStatus_CHANNEL_STATUS_OPEN,
	node.ChannelClosing:   antev1.ChannelStatus_CHANNEL_STATUS_CLOSING,
	node.ChannelContested: antev1.ChannelStatus_CHANNEL_STATUS_CONTESTED,
	node.ChannelEnded:     antev1.ChannelStatus_CHANNEL_STATUS_CLOSED,
}

func (s *channelCalls) channelMessage(c *node.Channel) *antev1.Channel {
	m := &antev1.Channel{
		Id: c.ID.Hex(), Status: channelStates[c.Status], Terms: terms(&c.Terms), Seat: uint32(c.Seat), Version: c.Ledger.Version,
		Balances: amounts(c.Ledger.Balances), Deadline: c.Deadline, Frozen: c.Restored,
	}
	if h := c.Hold; h != nil {
		m.Hold = &antev1.Hold{Towers: addresses(h.Towers), Missing: uint32(h.Missing), Until: h.Until.Unix()} //nolint:gosec // towers are few
	}
	m.Players, m.Waiting, m.Resize = s.people(c.Terms.Players), s.waiting(c.Waiting), resize(c.Resize)
	m.MatchIds = each(c.Ledger.Locks, func(l *protocol.Lock) string { return l.MatchID.Hex() })
	return m
}

func (s *channelCalls) ListChannels(_ context.Context, r *connect.Request[antev1.ListChannelsRequest]) (*connect.Response[antev1.ListChannelsResponse], error) {
	reply := new(antev1.ListChannelsResponse)
	for _, c := range s.node.Channels() {
		if r.Msg.Closed || c.Status != node.ChannelEnded {
			reply.Channels = append(reply.Channels, s.channelMessage(&c))
		}
	}
	var err error
	reply.Channels, reply.NextPageToken, err = page(r.Msg, reply.Channels, (*antev1.Channel).GetId)
	return connect.NewResponse(reply), err
}

func (s *channelCalls) GetChannel(_ context.Context, r *connect.Request[antev1.GetChannelRequest]) (*connect.Response[antev1.GetChannelResponse], error) {
	id, err := parseHash("channel_id", r.Msg.ChannelId)
	if err != nil {
		return nil, err
	}
	c, err := s.node.Channel(id)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.GetChannelResponse{Channel: s.channelMessage(&c)}), nil
}

func resize(r *node.Resize) *antev1.Resize {
	if r == nil {
		return nil
	}
	return &antev1.Resize{OfferId: id(r.Offer), Waits: r.Waits}
}

func (s *channelCalls) ResizeChannel(ctx context.Context, r *connect.Request[antev1.ResizeChannelRequest]) (*connect.Response[antev1.ResizeChannelResponse], error) {
	id, err := parseHash("channel_id", r.Msg.ChannelId)
	if err != nil {
		return nil, err
	}
	if len(r.Msg.Deposits) == 0 {
		return connect.NewResponse(new(antev1.ResizeChannelResponse)), s.node.KeepChannel(id)
	}
	c, err := s.node.Channel(id)
	if err != nil {
		return nil, err
	}
	deposits := make([]*uint256.Int, len(r.Msg.Deposits))
	for i, text := range r.Msg.Deposits {
		if deposits[i], err = parseAnyAmount("deposit", text); err != nil {
			return nil, err
		}
	}
	if c.Seat < len(deposits) && deposits[c.Seat] != nil {
		balances := c.Ledger.Balances
		if c.Busy != "" {
			balances = nil // of which nobody knows what will be left by then
		}
		if err := s.risk(ctx, c.Terms.Asset, added(deposits[c.Seat], balances, c.Seat)); err != nil {
			return nil, err
		}
	}
	if err := s.node.ResizeChannel(ctx, id, deposits, r.Msg.Memo); err != nil {
		return nil, err
	}
	if c, err = s.node.Channel(id); err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.ResizeChannelResponse{Resize: resize(c.Resize)}), nil
}

func (s *channelCalls) CloseChannel(_ context.Context, r *connect.Request[antev1.CloseChannelRequest]) (*connect.Response[antev1.CloseChannelResponse], error) {
	id, err := parseHash("channel_id", r.Msg.ChannelId)
	return done[antev1.CloseChannelResponse](err, func() error { return s.node.CloseChannel(id) })
}
