package node_test

import (
	"testing"
	"time"

	"github.com/ante-games/ante/node/dev"
)

// TestAttack_LateSeal_Unseen: a player's node hears of a list that was sealed once the shuffling
// block was known before it has seen that block itself: it looks at the chain only now and then.
func TestAttack_LateSeal_Unseen(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	house, p := tb.players[0], tb.players[1]
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 2e17)
	r, err := house.Round(id)
	must(t, err)
	must(t, house.Close())
	p.config.Policy.Poll = time.Hour
	p.restart(t)
	tb.wait(t, p, func() bool { return p.Head().Block > 0 })
	must(t, world(t).Chain.Mine(int(r.Terms.Shuffle-world(t).Chain.Head())))
	house.restart(t)
	must(t, dev.Connect(tb.ctx, p.Node, house.Node))
	tb.wait(t, p, func() bool { now, err := p.Round(id); return err == nil && now.State() == "sealed" })
	if seen := p.Head().Block; seen >= r.Terms.Shuffle {
		t.Fatalf("the node has seen block %d", seen)
	}
	if now, err := p.Round(id); err != nil || now.Trouble == "" {
		t.Errorf("the list counts: %v", err)
	}
}
