package node_test

import (
	"context"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/crypto"
)

// sleeper is an owner who signs no opening before it wakes up.
type sleeper struct {
	*owner.Owner
	asked, wakes chan struct{}
}

func (s sleeper) SignOpening(ctx context.Context, d protocol.Domain, t *protocol.Terms) ([]byte, error) {
	select {
	case s.asked <- struct{}{}:
	default: // often enough
	}
	select {
	case <-s.wakes:
		return s.Owner.SignOpening(ctx, d, t)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// joinAsleep makes a player with an ether in the bank whose owner sleeps.
func joinAsleep(t *testing.T, change func(*node.Config)) (*player, sleeper) {
	t.Helper()
	key := world(t).Chain.Key(world(t).account())
	s := sleeper{owner.New(crypto.PubkeyToAddress(key.PublicKey), owner.Key{Key: protocol.NewKey(key)}), make(chan struct{}, 64), make(chan struct{})}
	p, _ := joinAs(t, s, func(c *node.Config) {
		c.OwnerSigner = chain.KeySigner(key)
		if change != nil {
			change(c)
		}
	})
	p.fund(t)
	return p, s
}

// TestAttack_HotKey_Asleep: somebody joins an invite while its player is not there to sign the
// opening. The player is asked once, however often the channel is offered, and the node follows the
// chain all the while: what is due in other channels does not wait for a person.
func TestAttack_HotKey_Asleep(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	alice, owner := joinAsleep(t, func(c *node.Config) { c.Policy.Accept = nil })
	bob := join(t, nil)
	bob.fund(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	m := &meeting{table: tb}
	id, err := alice.Invite(tb.ctx, duel(stake))
	must(t, err)
	_, err = bob.Join(tb.ctx, m.find(t, bob, 1)[0], stake)
	must(t, err)
	<-owner.asked

	must(t, world(t).Chain.Mine(4))
	newest, err := alice.Newest(tb.ctx)
	must(t, err)
	followed := make(chan error, 1)
	go func() {
		followed <- alice.Wait(tb.ctx, func() (bool, error) { return alice.Head().Block >= newest, nil })
	}()
	select {
	case err := <-followed:
		must(t, err)
	case <-owner.asked:
		t.Fatalf("the player is asked again, and the node stands at block %d of %d", alice.Head().Block, newest)
	}
	close(owner.wakes)
	m.state(t, alice, id, node.InvitePlayed)
	if n := len(owner.asked); n != 0 {
		t.Errorf("the player is asked %d times more", n)
	}
}
