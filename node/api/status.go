package api

import (
	"context"
	"slices"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/store"
)

func (s *statusCalls) GetStatus(ctx context.Context, _ *connect.Request[antev1.GetStatusRequest]) (*connect.Response[antev1.GetStatusResponse], error) {
	generation, err := store.Generation(s.config.Store)
	if err != nil {
		return nil, err
	}
	restored, err := store.Restored(s.config.Store)
	if err != nil {
		return nil, err
	}
	alarms, err := s.recentAlarms()
	if err != nil {
		return nil, err
	}
	head := s.node.Head()
	reply := &antev1.GetStatusResponse{
		Account: s.node.Account().Hex(), Wallet: s.node.Wallet().Hex(), ChainId: s.node.Domain().ChainID, Arena: s.node.Domain().Arena.Hex(),
		ClockUnit: head.Unit, Clock: head.Clock, Block: head.Block, Addresses: s.node.Network().Addresses(), Alarms: uint32(len(alarms)),
		Version: s.config.Version, Generation: generation, Restored: restored, Standing: uint32(len(s.node.Standing())),
		Nickname: s.node.NameOf(s.node.Account()).Nickname, Scope: scopeMessage(min(asking(ctx).scope, Everything)),
		BrowserWallet: s.config.BrowserWallet, Towers: each(s.node.Towers(), towerInfo),
	}
	// the rest is worth showing while the chain does not answer
	if r, err := s.node.Reserve(ctx); err == nil {
		reply.Gas, reply.GasReserve = r.Have.Dec(), r.Need.Dec()
	}
	for _, p := range s.node.Network().Peers() {
		if p.Connected {
			reply.Peers++
		}
	}
	for _, c := range s.node.Channels() {
		if c.Status != node.ChannelEnded {
			reply.Channels++
			if c.Hold != nil {
				reply.Held++
			}
		}
	}
	return connect.NewResponse(reply), nil
}

func towerInfo(t *node.Tower) *antev1.TowerInfo {
	info := &antev1.TowerInfo{Account: t.Account.Hex(), Connected: t.Connected}
	for i := range t.Channels {
		c := &t.Channels[i]
		entrusted := &antev1.EntrustedChannel{ChannelId: c.Channel.Hex(), Version: c.Version, Behind: c.Behind, Expiry: c.Expiry, Refusal: c.Refused}
		for _, m := range c.Matches {
			if m.Agreed > 0 && m.Turn > 0 {
				entrusted.Matches = append(entrusted.Matches, &antev1.EntrustedMatch{
					MatchId: m.MatchID.Hex(), Turn: m.Turn.Turn().String(), Agreed: m.Agreed.Turn().String(),
				})
			}
		}
		info.Channels = append(info.Channels, entrusted)
	}
	return info
}

// recent is how long an alarm is shown, in seconds.
const recent = 24 * 60 * 60

// recentAlarms returns the alarms of the last day, newest first.
func (s *statusCalls) recentAlarms() ([]node.Event, error) {
	alarms, err := s.node.Alarms()
	if err != nil {
		return nil, err
	}
	since := s.config.Now().Unix() - recent
	return slices.DeleteFunc(alarms, func(a node.Event) bool { return a.Time < since }), nil
}

func (s *statusCalls) ListAlarms(context.Context, *connect.Request[antev1.ListAlarmsRequest]) (*connect.Response[antev1.ListAlarmsResponse], error) {
	alarms, err := s.recentAlarms()
	if err != nil {
		return nil, err
	}
	reply := new(antev1.ListAlarmsResponse)
	add := func(stands bool, list []node.Event) {
		for i := range list {
			reply.Alarms = append(reply.Alarms, &antev1.Alarm{Time: list[i].Time, ChannelId: id(list[i].Channel), Text: list[i].Text, Stands: stands})
		}
	}
	add(true, s.node.Standing())
	add(false, alarms)
	return connect.NewResponse(reply), nil
}
