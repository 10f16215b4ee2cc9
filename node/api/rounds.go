package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
)

func (s *roundCalls) OpenRound(ctx context.Context, r *connect.Request[antev1.OpenRoundRequest]) (*connect.Response[antev1.OpenRoundResponse], error) {
	const most, pause = 1_000_000, 5
	if r.Msg.Blocks == 0 || r.Msg.Blocks > most || r.Msg.Pause > most || r.Msg.Study > most {
		return nil, fmt.Errorf("%w: registration takes 1 to %[2]d blocks, the pause and the study at most as many", ErrRequest, most)
	}
	head, err := s.node.Newest(ctx)
	if err != nil {
		return nil, err
	}
	out := node.RoundRequest{Game: r.Msg.Game, Params: []byte(r.Msg.ParamsJson), Window: r.Msg.Window, Closes: head + r.Msg.Blocks, Again: r.Msg.Again, Study: r.Msg.Study}
	if r.Msg.Fewest > matchmaking.MaxGroup || r.Msg.Seats > matchmaking.MaxGroup {
		return nil, fmt.Errorf("%w: at most %d players", ErrRequest, matchmaking.MaxGroup)
	}
	out.Fewest, out.Seats = uint8(r.Msg.Fewest), uint8(r.Msg.Seats)
	out.Window = cmp.Or(out.Window, s.config.Window)
	if g, err := s.config.Games.Find(out.Game); err == nil && g.Rounds != nil && g.Rounds.Groups().Shuffled {
		out.Shuffle = out.Closes + cmp.Or(r.Msg.Pause, pause)
	}
	of, badAsset := parseAddress("asset", r.Msg.Asset, true)
	limits, badStakes := parseAmounts("stake", []string{r.Msg.Least, cmp.Or(r.Msg.Most, r.Msg.Least)})
	named, badNames := parseAddresses("named", r.Msg.Named)
	if err := errors.Join(badAsset, badStakes, badNames); err != nil {
		return nil, err
	}
	out.Asset, out.Least, out.Most, out.Named = of, limits[0], limits[1], named
	round, err := s.node.OpenRound(out)
	return connect.NewResponse(&antev1.OpenRoundResponse{RoundId: round.Hex()}), err
}

func (s *roundCalls) StopRound(_ context.Context, r *connect.Request[antev1.StopRoundRequest]) (*connect.Response[antev1.StopRoundResponse], error) {
	round, err := parseHash("round_id", r.Msg.RoundId)
	return done[antev1.StopRoundResponse](err, func() error { return s.node.StopRound(round) })
}

// answerTime is how long a house that is asked is waited for.
const answerTime = 3 * time.Second

func (s *roundCalls) ListRounds(ctx context.Context, r *connect.Request[antev1.ListRoundsRequest]) (*connect.Response[antev1.ListRoundsResponse], error) {
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
	reply.Rounds, reply.NextPageToken, err = page(r.Msg, each(list, s.round), (*antev1.RoundInfo).GetId)
	return connect.NewResponse(reply), err
}

// askRounds asks a house, and waits a moment for the answer.
func (s *roundCalls) askRounds(ctx context.Context, house common.Address) error {
	asking, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	err := s.node.AskRounds(asking, house)
	if asking.Err() != nil && ctx.Err() == nil {
		return nil // it is away: what is known will do
	}
	return err
}

func (s *roundCalls) RegisterRound(ctx context.Context, r *connect.Request[antev1.RegisterRoundRequest]) (*connect.Response[antev1.RegisterRoundResponse], error) {
	round, err := parseHash("round_id", r.Msg.RoundId)
	if err != nil {
		return nil, err
	}
	known, err := s.node.Round(round)
	if err != nil {
		return nil, err
	}
	stake, badStake := parseAmount("stake", cmp.Or(r.Msg.Stake, known.Terms.Least.Dec()))
	referrer, badReferrer := parseAddress("referrer", r.Msg.Referrer, true)
	if err := errors.Join(badStake, badReferrer); err != nil {
		return nil, err
	}
	// others may have sat down since the house was asked
	if referrer != (common.Address{}) && referrer != known.Terms.House && referrer != s.node.Account() {
		if err := s.askRounds(ctx, known.Terms.House); err != nil {
			return nil, err
		}
	}
	if err := s.risk(ctx, known.Terms.Asset, stake); err != nil {
		return nil, err
	}
	return connect.NewResponse(new(antev1.RegisterRoundResponse)), s.node.Register(ctx, round, stake, referrer)
}

func (s *roundCalls) round(r *node.Round) *antev1.RoundInfo {
	t := &r.Terms
	out := &antev1.RoundInfo{
		Id: r.ID.Hex(), Game: r.Game, Fewest: uint32(t.Fewest), Seats: uint32(t.Seats), House: t.House.Hex(), Mine: t.House == s.node.Account(), Asset: asset(t.Asset), Least: t.Least.Dec(), Most: t.Most.Dec(),
		Window: t.Window, Closes: t.Closes, Shuffle: t.Shuffle, State: roundState(r, s.node.Head().Block), Trouble: r.Trouble, Again: r.Again,
		Study: t.Study, StudyLeft: r.StudyLeft(s.node.Head().Block),
	}
	if r.Own != nil {
		own := entry(r.Own)
		out.Stake, out.Referrer = own.Stake, own.Referrer
	}
	out.ParamsJson, out.Entries = s.object(r.Game, t.Params), each(r.Entries, entry)
	for i := range r.Groups {
		g := &r.Groups[i]
		info := &antev1.RoundGroupInfo{Players: each(g.Players, entry), State: string(g.State), ChannelId: id(g.Channel), Reason: g.Reason}
		if v, err := r.Preview(g, s.node.Account()); err == nil && v != nil {
			info.Matrix = s.viewText(v, r.Terms.Asset)
		}
		out.Groups = append(out.Groups, info)
	}
	return out
}

// roundState says how far a round is at a block. Of a table at which this player does not sit,
// nobody tells it who plays in the end.
func roundState(r *node.Round, block uint64) string {
	switch state := r.State(); {
	case state == "open" && block >= r.Terms.Closes:
		return "closed"
	case state != "open" && len(r.Entries) < int(r.Terms.Fewest):
		return "cancelled"
	default:
		return state
	}
}

func entry(e *matchmaking.Registration) *antev1.RoundEntryInfo {
	info := &antev1.RoundEntryInfo{Player: e.Player.Hex(), Stake: e.Stake.Dec()}
	if e.Referrer != (common.Address{}) {
		info.Referrer = e.Referrer.Hex()
	}
	return info
}
