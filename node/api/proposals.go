package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

func (s *proposalCalls) ListGames(context.Context, *connect.Request[antev1.ListGamesRequest]) (*connect.Response[antev1.ListGamesResponse], error) {
	return connect.NewResponse(&antev1.ListGamesResponse{Games: Games(s.config.Games, s.config.Rules)}), nil
}

// Games describes the games of a catalog. Rules has the addresses of their contracts, by name.
func Games(catalog games.Catalog, rules map[string]common.Address) (list []*antev1.Game) {
	for _, g := range catalog {
		game := &antev1.Game{Name: g.Name, Summary: g.Summary, Guide: g.Guide, Rules: asset(rules[g.Name])}
		for _, f := range g.Params.Fields() {
			game.Parameters = append(game.Parameters, &antev1.GameParameter{Name: f.Name, Help: f.Help, DefaultJson: string(f.Default)})
		}
		list = append(list, game)
	}
	return list
}

func (s *proposalCalls) ProposeMatch(ctx context.Context, r *connect.Request[antev1.ProposeMatchRequest]) (*connect.Response[antev1.ProposeMatchResponse], error) {
	if r.Msg.Like != "" {
		if err := s.fill(r.Msg); err != nil {
			return nil, err
		}
	}
	id, badID := parseHash("channel_id", r.Msg.ChannelId)
	stakes, badStakes := parseAmounts("stake", r.Msg.Stakes)
	seats, badSeats := parseSeats(r.Msg.Seats)
	if err := errors.Join(badID, badStakes, badSeats); err != nil {
		return nil, err
	}
	request := node.MatchRequest{Game: r.Msg.Game, Params: json.RawMessage(r.Msg.ParamsJson), Stakes: stakes, Seats: seats}
	if err := s.riskProposal(ctx, id, &request); err != nil {
		return nil, err
	}
	return connect.NewResponse(new(antev1.ProposeMatchResponse)), s.node.Propose(id, request)
}

// fill takes what a request leaves empty from the match that it names. The seats and stakes are
// those of another channel where the request names one.
func (s *proposalCalls) fill(r *antev1.ProposeMatchRequest) error {
	id, err := parseHash("like", r.Like)
	if err != nil {
		return err
	}
	terms, channel, err := s.node.TermsOf(id)
	if err != nil {
		return err
	}
	like := s.proposed(&terms)
	r.ChannelId, r.Game = cmp.Or(r.ChannelId, channel.Hex()), cmp.Or(r.Game, like.Game)
	if r.Game == like.Game {
		r.ParamsJson = cmp.Or(r.ParamsJson, like.ParamsJson)
	}
	if len(r.Stakes) == 0 {
		r.Stakes = like.Stakes
	}
	if len(r.Seats) == 0 {
		r.Seats = like.Seats
	}
	return nil
}

func (s *proposalCalls) WithdrawProposals(_ context.Context, r *connect.Request[antev1.WithdrawProposalsRequest]) (*connect.Response[antev1.WithdrawProposalsResponse], error) {
	id, err := parseHash("channel_id", r.Msg.ChannelId)
	if err != nil {
		return nil, err
	}
	if err := s.node.WithdrawProposals(id); errors.Is(err, channel.ErrStale) {
		return nil, fmt.Errorf("%w: nothing that you proposed in channel %s waits for an answer", err, id)
	} else if err != nil {
		return nil, err
	}
	return connect.NewResponse(new(antev1.WithdrawProposalsResponse)), nil
}

func (s *proposalCalls) ListProposals(_ context.Context, r *connect.Request[antev1.ListProposalsRequest]) (*connect.Response[antev1.ListProposalsResponse], error) {
	reply := new(antev1.ListProposalsResponse)
	for _, p := range s.node.Proposals() {
		reply.Proposals = append(reply.Proposals, s.proposal(&p, false))
	}
	for _, p := range s.node.Proposed() {
		reply.Proposals = append(reply.Proposals, s.proposal(&p, true))
	}
	if r.Msg.Failed {
		for _, f := range s.node.FailedProposals() {
			p := s.proposal(&f.Proposal, false)
			p.Mine = p.Proposer.GetMine()
			p.Status, p.Reason, p.Time = antev1.ProposalStatus_PROPOSAL_STATUS_FAILED, f.Reason, f.Time
			reply.Proposals = append(reply.Proposals, p)
		}
	}
	return connect.NewResponse(reply), nil
}

func (s *proposalCalls) proposal(p *node.Proposal, mine bool) *antev1.Proposal {
	out := &antev1.Proposal{
		ChannelId: p.Channel.Hex(), Version: p.Version, From: uint32(p.From), Mine: mine, Status: antev1.ProposalStatus_PROPOSAL_STATUS_OPEN,
		Matches: each(p.Matches, s.proposed),
	}
	if c, err := s.node.Channel(p.Channel); err == nil {
		out.Asset, out.Proposer = asset(c.Terms.Asset), s.person(c.Terms.Players[p.From])
	}
	return out
}

func (s *proposalCalls) proposed(m *protocol.MatchTerms) *antev1.ProposedMatch {
	out := &antev1.ProposedMatch{
		Game: s.game(m.Rules), ParamsJson: s.params(m), Seats: seats(m.Seats), Stakes: amounts(m.Stakes),
	}
	if m.Nonce != 0 {
		out.MatchId = m.ID(s.node.Domain()).Hex()
	}
	return out
}

func (s *backend) params(m *protocol.MatchTerms) string { return s.object(s.game(m.Rules), m.Params) }

// object returns a game's parameters as an object, empty if the game is not known.
func (s *backend) object(game string, encoded []byte) string {
	g, err := s.config.Games.Find(game)
	if err != nil {
		return ""
	}
	params, err := g.Params.Decode(encoded)
	if err != nil {
		return ""
	}
	return string(params)
}

// asked finds what is proposed in a channel; version 0 takes whatever is.
func (s *proposalCalls) asked(channelID string, version uint64) (node.Proposal, error) {
	id, err := parseHash("channel_id", channelID)
	if err != nil {
		return node.Proposal{}, err
	}
	for _, p := range s.node.Proposals() {
		if p.Channel == id && (version == 0 || p.Version == version) {
			return p, nil
		}
	}
	return node.Proposal{}, fmt.Errorf("%w: nothing is proposed in channel %s, or no longer", channel.ErrStale, id)
}

func (s *proposalCalls) ApproveMatch(ctx context.Context, r *connect.Request[antev1.ApproveMatchRequest]) (*connect.Response[antev1.ApproveMatchResponse], error) {
	p, err := s.asked(r.Msg.ChannelId, r.Msg.Version)
	if err != nil {
		return nil, err
	}
	if err := s.riskMatches(ctx, p.Channel, p.Matches); err != nil {
		return nil, err
	}
	if err := s.node.Approve(p.Channel, p.Version); err != nil {
		return nil, err
	}
	ids := each(p.Matches, func(m *protocol.MatchTerms) string { return m.ID(s.node.Domain()).Hex() })
	return connect.NewResponse(&antev1.ApproveMatchResponse{MatchIds: ids}), nil
}

func (s *proposalCalls) RejectMatch(_ context.Context, r *connect.Request[antev1.RejectMatchRequest]) (*connect.Response[antev1.RejectMatchResponse], error) {
	p, err := s.asked(r.Msg.ChannelId, r.Msg.Version)
	return done[antev1.RejectMatchResponse](err, func() error { return s.node.Refuse(p.Channel, p.Version, r.Msg.Reason) })
}
