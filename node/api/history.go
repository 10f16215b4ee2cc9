package api

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// maxPage caps the matches in one answer.
const maxPage = 500

// ListHistory implements the service.
func (s *service) ListHistory(_ context.Context, r *connect.Request[antev1.ListHistoryRequest]) (*connect.Response[antev1.ListHistoryResponse], error) {
	limit := int(cmp.Or(r.Msg.Limit, 50))
	if limit > maxPage {
		return nil, fmt.Errorf("%w: at most %d matches at a time", ErrRequest, maxPage)
	}
	with, err := parseAddress("with", r.Msg.With, true)
	if err != nil {
		return nil, err
	}
	results, err := s.node.Results()
	if err != nil {
		return nil, err
	}
	slices.Reverse(results)
	reply, skip := new(antev1.ListHistoryResponse), r.Msg.Before != ""
	for i := range results {
		x := &results[i]
		if skip {
			skip = x.Match.Hex() != r.Msg.Before
			continue
		}
		m := s.result(x)
		if r.Msg.Game != "" && m.Game != r.Msg.Game || r.Msg.With != "" && !plays(m, with.Hex()) {
			continue
		}
		if len(reply.Matches) == limit {
			reply.Next = reply.Matches[limit-1].Match.Id
			break
		}
		reply.Matches = append(reply.Matches, &antev1.FinishedMatch{Match: m, Began: x.Began, Ended: x.Time, Result: int32(x.Won())}) //nolint:gosec // -1 to 1
	}
	if skip {
		return nil, fmt.Errorf("%w: before is %q, want a next of an earlier answer", ErrRequest, r.Msg.Before)
	}
	return connect.NewResponse(reply), nil
}

// plays reports whether an account sits in a match.
func plays(m *antev1.Match, account string) bool {
	return slices.ContainsFunc(m.Players, func(p *antev1.Person) bool { return p.Account == account })
}
