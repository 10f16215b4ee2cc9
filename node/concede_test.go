package node_test

import (
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
)

// A concession stands, although the other side moved before it heard of it.
func TestConcedeStands(t *testing.T) {
	t.Parallel()
	var lost, hears atomic.Bool
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			nodetest.Lose(c, func(env *antev1.Envelope) bool {
				_, m, err := message.FromEnvelope(env)
				_, concedes := m.(message.AgreementSignature)
				loses := err == nil && concedes && !hears.Load()
				if loses {
					lost.Store(true)
				}
				return loses
			})
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	must(t, bob.Concede(id))
	if !lost.Load() {
		t.Fatal("nothing was conceded")
	}
	tb.play(t, alice, id, "pass 1")
	hears.Store(true) // not before: it is said again every two seconds, and she must move first
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() <= 0 {
		t.Errorf("alice is paid %v", r.Payouts)
	}
}
