package node_test

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
)

// TestReplay: how a match went is kept while it is played and after a restart, position by
// position, with signatures that anybody can check, until the settings' bound drops it.
func TestReplay(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Policy.History = 1
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.play(t, bob, id, "pass 0")
	tb.play(t, alice, id, "win 0")
	for _, p := range tb.players {
		_, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
	}
	alice.restart(t)
	for seat, p := range tb.players {
		r, err := p.Replay(id)
		must(t, err)
		if len(r.Positions) != 4 || r.Missing != "" || r.Seat != seat {
			t.Fatalf("seat %d: %+v", seat, r)
		}
		for i, at := range r.Positions {
			mover := [...]uint8{games.Nobody, 0, 1, 0}[i]
			if at.Turn != protocol.Turn(i) || at.By != mover || r.View(i) == nil || r.View(i).String() == "" || (i > 0) != (at.MoveText != "") {
				t.Errorf("seat %d, position %d: %+v", seat, i, at)
			}
			if _, signed := at.Signatures[mover]; i > 0 && !signed {
				t.Errorf("seat %d, position %d is not signed by its mover", seat, i)
			}
			for who, sig := range at.Signatures {
				must(t, sig.Verify(at.Digest, r.Signers[who]))
			}
		}
	}
	next := tb.match(t, "toy", "")
	tb.play(t, alice, next, "win 0")
	_, err := alice.Finished(tb.ctx, tb.channel, 2)
	must(t, err)
	must(t, alice.ForgetPast(10, 10))
	if r, err := alice.Replay(id); err != nil || len(r.Positions) != 0 || r.Missing == "" {
		t.Errorf("beyond the bound: %+v, %v", r, err)
	}
	if r, err := alice.Replay(next); err != nil || len(r.Positions) != 2 {
		t.Errorf("the newest: %+v, %v", r, err)
	}
}
