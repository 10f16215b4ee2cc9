package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/holiman/uint256"
)

// TestAttack_OtherTerms_Unseen: who joins any invite for a stake has looked at none. So one that
// locks more than that, or has another window than the player's own channels, is left: a longer one
// locks it for longer, and in a shorter one the player's node must be there more often.
func TestAttack_OtherTerms_Unseen(t *testing.T) {
	p := start(t)
	stake := uint256.NewInt(1e17)
	join := call(p.owner().JoinInvite, &antev1.JoinInviteRequest{Stake: stake.Dec()})
	fits := node.InviteRequest{Game: "mastermind", Least: *stake, Window: 100, Life: time.Hour}
	for what, change := range map[string]func(*node.InviteRequest){
		"that locks more":      func(r *node.InviteRequest) { r.Deposit.AddUint64(stake, 1) },
		"with a longer window": func(r *node.InviteRequest) { r.Window++ },
		"with a shorter one":   func(r *node.InviteRequest) { r.Window-- },
	} {
		bait := fits
		change(&bait)
		id, err := p.bob.Invite(t.Context(), bait)
		check(t, err)
		if err := join(t.Context()); err == nil || !strings.Contains(err.Error(), "no public invite") {
			t.Errorf("one %s: %v", what, err)
		}
		check(t, p.bob.CancelInvite(id, ""))
	}
	_, err := p.bob.Invite(t.Context(), fits)
	check(t, err)
	check(t, join(t.Context()))
}
