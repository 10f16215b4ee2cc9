package chain_test

import (
	"context"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// TestAttack_LaggingRPC_Head: one of two endpoints shows each block five blocks late, which raises
// no alarm. What must be done before a block goes by the other's newest, what must be final by what
// both have, whichever of the two is asked first.
func TestAttack_LaggingRPC_Head(t *testing.T) {
	for _, first := range []bool{true, false} {
		w := newWorld(t, devnet.Config{})
		p, second := newProxy(t, w.chain.URL()), newProxy(t, w.chain.URL())
		late := second
		if first {
			late = p
		}
		behind := uint64(5)
		late.set(func(p *proxy) { p.lag = func() uint64 { return behind } })
		client := w.dial(chain.Config{URL: p.URL, Second: second.URL, MaxLag: 10})
		f := w.facts(client, &kept{values: map[string][]byte{}})
		r := w.follow(client, chain.FollowConfig{Confirmations: 3})
		for _, mined := range []int{30, 1, 1} {
			w.mine(mined)
			b := r.next()
			f.At(&b.Reach)
			if newest := w.chain.Head(); f.Head() != newest || f.Sure() != newest-behind {
				t.Errorf("first %t: block %d is the newest, %d that both have, want %d and %d", first, f.Head(), f.Sure(), newest, newest-behind)
			}
		}
		w.wantNoAlarm()
	}
}

// TestAttack_LaggingRPC_Frozen: the endpoint that is followed stands still at a block. The other
// one's new blocks are told nevertheless.
func TestAttack_LaggingRPC_Frozen(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	p := newProxy(t, w.chain.URL())
	frozen := w.chain.Head()
	poll, heads := make(chan time.Time), make(chan uint64)
	p.set(func(p *proxy) { p.lag = func() uint64 { return w.chain.Head() - frozen } })
	r := w.follow(w.dial(chain.Config{URL: p.URL, Second: w.chain.URL()}), chain.FollowConfig{Confirmations: 3, After: func(time.Duration) <-chan time.Time { return poll }})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- r.follower.Keep(ctx, &kept{values: map[string][]byte{}}, "cursor", chain.Reader{
			Reached: func(ctx context.Context, r *chain.Reach) error {
				select {
				case heads <- r.Highest:
				case <-ctx.Done():
				}
				return nil
			},
			Trouble: func(error) {},
		})
	}()
	for range 4 {
		select {
		case told := <-heads:
			if told != w.chain.Head() {
				t.Errorf("block %d is told, and the newest is %d", told, w.chain.Head())
			}
		case <-time.After(time.Minute):
			t.Fatal("the new block is not told")
		}
		w.mine(1)
		poll <- time.Time{}
	}
	stop()
	<-ended
}
