package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

func (s *roundCalls) VerifyRound(ctx context.Context, r *connect.Request[antev1.VerifyRoundRequest]) (*connect.Response[antev1.VerifyRoundResponse], error) {
	reply := new(antev1.VerifyRoundResponse)
	if r.Msg.Block != 0 {
		var err error
		if reply.Draw, err = s.boxDraw(ctx, r.Msg.Block, r.Msg.PriceCoins); err != nil || r.Msg.RoundId == "" {
			return connect.NewResponse(reply), err
		}
	}
	round, err := parseHash("round_id", r.Msg.RoundId)
	if err != nil {
		return nil, err
	}
	found, err := s.node.VerifyRound(ctx, round)
	if err != nil {
		return nil, err
	}
	reply.Round = s.round(&found)
	if found.Game == box9.GameName {
		err = s.verifyDraws(ctx, &found, reply)
	}
	return connect.NewResponse(reply), err
}

// boxDraw is what a block draws, by its hash on the chain.
func (s *roundCalls) boxDraw(ctx context.Context, block uint64, price string) (*antev1.BoxDraw, error) {
	coins, err := strconv.ParseUint(price, 10, 32)
	if err != nil || coins == 0 {
		return nil, fmt.Errorf("%w: price_coins is %q, want the price of a box in coins, such as 10", ErrRequest, price)
	}
	hash, err := s.node.BlockHash(ctx, box9.GameName, block)
	if err != nil {
		return nil, err
	}
	return draw(block, hash, uint32(coins)), nil
}

func draw(block uint64, hash common.Hash, coins uint32) *antev1.BoxDraw {
	r := box9.Draw(hash, coins)
	out := &antev1.BoxDraw{Block: block, Hash: hash.Hex(), Rehash: r.Rehash.Hex(), Gold: uint32(r.Gold), Silver: []uint32{uint32(r.Silver[0]), uint32(r.Silver[1])}}
	for _, part := range r.Parts {
		out.Parts = append(out.Parts, fmt.Sprintf("%07x", part))
	}
	return out
}

// verifyDraws checks the draws of a table's match, as far as this node has its positions, against
// the chain.
func (s *roundCalls) verifyDraws(ctx context.Context, r *node.Round, reply *antev1.VerifyRoundResponse) error {
	match, err := s.matchAt(r)
	if err != nil || match == (common.Hash{}) {
		return err
	}
	replay, err := s.node.Replay(match)
	if err != nil {
		return err
	}
	reply.Missing = replay.Missing
	hashOf := func(block uint64) (common.Hash, error) { return s.node.BlockHash(ctx, box9.GameName, block) }
	for i := 1; i < len(replay.Positions); i++ {
		checked, err := box9.CheckRound(replay.Context, replay.Positions[i-1].State, replay.Positions[i].State, hashOf)
		if errors.Is(err, node.ErrForgotten) || errors.Is(err, chain.ErrUnknownBlock) || errors.Is(err, games.ErrNotYet) {
			reply.Missing = err.Error()
			continue
		}
		if err != nil {
			return err
		}
		if checked == nil {
			continue
		}
		found := &antev1.BoxDraw{Block: checked.Block}
		if checked.Hash != (common.Hash{}) {
			found = draw(checked.Block, checked.Hash, checked.Price)
		}
		found.Round, found.Says = checked.Round, checked.Says
		reply.Draws = append(reply.Draws, found)
	}
	return nil
}

// matchAt returns the match that this node plays or played at a table, zero if none.
func (s *roundCalls) matchAt(r *node.Round) (common.Hash, error) {
	if len(r.Groups) == 0 || r.Groups[0].Channel == (common.Hash{}) {
		return common.Hash{}, nil
	}
	channel := r.Groups[0].Channel
	for _, m := range s.node.Matches() {
		if m.Channel == channel {
			return m.ID, nil
		}
	}
	results, err := s.node.Results()
	for i := range results {
		if results[i].Channel == channel {
			return results[i].Match, nil
		}
	}
	return common.Hash{}, err
}
