package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// Whoever may stall a match has something to lose by it: the stake of the player who would have to
// enforce it does not count.
func TestAttack_FreeStall(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(seat int, c *node.Config) { c.Policy.AnyStake = seat == 0 })
	alice, bob := tb.players[0], tb.players[1]
	oneSided := []uint256.Int{{}, *stake}
	if err := bob.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: oneSided}); !errors.Is(err, channel.ErrCheap) {
		t.Fatalf("bob proposes it: %v", err)
	}
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: oneSided}))
	tb.event(t, alice, node.ProposalFailed)
	if list := bob.Matches(); len(list) != 0 {
		t.Errorf("bob plays %d matches", len(list))
	}
}

// A node that approves every match by itself leaves those to its user in which another seat stakes
// less than it does.
func TestAttack_OneSided_AutoApprove(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(5e16), *stake}}))
	tb.event(t, bob, node.MatchProposed)
	tb.wait(t, bob, func() bool { return len(bob.Proposals())+len(bob.Matches()) == 1 })
	if list := bob.Matches(); len(list) != 0 {
		t.Fatalf("bob plays %d matches", len(list))
	}
	must(t, alice.WithdrawProposals(tb.channel))
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake, *stake}}))
	tb.wait(t, bob, func() bool { return len(bob.Matches()) == 1 })
}

// In a match of three it is the same about each of the others, whoever proposes.
func TestAttack_OneSided_FreeRider(t *testing.T) {
	t.Parallel()
	tb := sit(t, 3, nil)
	alice, bob, carol := tb.players[0], tb.players[1], tb.players[2]
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake, *stake, *uint256.NewInt(5e16)}}))
	tb.event(t, bob, node.MatchProposed)
	tb.wait(t, bob, func() bool { return len(bob.Proposals())+len(bob.Matches()) == 1 })
	tb.event(t, carol, node.MatchProposed)
	// who rides free has nothing against it
	tb.wait(t, carol, func() bool { return len(carol.Proposals()) == 0 })
	if list := bob.Matches(); len(list) != 0 {
		t.Fatalf("bob plays %d matches", len(list))
	}
	must(t, alice.WithdrawProposals(tb.channel))
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake, *stake, *stake}}))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { return len(p.Matches()) == 1 })
	}
}

// TestAttack_WithheldApproval_Exit: who leaves takes back what it proposed before the contest is
// mined: a peer that sees that coming plays nothing.
func TestAttack_WithheldApproval_Exit(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(5e16), *stake}}))
	tb.wait(t, bob, func() bool { return len(bob.Proposals()) == 1 })
	must(t, alice.Exit(tb.ctx, tb.channel))
	if list := alice.Proposed(); len(list) != 0 {
		t.Errorf("alice still proposes %v", list)
	}
}
