package api

import (
	"context"
	"fmt"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/disputes"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func (s *disputeCalls) GetDispute(ctx context.Context, r *connect.Request[antev1.GetDisputeRequest]) (*connect.Response[antev1.GetDisputeResponse], error) {
	id, err := parseHash("channel_id", r.Msg.ChannelId)
	if err != nil {
		return nil, err
	}
	d, err := s.node.Dispute(ctx, id, nil)
	if err != nil {
		return nil, err
	}
	reply := &antev1.GetDisputeResponse{Clock: d.Clock, Next: d.Plan.Next, Planned: s.planned(ctx, &d.Plan)}
	if contest := d.Contest; contest != nil {
		reply.Contested, reply.ContestedVersion, reply.ContestDeadline = true, contest.Version, contest.Deadline
		reply.Settled = contest.Settled
	}
	for match, record := range d.Records {
		reply.Matches = append(reply.Matches, recorded(match, &record))
	}
	for _, a := range d.Plan.Alarms {
		reply.Alarms = append(reply.Alarms, a.Level.String()+": "+a.Text)
	}
	return connect.NewResponse(reply), nil
}

var recordStates = map[protocol.MatchStatus]string{
	protocol.MatchUnknown: "not posted", protocol.MatchUnsigned: "started without signatures", protocol.MatchLive: "running",
	protocol.MatchAgreed: "agreed", protocol.MatchOver: "over", protocol.MatchFinal: "final", protocol.MatchPaid: "paid",
}

func recorded(match common.Hash, r *protocol.Record) *antev1.DisputedMatch {
	m := &antev1.DisputedMatch{MatchId: match.Hex(), Status: recordStates[r.Status], Mover: mover(r.Mover), Deadline: r.Deadline}
	if r.Turn != 0 {
		m.Turn = r.Turn.Turn().String()
	}
	return m
}

// planned says what a plan sends. Without a gas price it leaves the fees out.
func (s *backend) planned(ctx context.Context, plan *disputes.Plan) []*antev1.PlannedTransaction {
	var list []*antev1.PlannedTransaction
	price, err := s.node.GasPrice(ctx)
	fee := func(gas uint64) string {
		if err != nil {
			return ""
		}
		return new(uint256.Int).Mul(price, uint256.NewInt(gas)).Dec()
	}
	for i := range plan.Orders {
		o := &plan.Orders[i]
		t := &antev1.PlannedTransaction{Why: o.Why(), Gas: o.Gas(), Fee: fee(o.Gas()), Deadline: o.Deadline(), AtStake: stake(o.Steps)}
		for j := range o.Steps {
			t.Calls = append(t.Calls, call(o.Steps[j].Action))
		}
		list = append(list, t)
	}
	for i := range plan.Underway {
		step := &plan.Underway[i]
		list = append(list, &antev1.PlannedTransaction{
			Why: step.Why, Calls: []string{call(step.Action)}, Gas: step.Gas, Fee: fee(step.Gas), Deadline: step.Deadline,
			AtStake: step.Stake.Dec(), Underway: true,
		})
	}
	return list
}

// stake returns the most that is at stake in any of the steps.
func stake(steps []disputes.Step) string {
	most := new(uint256.Int)
	for i := range steps {
		if steps[i].Stake.Gt(most) {
			most = &steps[i].Stake
		}
	}
	return most.Dec()
}

// call names the Arena's function.
func call(a onchain.Action) string {
	switch a := a.(type) {
	case onchain.Close:
		return "close"
	case onchain.ContestLedger:
		return "contest"
	case onchain.Settle:
		return "settle"
	case onchain.Advance:
		if a.Demand != nil {
			return "advance with a demand"
		}
		return "advance"
	case onchain.DemandMove:
		return "demand"
	case onchain.Agree:
		return "agree"
	case onchain.Expire:
		return "expire"
	case onchain.Convict:
		return "convict"
	default:
		return fmt.Sprintf("%T", a)
	}
}

func (s *disputeCalls) StartDispute(ctx context.Context, r *connect.Request[antev1.StartDisputeRequest]) (*connect.Response[antev1.StartDisputeResponse], error) {
	id, err := parseHash("channel_id", r.Msg.ChannelId)
	if err != nil {
		return nil, err
	}
	wishes, act, err := s.wish(ctx, id, r.Msg)
	if err != nil {
		return nil, err
	}
	d, err := s.node.Dispute(ctx, id, &wishes)
	if err != nil {
		return nil, err
	}
	reply := connect.NewResponse(&antev1.StartDisputeResponse{Planned: s.planned(ctx, &d.Plan)})
	if r.Msg.DryRun {
		return reply, nil
	}
	return reply, act()
}

// wish returns what the user wants from the chain, and what makes the node want it too.
func (s *disputeCalls) wish(ctx context.Context, id common.Hash, r *antev1.StartDisputeRequest) (disputes.Wishes, func() error, error) {
	switch r.Action {
	case antev1.DisputeAction_DISPUTE_ACTION_EXIT:
		return disputes.Wishes{Exit: true}, func() error { return s.node.Exit(ctx, id) }, nil
	case antev1.DisputeAction_DISPUTE_ACTION_DEMAND:
		match, err := parseHash("match_id", r.MatchId)
		if err != nil {
			return disputes.Wishes{}, nil, err
		}
		if m, err := s.node.Match(match); err != nil || m.Channel != id {
			return disputes.Wishes{}, nil, fmt.Errorf("%w: channel %s has no match %s", ErrRequest, id, match)
		}
		return disputes.Wishes{Demand: map[common.Hash]bool{match: true}}, func() error { return s.node.Demand(ctx, match) }, nil
	default:
		return disputes.Wishes{}, nil, fmt.Errorf("%w: say which action: demand or exit", ErrRequest)
	}
}
