package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

func (s *matchCalls) ListMatches(_ context.Context, r *connect.Request[antev1.ListMatchesRequest]) (*connect.Response[antev1.ListMatchesResponse], error) {
	only, err := parseAny("channel_id", r.Msg.ChannelId)
	if err != nil {
		return nil, err
	}
	reply := new(antev1.ListMatchesResponse)
	listed := map[common.Hash]bool{}
	for _, m := range s.node.Matches() {
		message := s.matchMessage(&m)
		if (only == common.Hash{} || m.Channel == only) && message.Status != antev1.MatchStatus_MATCH_STATUS_BOOKED {
			listed[m.ID] = true
			reply.Matches = append(reply.Matches, message)
		}
	}
	var results []node.Result
	if r.Msg.Booked {
		if results, err = s.node.Results(); err != nil {
			return nil, err
		}
	}
	for i := range results {
		if x := &results[i]; (only == common.Hash{} || x.Channel == only) && !listed[x.Match] {
			reply.Matches = append(reply.Matches, s.result(x))
		}
	}
	reply.Matches, reply.NextPageToken, err = page(r.Msg, reply.Matches, (*antev1.Match).GetId)
	return connect.NewResponse(reply), err
}

// result tells of a match that the node no longer plays.
func (s *backend) result(r *node.Result) *antev1.Match {
	out := &antev1.Match{
		Id: r.Match.Hex(), ChannelId: r.Channel.Hex(), Game: s.game(r.Terms.Rules), Status: antev1.MatchStatus_MATCH_STATUS_BOOKED,
		Seats: seats(r.Terms.Seats), Stakes: amounts(r.Terms.Stakes), Seat: uint32(r.Seat), Turn: r.Turn.String(), Mover: -1,
		Payouts: amounts(r.Payouts), Guilty: guilty(r.Guilty), Reason: r.Reason, ParamsJson: s.params(&r.Terms),
	}
	if c, err := s.node.Channel(r.Channel); err == nil {
		out.Asset = asset(c.Terms.Asset)
		for _, seat := range r.Terms.Seats {
			out.Players = append(out.Players, s.person(c.Terms.Players[seat]))
		}
	}
	if !r.Paid {
		out.Status = antev1.MatchStatus_MATCH_STATUS_OVER
	}
	return out
}

// game names the rule set at an address.
func (s *backend) game(rules common.Address) string {
	for name, at := range s.config.Rules {
		if at == rules {
			return name
		}
	}
	return ""
}

func guilty(mask uint16) []uint32 {
	var list []uint32
	for seat := range uint32(games.MaxSeats) {
		if mask&(1<<seat) != 0 {
			list = append(list, seat)
		}
	}
	return list
}

func (s *matchCalls) GetMatch(ctx context.Context, r *connect.Request[antev1.GetMatchRequest]) (*connect.Response[antev1.GetMatchResponse], error) {
	id, err := s.seeing(ctx, r.Msg.MatchId)
	if err != nil {
		return nil, err
	}
	m, err := s.table(id)
	if err != nil {
		return nil, err
	}
	if m.Match.Waiting != nil {
		s.expect(ctx, id, m.Match)
	}
	return connect.NewResponse(m), nil
}

func (s *backend) table(id common.Hash) (*antev1.GetMatchResponse, error) {
	t, err := s.node.Match(id)
	if errors.Is(err, node.ErrUnknownMatch) {
		return s.ended(id)
	}
	if err != nil {
		return nil, err
	}
	view, err := json.Marshal(t.View)
	if err != nil {
		return nil, fmt.Errorf("show the position as JSON: %w", err)
	}
	return &antev1.GetMatchResponse{
		Match: s.matchMessage(&t.Match), View: s.viewText(t.View, t.Asset), ViewJson: string(view), Ask: t.Ask, Recall: string(t.Recall.Reveal()),
	}, nil
}

// viewText returns the text of a view for a terminal.
func (s *backend) viewText(v games.View, asset common.Address) string {
	unit := s.node.Known(asset)
	return games.ViewText(v, func(decimal string) string { return wei.Decimal(decimal, unit.Brief) })
}

// ended tells of a match whose position is forgotten.
func (s *backend) ended(id common.Hash) (*antev1.GetMatchResponse, error) {
	r, err := s.node.Result(id)
	if err != nil {
		return nil, err
	}
	out := &antev1.GetMatchResponse{Match: s.result(&r), View: s.lastView(&r)}
	// the newest position need not show the end: the match may be conceded, or decided by a clock
	if over := "The match is over"; !strings.Contains(out.View, over) {
		won := [...]string{"you lost", "a draw", "you won"}[1+r.Won()]
		out.View = strings.TrimLeft(fmt.Sprintf("%s\n%s: %s.", out.View, over, won), "\n")
	}
	return out, nil
}

// lastView returns the newest position of a match that is over, empty if its moves are not kept.
func (s *backend) lastView(r *node.Result) string {
	replay, err := s.node.Replay(r.Match)
	if err != nil || len(replay.Positions) == 0 {
		return ""
	}
	view := replay.View(len(replay.Positions) - 1)
	if view == nil {
		return ""
	}
	c, _ := s.node.Channel(r.Channel) // its asset is ETH where it is forgotten
	return strings.TrimRight(s.viewText(view, c.Terms.Asset), "\n")
}

func (s *backend) matchMessage(m *node.Match) *antev1.Match {
	out := &antev1.Match{
		Id: m.ID.Hex(), ChannelId: m.Channel.Hex(), Game: m.Game, Status: matchStatus(m),
		Seats: seats(m.Terms.Seats), Stakes: amounts(m.Terms.Stakes), Seat: uint32(m.Seat),
		Asset: asset(m.Asset), Turn: m.Turn.String(), Mover: mover(m.Mover), YourTurn: m.Yours, Bot: m.Bot,
		Players: s.people(m.Players), Waiting: s.waiting(m.Waiting), ParamsJson: s.params(&m.Terms), Frozen: m.Frozen,
	}
	if m.Record != nil && m.Record.Clock != 0 {
		out.Deadline = m.Record.Deadline
	}
	for i := range m.Offers {
		out.Draws = append(out.Draws, &antev1.DrawOffer{Seat: uint32(m.Offers[i].Seat), Payouts: amounts(m.Offers[i].Payouts)})
	}
	switch {
	case m.Decided:
		out.Payouts = amounts(m.Record.Payouts)
	case m.Agreement != nil:
		out.Payouts = amounts(m.Agreement.Payouts)
	case m.Outcome != nil:
		out.Payouts = amounts(m.Outcome.Payouts)
	}
	if m.Outcome != nil {
		out.Reason, out.Guilty = m.Outcome.ReasonText(), guilty(m.Outcome.Guilty)
	}
	return out
}

func matchStatus(m *node.Match) antev1.MatchStatus {
	switch {
	case !m.Locked:
		return antev1.MatchStatus_MATCH_STATUS_BOOKED
	case m.Outcome != nil, m.Agreement != nil, m.Decided:
		return antev1.MatchStatus_MATCH_STATUS_OVER
	case m.Started:
		return antev1.MatchStatus_MATCH_STATUS_RUNNING
	default:
		return antev1.MatchStatus_MATCH_STATUS_STARTING
	}
}

func mover(seat uint8) int32 {
	switch seat {
	case games.Nobody:
		return -1
	case games.Chance:
		return -2
	default:
		return int32(seat)
	}
}

func (s *matchCalls) Play(ctx context.Context, r *connect.Request[antev1.PlayRequest]) (*connect.Response[antev1.PlayResponse], error) {
	id, err := s.playing(ctx, r.Msg.MatchId)
	if err != nil {
		return nil, err
	}
	if err := s.node.PlayAt(id, r.Msg.Turn, r.Msg.Move); err != nil {
		return nil, err
	}
	m, err := s.table(id)
	return connect.NewResponse(&antev1.PlayResponse{Match: m}), err
}

func (s *matchCalls) SetBot(ctx context.Context, r *connect.Request[antev1.SetBotRequest]) (*connect.Response[antev1.SetBotResponse], error) {
	id, err := s.playing(ctx, r.Msg.MatchId)
	return done[antev1.SetBotResponse](err, func() error { return s.node.SetBot(id, r.Msg.On) })
}

func (s *matchCalls) Concede(ctx context.Context, r *connect.Request[antev1.ConcedeRequest]) (*connect.Response[antev1.ConcedeResponse], error) {
	id, err := s.playing(ctx, r.Msg.MatchId)
	return done[antev1.ConcedeResponse](err, func() error { return s.node.Concede(id) })
}

func (s *matchCalls) OfferDraw(ctx context.Context, r *connect.Request[antev1.OfferDrawRequest]) (*connect.Response[antev1.OfferDrawResponse], error) {
	payouts, err := parseAmounts("payout", r.Msg.Payouts)
	if err != nil {
		return nil, err
	}
	id, err := s.playing(ctx, r.Msg.MatchId)
	return done[antev1.OfferDrawResponse](err, func() error { return s.node.OfferDraw(id, payouts) })
}

func (s *matchCalls) AcceptDraw(ctx context.Context, r *connect.Request[antev1.AcceptDrawRequest]) (*connect.Response[antev1.AcceptDrawResponse], error) {
	seat, badSeat := parseSeats([]uint32{r.Msg.Seat})
	payouts, badPayouts := parseAmounts("payout", r.Msg.Payouts)
	if err := errors.Join(badSeat, badPayouts); err != nil {
		return nil, err
	}
	id, err := s.playing(ctx, r.Msg.MatchId)
	return done[antev1.AcceptDrawResponse](err, func() error { return s.node.AcceptDraw(id, seat[0], payouts) })
}
