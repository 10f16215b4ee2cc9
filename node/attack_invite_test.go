package node_test

import (
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// An invite for one match approves one: when who joined it proposes the same again and again, the
// player is asked.
func TestAttack_InviteTwice(t *testing.T) {
	t.Parallel()
	const proposals = 8
	var asked atomic.Int32
	tb := emptyTable(t)
	alice := join(t, func(c *node.Config) { c.Policy.Approve = func(node.Proposal) bool { asked.Add(1); return false } })
	bob := join(t, nil)
	tb.players = []*player{bob, alice}
	must(t, dev.Connect(tb.ctx, bob.Node, alice.Node))
	bob.fund(t)
	alice.fund(t)
	offer, err := bob.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 20})
	must(t, err)
	for _, p := range tb.players {
		c, err := p.Opened(tb.ctx, offer)
		must(t, err)
		tb.channel = c.ID
	}
	alice.fund(t)
	_, err = alice.Invite(tb.ctx, duel(stake))
	must(t, err)
	invites, err := alice.Invites()
	must(t, err)
	_, err = bob.Join(tb.ctx, invites[0].SignedInvite, stake)
	must(t, err)
	for range proposals {
		must(t, bob.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake, *stake}}))
	}
	tb.wait(t, alice, func() bool { return asked.Load() > 0 && len(alice.Matches()) > 0 || len(alice.Matches()) == proposals })
	if n := len(alice.Matches()); n != 1 {
		t.Errorf("%d matches are locked for one invite", n)
	}
	alice.restart(t)
	tb.wait(t, alice, func() bool { i, err := alice.Invites(); return err == nil && i[0].State == node.InvitePlayed })
	if n := len(alice.Matches()); n != 1 {
		t.Errorf("%d matches are locked for one invite after a restart", n)
	}
}
