package node_test

import (
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// deaf loses the concessions that a node sends until its peer hears.
type deaf struct {
	node.Network
	lost, hears atomic.Bool
}

func (d *deaf) Send(to common.Address, env *antev1.Envelope) error {
	if _, m, err := message.FromEnvelope(env); err == nil {
		if _, ok := m.(message.AgreementSignature); ok && !d.hears.Load() {
			d.lost.Store(true)
			return nil
		}
	}
	return d.Network.Send(to, env)
}

// A concession stands, although the other side moved before it heard of it.
func TestConcedeStands(t *testing.T) {
	t.Parallel()
	d := new(deaf)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			join := c.Network
			c.Network = func(at protocol.Domain, h transport.Handler) (_ node.Network, err error) {
				d.Network, err = join(at, h)
				return d, err
			}
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	must(t, bob.Concede(id))
	if !d.lost.Load() {
		t.Fatal("nothing was conceded")
	}
	tb.play(t, alice, id, "pass 1")
	d.hears.Store(true) // not before: it is said again every two seconds, and she must move first
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() <= 0 {
		t.Errorf("alice is paid %v", r.Payouts)
	}
}
