package api

import (
	"context"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

func (s *peerCalls) ListPeers(context.Context, *connect.Request[antev1.ListPeersRequest]) (*connect.Response[antev1.ListPeersResponse], error) {
	reply := new(antev1.ListPeersResponse)
	for _, p := range s.node.Network().Peers() {
		peer := s.peer(p.Account)
		peer.Connected, peer.Addresses, peer.Relayed, peer.RoundTripUs = p.Connected, p.Addresses, p.Relayed, p.RoundTrip.Microseconds()
		if p.Err != nil {
			peer.Error = p.Err.Error()
		}
		reply.Peers = append(reply.Peers, peer)
	}
	for _, account := range s.away() {
		reply.Peers = append(reply.Peers, s.peer(account))
	}
	return connect.NewResponse(reply), nil
}

// peer tells what an account is called.
func (s *peerCalls) peer(account common.Address) *antev1.Peer {
	name := s.node.NameOf(account)
	return &antev1.Peer{Account: account.Hex(), Name: name.Shown, Nickname: name.Nickname, Contact: name.Contact}
}

// away returns the players of open channels, and those the user has a name for, that the network
// knows nothing of now.
func (s *peerCalls) away() []common.Address {
	known := map[common.Address]bool{s.node.Account(): true}
	for _, p := range s.node.Network().Peers() {
		known[p.Account] = true
	}
	var list []common.Address
	friends := s.node.Contacts()
	for _, c := range s.node.Channels() {
		if c.Status != node.ChannelEnded {
			friends = append(friends, c.Terms.Players...)
		}
	}
	for _, account := range friends {
		if !known[account] {
			known[account] = true
			list = append(list, account)
		}
	}
	return list
}

func (s *peerCalls) AddPeer(ctx context.Context, r *connect.Request[antev1.AddPeerRequest]) (*connect.Response[antev1.AddPeerResponse], error) {
	account, err := s.config.Dial(ctx, r.Msg.Address)
	if err != nil {
		return nil, err
	}
	if err := s.node.AddPeer(account, r.Msg.Address); err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.AddPeerResponse{Account: account.Hex()}), nil
}
