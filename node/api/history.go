package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/proto"
)

const (
	maxPage = 500 // matches in one answer
	// maxReplay caps the bytes of positions in one answer: the newest, as many as fit.
	maxReplay = 8 << 20
)

func (s *historyCalls) ListHistory(_ context.Context, r *connect.Request[antev1.ListHistoryRequest]) (*connect.Response[antev1.ListHistoryResponse], error) {
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
	newestFirst(results)
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
		reply.Matches = append(reply.Matches, &antev1.FinishedMatch{Match: m, Began: x.Began, Ended: x.Time, Result: int32(x.Won()), Replay: s.node.HasReplay(x.Match)}) //nolint:gosec // -1 to 1
	}
	if skip {
		return nil, fmt.Errorf("%w: before is %q, want a next of an earlier answer", ErrRequest, r.Msg.Before)
	}
	return connect.NewResponse(reply), nil
}

// newestFirst orders results, which come by when they began, by when they ended.
func newestFirst(results []node.Result) {
	slices.Reverse(results)
	slices.SortStableFunc(results, func(a, b node.Result) int { return cmp.Compare(b.Time, a.Time) })
}

// plays reports whether an account sits in a match.
func plays(m *antev1.Match, account string) bool {
	return slices.ContainsFunc(m.Players, func(p *antev1.Person) bool { return p.Account == account })
}

func (s *historyCalls) GetReplay(ctx context.Context, r *connect.Request[antev1.GetReplayRequest]) (*connect.Response[antev1.GetReplayResponse], error) {
	id, err := s.seeing(ctx, r.Msg.MatchId)
	if err != nil {
		return nil, err
	}
	replay, err := s.node.Replay(id)
	if err != nil {
		return nil, err
	}
	table, err := s.table(id)
	if err != nil {
		return nil, err
	}
	reply := &antev1.GetReplayResponse{
		Match: table.Match, Missing: replay.Missing, Rules: replay.Terms.Rules.Hex(), ParamsJson: s.params(&replay.Terms),
	}
	room := maxReplay
	for i := len(replay.Positions) - 1; i >= 0; i-- {
		p, err := s.position(&replay, i)
		if err != nil {
			return nil, err
		}
		if room -= proto.Size(p); room < 0 || ctx.Err() != nil {
			reply.Missing = fmt.Sprintf("turn %s and what came before are too much for one answer", replay.Positions[i].Turn)
			break
		}
		reply.Positions = append(reply.Positions, p)
	}
	slices.Reverse(reply.Positions)
	return connect.NewResponse(reply), nil
}

func (s *historyCalls) position(r *node.Replay, i int) (*antev1.ReplayPosition, error) {
	p := &r.Positions[i]
	out := &antev1.ReplayPosition{
		Turn: p.Turn.String(), Mover: mover(p.By), Move: p.MoveText, MoveHex: hexutil.Encode(p.Move), StateHex: hexutil.Encode(p.State), Digest: p.Digest.Hex(),
	}
	if seen := r.View(i); seen != nil {
		view, err := json.Marshal(seen)
		if err != nil {
			return nil, fmt.Errorf("show a position as JSON: %w", err)
		}
		c, _ := s.node.Channel(r.Channel) // its asset is ETH where it is forgotten
		out.View, out.ViewJson = s.viewText(seen, c.Terms.Asset), string(view)
	}
	for _, seat := range slices.Sorted(maps.Keys(p.Signatures)) {
		sig := p.Signatures[seat]
		out.Signatures = append(out.Signatures, &antev1.PositionSignature{Seat: uint32(seat), Signer: r.Signers[seat].Hex(), Signature: hexutil.Encode(sig[:])})
	}
	return out, nil
}
