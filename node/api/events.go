package api

import (
	"context"
	"errors"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

func (s *eventCalls) StreamEvents(ctx context.Context, r *connect.Request[antev1.StreamEventsRequest], out *connect.ServerStream[antev1.StreamEventsResponse]) error {
	inChannel, badChannel := parseAny("channel_id", r.Msg.ChannelId)
	inMatch, badMatch := parseAny("match_id", r.Msg.MatchId)
	if err := errors.Join(badChannel, badMatch); err != nil {
		return err
	}
	send := func(e *node.Event) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if inChannel != (common.Hash{}) && e.Channel != inChannel || inMatch != (common.Hash{}) && e.Match != inMatch {
			return nil
		}
		return out.Send(&antev1.StreamEventsResponse{Event: event(e)})
	}
	if r.Msg.PastOnly {
		return s.past(r.Msg.After, send)
	}
	// the headers: a caller that waits for the first event knows that it is listening
	if err := out.Send(nil); err != nil {
		return err
	}
	for e, err := range s.node.Events(ctx, r.Msg.After) {
		if err != nil {
			return err
		}
		if err := send(&e); err != nil {
			return err
		}
	}
	return nil
}

func (s *eventCalls) past(after uint64, send func(*node.Event) error) error {
	events, err := s.node.Past(after)
	if err != nil {
		return err
	}
	for i := range events {
		if err := send(&events[i]); err != nil {
			return err
		}
	}
	return nil
}

func event(e *node.Event) *antev1.Event {
	return &antev1.Event{
		Cursor: e.Cursor, Time: e.Time, Kind: string(e.Kind), ChannelId: id(e.Channel), MatchId: id(e.Match),
		Turn: protocol.Turn(e.Turn).String(), Text: e.Text,
	}
}
