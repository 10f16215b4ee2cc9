package cli

import (
	"context"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// pageSize is how many channels, matches or finished matches are asked for at once.
const pageSize = 500

// ListChannels returns all channels, page by page: a house has thousands.
func (api *remote) ListChannels(ctx context.Context, r *connect.Request[antev1.ListChannelsRequest]) (*connect.Response[antev1.ListChannelsResponse], error) {
	all := new(antev1.ListChannelsResponse)
	for r.Msg.PageSize = pageSize; ; {
		page, err := api.NodeServiceClient.ListChannels(ctx, connect.NewRequest(r.Msg))
		if err != nil {
			return nil, err
		}
		all.Channels = append(all.Channels, page.Msg.Channels...)
		if r.Msg.PageToken = page.Msg.NextPageToken; r.Msg.PageToken == "" {
			return connect.NewResponse(all), nil
		}
	}
}

// ListMatches returns all matches, page by page.
func (api *remote) ListMatches(ctx context.Context, r *connect.Request[antev1.ListMatchesRequest]) (*connect.Response[antev1.ListMatchesResponse], error) {
	all := new(antev1.ListMatchesResponse)
	for r.Msg.PageSize = pageSize; ; {
		page, err := api.NodeServiceClient.ListMatches(ctx, connect.NewRequest(r.Msg))
		if err != nil {
			return nil, err
		}
		all.Matches = append(all.Matches, page.Msg.Matches...)
		if r.Msg.PageToken = page.Msg.NextPageToken; r.Msg.PageToken == "" {
			return connect.NewResponse(all), nil
		}
	}
}

// ListHistory returns so many of the newest finished matches, page by page; all if the limit is 0.
func (api *remote) ListHistory(ctx context.Context, r *connect.Request[antev1.ListHistoryRequest]) (*connect.Response[antev1.ListHistoryResponse], error) {
	all, most := new(antev1.ListHistoryResponse), int(r.Msg.Limit)
	for {
		r.Msg.Limit = pageSize
		if most > 0 {
			r.Msg.Limit = uint32(min(pageSize, most-len(all.Matches))) //nolint:gosec // positive
		}
		page, err := api.NodeServiceClient.ListHistory(ctx, connect.NewRequest(r.Msg))
		if err != nil {
			return nil, err
		}
		all.Matches, all.Next = append(all.Matches, page.Msg.Matches...), page.Msg.Next
		if all.Next == "" || len(all.Matches) == most {
			return connect.NewResponse(all), nil
		}
		r.Msg.Before = all.Next
	}
}
