package node_test

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// TestProposalsDoNotVanish: who proposes sees that its proposal waits, and why it came to nothing;
// so does who was asked, when it is taken back.
func TestProposalsDoNotVanish(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) { c.Policy.Approve = nil })
	alice, bob := tb.players[0], tb.players[1]
	propose := func() {
		t.Helper()
		must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
		if own := alice.Proposed(); len(own) != 1 || own[0].Channel != tb.channel || len(own[0].Matches) != 1 {
			t.Fatalf("alice's own proposals: %+v", own)
		}
		tb.wait(t, bob, func() bool { return len(bob.Proposals()) == 1 })
	}
	propose()
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake, *new(uint256.Int).AddUint64(stake, 1)}}))
	if own := alice.Proposed(); len(own) != 1 || len(own[0].Matches) != 2 || own[0].Matches[0].Nonce == 0 || own[0].Matches[1].Nonce != 0 {
		t.Fatalf("with one that waits for its turn: %+v", own)
	}
	must(t, alice.WithdrawProposals(tb.channel))
	tb.wait(t, bob, func() bool { return len(bob.Proposals()) == 0 })
	propose()
	must(t, bob.Refuse(tb.channel, bob.Proposals()[0].Version, "not now"))
	tb.wait(t, alice, func() bool { return len(alice.FailedProposals()) == 1 && len(alice.Proposed()) == 0 })
	if f := alice.FailedProposals()[0]; f.Reason != "not now" || f.From != 0 || len(f.Matches) != 1 {
		t.Errorf("alice sees %+v", f)
	}
	propose()
	must(t, alice.WithdrawProposals(tb.channel))
	if list := alice.FailedProposals(); len(list) != 0 {
		t.Errorf("alice is told what she took back herself, or what is proposed anew: %+v", list)
	}
	tb.wait(t, bob, func() bool { return len(bob.FailedProposals()) == 1 })
	if f := bob.FailedProposals()[0]; f.Reason == "" || f.From != 0 || len(f.Matches) != 1 {
		t.Errorf("bob sees %+v", f)
	}
	if e := tb.event(t, bob, node.ProposalFailed); e.Text == "" {
		t.Error("bob was told nothing")
	}
}
