package api

import (
	"context"
	"fmt"
	"slices"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// OpenRound implements the service.
func (s *service) OpenRound(_ context.Context, r *connect.Request[antev1.OpenRoundRequest]) (*connect.Response[antev1.OpenRoundResponse], error) {
	const most, pause = 1_000_000, 5
	if r.Msg.Blocks == 0 || r.Msg.Blocks > most || r.Msg.Pause > most {
		return nil, fmt.Errorf("%w: registration is open for 1 to %d blocks", ErrRequest, most)
	}
	out := node.RoundRequest{Params: []byte(r.Msg.ParamsJson), Window: r.Msg.Window, Closes: s.node.Head().Block + r.Msg.Blocks}
	if out.Window == 0 {
		out.Window = s.config.Window
	}
	if out.Shuffle = out.Closes + r.Msg.Pause; r.Msg.Pause == 0 {
		out.Shuffle = out.Closes + pause
	}
	var err error
	if out.Asset, err = parseAddress("asset", r.Msg.Asset, true); err != nil {
		return nil, err
	}
	limits, err := parseAmounts("bet", []string{r.Msg.Least, r.Msg.Most})
	if err != nil {
		return nil, err
	}
	out.Least, out.Most = limits[0], limits[1]
	for _, text := range r.Msg.Named {
		account, err := parseAddress("named", text, false)
		if err != nil {
			return nil, err
		}
		out.Named = append(out.Named, account)
	}
	round, err := s.node.OpenRound(out)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.OpenRoundResponse{RoundId: round.Hex()}), nil
}

// answerTime is how long a house that is asked is waited for.
const answerTime = 3 * time.Second

// ListRounds implements the service.
func (s *service) ListRounds(ctx context.Context, r *connect.Request[antev1.ListRoundsRequest]) (*connect.Response[antev1.ListRoundsResponse], error) {
	if r.Msg.House != "" {
		house, err := parseAddress("house", r.Msg.House, false)
		if err != nil {
			return nil, err
		}
		if err := s.askRounds(ctx, house); err != nil {
			return nil, err
		}
	}
	list, err := s.node.Rounds()
	if err != nil {
		return nil, err
	}
	reply := new(antev1.ListRoundsResponse)
	for i := range list {
		reply.Rounds = append(reply.Rounds, s.round(&list[i]))
	}
	return connect.NewResponse(reply), nil
}

// askRounds asks a house, and waits a moment for an open round of its.
func (s *service) askRounds(ctx context.Context, house common.Address) error {
	if err := s.node.AskRounds(house); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err := s.node.Wait(ctx, func() (bool, error) {
		list, err := s.node.Rounds()
		return slices.ContainsFunc(list, func(r node.Round) bool { return r.Terms.House == house && r.State() == "open" }), err
	})
	if ctx.Err() != nil {
		return nil // it has none that is open
	}
	return err
}

// RegisterRound implements the service.
func (s *service) RegisterRound(ctx context.Context, r *connect.Request[antev1.RegisterRoundRequest]) (*connect.Response[antev1.RegisterRoundResponse], error) {
	round, err := parseHash("round_id", r.Msg.RoundId)
	if err != nil {
		return nil, err
	}
	bet, err := parseAmount("bet", r.Msg.Bet)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(new(antev1.RegisterRoundResponse)), s.node.Register(ctx, round, bet)
}

// VerifyRound implements the service.
func (s *service) VerifyRound(ctx context.Context, r *connect.Request[antev1.VerifyRoundRequest]) (*connect.Response[antev1.VerifyRoundResponse], error) {
	round, err := parseHash("round_id", r.Msg.RoundId)
	if err != nil {
		return nil, err
	}
	found, err := s.node.VerifyRound(ctx, round)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.VerifyRoundResponse{Round: s.round(&found)}), nil
}

func (s *service) round(r *node.Round) *antev1.RoundInfo {
	t := &r.Terms
	out := &antev1.RoundInfo{
		Id: r.ID.Hex(), House: t.House.Hex(), Mine: t.House == s.node.Account(), Asset: asset(t.Asset), Least: t.Least.Dec(), Most: t.Most.Dec(),
		Window: t.Window, Closes: t.Closes, Shuffle: t.Shuffle, State: r.State(), Trouble: r.Trouble,
	}
	if r.Bet != nil {
		out.Bet = r.Bet.Bet.Dec()
	}
	if g, err := s.config.Games.Find(splitsteal.Name); err == nil {
		if params, err := g.Params.Decode(t.Params); err == nil {
			out.ParamsJson = string(params)
		}
	}
	for i := range r.Entries {
		out.Bets = append(out.Bets, bet(&r.Entries[i]))
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		info := &antev1.RoundPairInfo{X: bet(&p.X), Y: bet(&p.Y), State: string(p.State), ChannelId: id(p.Channel), Reason: p.Reason}
		if v, err := r.Matrix(p, s.node.Account()); err == nil {
			info.Matrix = v.String()
		}
		out.Pairs = append(out.Pairs, info)
	}
	return out
}

func bet(e *channel.Registration) *antev1.RoundBet {
	return &antev1.RoundBet{Player: e.Player.Hex(), Bet: e.Bet.Dec()}
}
