package node_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// breaker is the network of a node that accepts a draw, moves all the same, and is gone.
type breaker struct {
	node.Network
	transport.Handler
	move atomic.Pointer[antev1.Envelope] // what it says right after it accepted
	gone atomic.Bool
}

func (b *breaker) Send(to common.Address, env *antev1.Envelope) error {
	if b.gone.Load() {
		return transport.ErrNotConnected
	}
	err := b.Network.Send(to, env)
	if _, m, e := message.FromEnvelope(env); e == nil {
		if _, accepts := m.(message.AgreementSignature); accepts {
			b.gone.Store(true)
			return b.Network.Send(to, b.move.Load())
		}
	}
	return err
}

func (b *breaker) Receive(from common.Address, env *antev1.Envelope) {
	if !b.gone.Load() {
		b.Handler.Receive(from, env)
	}
}

// TestAttack_LateAgreement: alice's opponent breaks a draw that all signed, and is gone. It was on
// move, so alice has not signed the booking before it: she is not bound by the draw, goes on with
// the match, and is paid what she wins.
func TestAttack_LateAgreement(t *testing.T) {
	t.Parallel()
	b := new(breaker)
	// how far alice's watch is ahead, and how much further it is at every look
	var later, pace atomic.Int64
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Now = func() time.Time { return time.Now().Add(time.Duration(later.Add(pace.Load()))) }
			return
		}
		join := c.Network
		c.Network = func(d protocol.Domain, h transport.Handler) (_ node.Network, err error) {
			b.Handler = h
			b.Network, err = join(d, b)
			return b, err
		}
	})
	alice, mallory := tb.players[0], tb.players[1]
	before := tb.free(t, alice)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, mallory, func() bool { m, err := mallory.Match(id); return err == nil && m.MayMove })
	tb.inNameOf(t, mallory, func(c *node.Channel, key protocol.Signer, d protocol.Domain) {
		m, err := mallory.Match(id)
		must(t, err)
		move := toy.Pass(0)
		next, err := toy.Rules{}.Play(&games.Context{Params: m.Terms.Params, Stakes: m.Terms.Stakes}, m.State, move)
		must(t, err)
		sig, err := key.Sign(protocol.Position{MatchID: id, Turn: m.Turn + 1, State: protocol.StateHash(next)}.Digest(d))
		must(t, err)
		b.move.Store(message.Envelope(c.ID, message.Move{MatchID: id, Turn: m.Turn + 1, Move: move, State: protocol.StateHash(next), Signature: sig}))
	})
	must(t, alice.OfferDraw(id, nil))
	tb.event(t, mallory, node.DrawOffered)
	must(t, mallory.AcceptDraw(id, 0, nil))
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Turn == 2 && m.MayMove })
	if m, err := alice.Match(id); err != nil || m.Bound {
		t.Errorf("bound %v: %v", m.Bound, err)
	}
	must(t, mallory.Close())
	pace.Store(int64(node.DefaultPatience))
	tb.mine(t)
	tb.play(t, alice, id, "win 0")
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
	b.gone.Store(false)
	mallory.start(t)
}
