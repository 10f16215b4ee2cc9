package api

import (
	"cmp"
	"context"
	"errors"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

func (s *statusCalls) GetScore(ctx context.Context, r *connect.Request[antev1.GetScoreRequest]) (*connect.Response[antev1.GetScoreResponse], error) {
	player, err := parseAddress("player", cmp.Or(r.Msg.Player, s.node.Account().Hex()), false)
	if err != nil {
		return nil, err
	}
	reply := &antev1.GetScoreResponse{Player: player.Hex()}
	own := player == s.node.Account()
	if own {
		list, err := s.node.OwnScore()
		if err != nil {
			return nil, err
		}
		reply.Own = each(list, score)
	}
	board, err := s.node.BoardScore(ctx, player)
	if errors.Is(err, node.ErrNoScoreboard) && own {
		return connect.NewResponse(reply), nil
	}
	if err != nil {
		return nil, err
	}
	reply.Board = each(board, score)
	if own {
		byChannel, err := s.node.Unpublished(ctx)
		if err != nil {
			return nil, err
		}
		for _, list := range byChannel {
			reply.Unpublished += uint32(len(list))
		}
	}
	return connect.NewResponse(reply), nil
}

func (s *statusCalls) PublishScore(ctx context.Context, _ *connect.Request[antev1.PublishScoreRequest]) (*connect.Response[antev1.PublishScoreResponse], error) {
	reports, results, err := s.node.PublishScore(ctx)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.PublishScoreResponse{Results: uint32(results), Transactions: each(reports, transaction)}), nil
}

func score(s *node.Score) *antev1.GameScore {
	return &antev1.GameScore{Game: s.Game, Wins: s.Wins, Losses: s.Losses, Draws: s.Draws}
}
