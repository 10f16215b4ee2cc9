package node_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func bots(_ int, c *node.Config) { c.Policy.Bot = true }

func TestTwoNodesPlayForMoney(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, bots)
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*stake}}))
	a, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	b, err := bob.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if a.Won() != -b.Won() || a.Guilty != 0 {
		t.Errorf("alice %d, bob %d, guilty %b", a.Won(), b.Won(), a.Guilty)
	}
	tb.close(t)
	for _, p := range tb.players {
		list, err := p.Transactions(100)
		must(t, err)
		for _, r := range list {
			if r.Err != nil {
				t.Errorf("%s: %v", r.Key, r.Err)
			}
		}
	}
}

func TestThreeSeats(t *testing.T) {
	t.Parallel()
	tb := sit(t, 3, nil)
	id := tb.match(t, "toy", "")
	tb.play(t, tb.players[0], id, "pass 1")
	tb.play(t, tb.players[1], id, "pass 2")
	tb.play(t, tb.players[2], id, "win 1")
	for seat, p := range tb.players {
		r, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
		if won := r.Won() == 1; won != (seat == 1) {
			t.Errorf("seat %d: won %v", seat, won)
		}
	}
	tb.close(t)
}

// TestPlayAt: what was typed for a turn is no move of a later one, nor said to the other player.
func TestPlayAt(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id := tb.match(t, "toy", "")
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.PlayAt(id, "0", "pass 1"))
	tb.play(t, bob, id, "pass 0")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && int(m.Mover) == m.Seat })
	if err := alice.PlayAt(id, "0", "win 0"); !errors.Is(err, channel.ErrStale) || !strings.Contains(err.Error(), "is at turn 2") {
		t.Errorf("a move for a turn that is over: %v", err)
	}
	must(t, alice.PlayAt(id, "2", "win 0"))
	_, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	tb.close(t)
}

func TestConcede(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id := tb.match(t, "toy", "")
	must(t, tb.players[1].Concede(id))
	r, err := tb.players[0].Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() != 1 || r.Reason != "agreed" {
		t.Errorf("alice %d: %q", r.Won(), r.Reason)
	}
	tb.close(t)
}

func TestDraw(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	id := tb.match(t, "toy", "")
	must(t, tb.players[0].OfferDraw(id, nil))
	tb.event(t, tb.players[1], node.DrawOffered)
	must(t, tb.players[1].AcceptDraw(id, 0, nil))
	r, err := tb.players[0].Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() != 0 {
		t.Errorf("alice %d", r.Won())
	}
	tb.close(t)
}

func TestRefusedProposal(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) { c.Policy.Approve = nil })
	alice, bob := tb.players[0], tb.players[1]
	must(t, alice.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	tb.event(t, bob, node.MatchProposed)
	p := bob.Proposals()
	if len(p) != 1 || p[0].From != 0 {
		t.Fatalf("proposals: %v", p)
	}
	must(t, bob.Refuse(tb.channel, p[0].Version, "not today"))
	if e := tb.event(t, alice, node.ProposalFailed); e.Channel != tb.channel {
		t.Error(e)
	}
	if err := bob.Approve(tb.channel, p[0].Version); !errors.Is(err, channel.ErrStale) {
		t.Errorf("approved after it was refused: %v", err)
	}
	tb.close(t)
}

func TestAttack_CheapMatch(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(_ int, c *node.Config) { c.Policy.GasPrice.SetUint64(2e9) })
	cheap := []uint256.Int{*uint256.NewInt(1e9)}
	// whose setting it is learns what allows it
	err := tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: cheap})
	if !errors.Is(err, channel.ErrCheap) || !strings.Contains(err.Error(), "play.any_stake") {
		t.Errorf("proposed: %v", err)
	}
}

func TestAttack_CheapMatch_OfAPeer(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(seat int, c *node.Config) {
		c.Policy.GasPrice.SetUint64(2e9)
		c.Policy.AnyStake = seat == 0
	})
	must(t, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(1e9)}}))
	if e := tb.event(t, tb.players[0], node.ProposalFailed); strings.Contains(e.Text, "play.any_stake") {
		t.Errorf("it names a setting of the other player: %s", e.Text)
	}
	if list := tb.players[1].Matches(); len(list) != 0 {
		t.Errorf("it plays %d matches", len(list))
	}
}

// TestCallbacksMayCallTheNode: a policy's callback that asks the node must not wait for itself.
func TestCallbacksMayCallTheNode(t *testing.T) {
	t.Parallel()
	nodes := make([]*player, 2)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		c.Policy.Approve = func(p node.Proposal) bool {
			_, err := nodes[seat].Channel(p.Channel)
			return err == nil && len(nodes[seat].Proposals()) == 1
		}
	})
	copy(nodes, tb.players)
	tb.match(t, "toy", "")
}

func TestResultsComeInOrder(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	var want []common.Hash
	for i := range 6 { // several in a second
		id := tb.match(t, "toy", "")
		must(t, tb.players[1].Concede(id))
		r, err := tb.players[0].Finished(tb.ctx, tb.channel, i+1)
		must(t, err)
		if r.Match != id {
			t.Fatalf("match %d finished as %s, want %s", i, r.Match, id)
		}
		want = append(want, id)
	}
	list, err := tb.players[0].Results()
	must(t, err)
	for i := range list {
		if list[i].Match != want[i] {
			t.Errorf("result %d is of %s, want %s", i, list[i].Match, want[i])
		}
	}
}
