package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// account is the number of the account that has a seat: alice is 0, mallory 1, whoever they are.
func (s *stage) account(seat int) int {
	switch seat {
	case s.me:
		return 0
	case s.her:
		return 1
	default:
		return seat
	}
}

// seat starts the nodes and opens a channel between them. Mallory's configuration may be changed.
func (s *stage) seat(change func(*node.Config)) error {
	s.nodes = make([]*node.Node, 2+len(s.task.show.others))
	for seat := range s.nodes {
		c, err := s.config(s.account(seat))
		if err != nil {
			return err
		}
		if seat == s.her && change != nil {
			change(&c)
		}
		if s.nodes[seat], err = node.Start(s.ctx, c); err != nil {
			return err
		}
		for _, other := range s.nodes[:seat] {
			if err := dev.Connect(s.ctx, other, s.nodes[seat]); err != nil {
				return err
			}
		}
	}
	s.alice, s.mallory = s.nodes[s.me], s.nodes[s.her]
	var peers []common.Address
	for _, n := range s.nodes[1:] {
		peers = append(peers, n.Account())
		if _, err := n.Deposit(s.ctx, common.Address{}, deposit); err != nil {
			return err
		}
	}
	return s.open(s.nodes[0], peers...)
}

// open opens a channel: the peers deposit into the bank, the node of seat 0 sends its part along
// with the opening.
func (s *stage) open(first *node.Node, peers ...common.Address) error {
	deposits := []uint256.Int{*deposit}
	for _, p := range peers {
		if err := s.funded(p); err != nil {
			return err
		}
		deposits = append(deposits, *deposit)
	}
	if _, err := first.Offer(s.ctx, node.OpenRequest{Peers: peers, Deposits: deposits, Window: window, Memo: "demo"}); err != nil {
		return err
	}
	if err := s.until(s.alice, func() bool {
		c := s.alice.Channels()
		return len(c) == 1 && c[0].Status == node.ChannelOpen
	}); err != nil {
		return fmt.Errorf("the channel did not open: %w", err)
	}
	s.channel = s.alice.Channels()[0].ID
	s.say("%s lock 1 ether each in one transaction; from here on playing is free", s.cast())
	return nil
}

// cast names those who play.
func (s *stage) cast() string {
	all := append([]string{"alice", "the other player"}, s.task.show.others...)
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// opening is what is sent to the Arena to open the channel, and then the calls.
func (s *stage) opening(calls ...string) []string {
	deposits := slices.Repeat([]string{"deposit"}, 1+len(s.task.show.others))
	return append(append(deposits, "open"), calls...)
}

// funded waits until alice's node knows a player who has something in the bank.
func (s *stage) funded(account common.Address) error {
	for t := time.NewTicker(20 * time.Millisecond); ; {
		b, err := s.alice.Bank(s.ctx, common.Address{}, account)
		if err != nil {
			return err
		}
		if !b.IsZero() && (account == s.alice.Account() || slices.ContainsFunc(s.alice.Network().Peers(), func(p transport.Peer) bool { return p.Account == account && p.Connected })) {
			return nil
		}
		select {
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-t.C:
		}
	}
}
