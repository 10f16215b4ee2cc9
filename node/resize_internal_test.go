package node

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// listed is a store that has something else happen, once, when offers are looked through.
type listed struct {
	store.Store
	then func()
}

func (s *listed) Scan(prefix, from string, visit func(string, []byte) error) error {
	if then := s.then; prefix == offerPrefix && then != nil {
		s.then = nil
		then()
	}
	return s.Store.Scan(prefix, from, visit)
}

// TestResizeChangedMeanwhile: a wish to resize a channel that is taken back, or replaced, while the
// offer for it is made, is not offered.
func TestResizeChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]*Resize{"taken back": nil, "replaced": {Deposits: []*uint256.Int{uint256.NewInt(1), nil}}} {
		l := newLab(t)
		s := &listed{Store: store.NewMemory()}
		alice, bob := l.node(func(c *Config) { c.Store = s }), l.node(nil)
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		in := l.session(alice, id)
		// which a crash kept from being noted
		o := l.offer(alice, 1, 0, []common.Address{alice.Account(), bob.Account()}, func(o *Offer) { o.Replaces = id })
		l.must(in.resize(&Resize{Deposits: []*uint256.Int{uint256.NewInt(200), nil}}))
		s.then = func() {
			if next == nil {
				l.must(alice.KeepChannel(id))
			} else {
				l.must(in.resize(next))
			}
		}
		l.must(alice.tendResize(t.Context(), in))
		now, err := alice.offer(o.ID)
		l.must(err)
		if now.State != OfferDeclined || in.instructions.Resize != next {
			t.Errorf("%s: it is to be resized to %v, and what was wished before is %s", name, in.instructions.Resize, now.State)
		}
	}
}

// TestResizeFails: what could not be offered at once is forgotten, but not what was wished or
// offered meanwhile.
func TestResizeFails(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	s := &listed{Store: store.NewMemory()}
	alice, bob := l.node(func(c *Config) { c.Store = s }), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	in := l.session(alice, id)
	l.offer(alice, 1, 1, []common.Address{bob.Account(), alice.Account()}, func(o *Offer) { o.Replaces = id })
	want := func() error {
		return alice.ResizeChannel(t.Context(), id, []*uint256.Int{uint256.NewInt(200), nil}, "")
	}
	if err := want(); err == nil || in.instructions.Resize != nil {
		t.Errorf("it is to be resized to %v, %v", in.instructions.Resize, err)
	}
	offered := &Resize{Offer: common.Hash{2}}
	s.then = func() { l.must(in.resize(offered)) }
	if err := want(); err == nil || in.instructions.Resize != offered {
		t.Errorf("it is to be resized to %v, %v", in.instructions.Resize, err)
	}
}

// TestAttack_Resize_Declined: the offer to resize a channel is taken back while its maker's node
// asks the chain whether all can pay what they add. The channel is not closed then.
func TestAttack_Resize_Declined(t *testing.T) {
	t.Parallel()
	for _, declined := range []bool{true, false} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		var now atomic.Bool
		asked := Join(t, func(c *Config) {
			c.Chain.URL = watch(t, c.Chain.URL, func(body []byte) {
				if !bytes.Contains(body, []byte("eth_call")) || !now.CompareAndSwap(true, false) {
					return
				}
				if err := alice.Decline(common.Hash{1}, "I have changed my mind"); err != nil {
					t.Error(err)
				}
			})
		})
		l.must(asked.Wait(t.Context(), func() (bool, error) { return asked.blind() == nil, nil }))
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		terms := l.session(alice, id).terms
		alice.drive.Client, alice.drive.Arena = asked.drive.Client, asked.drive.Arena
		o := l.offer(alice, 1, 0, terms.Players, func(o *Offer) {
			o.Replaces, o.Balances = id, stakes(100, 100)
			o.Terms.Signers, o.Terms.Deposits = terms.Signers, stakes(50, 100)
		})
		now.Store(declined)
		l.must(alice.closeReplaced(t.Context(), o))
		if c, err := alice.Channel(id); err != nil || (c.Status == ChannelOpen) != declined {
			t.Errorf("declined %t: the channel is %s, %v", declined, c.Status, err)
		}
	}
}
