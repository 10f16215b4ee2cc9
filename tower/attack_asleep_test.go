package tower

import (
	"math"
	"net/http"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
)

// TestAttack_DownAtStart_Tower: the endpoint of a tower that was started again goes down, and seats
// come before the tower has read a block. What they gave, and give, is not taken for old when the
// endpoint is back.
func TestAttack_DownAtStart_Tower(t *testing.T) {
	var e *chaintest.Endpoint
	s := besiegeAt(t, chain.Seconds, func(c *Config) {
		var err error
		if e, err = chaintest.NewEndpoint(c.Chain.URL); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(e.Close)
		c.Chain.URL = e.URL
	})
	s.entrust()
	s.must(s.Close())
	config := s.config
	config.Network = func(protocol.Domain, transport.Handler) (Network, error) {
		e.Fail(http.StatusServiceUnavailable)
		return s.post, nil
	}
	var err error
	s.Tower, err = Start(t.Context(), config)
	s.must(err)
	s.entrust()
	if r := s.give(0, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}); r.Time == 0 {
		t.Errorf("a receipt until %d", r.Expiry)
	}
	e.Fail(0)
	s.mine(2)
	if n := s.Seats(); n != 2 {
		t.Errorf("%d seats are held", n)
	}
}

// TestAttack_LyingRPC_Expiry: while an endpoint tells an old block, or one of no time that there
// is, a seat is heard of. What it gave before is kept for as long as its receipt says.
func TestAttack_LyingRPC_Expiry(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	before, err := s.holding(s.id, 1)
	s.must(err)
	for _, told := range []uint64{1, math.MaxUint64} {
		s.mu.Lock()
		s.newest.Number = told
		s.mu.Unlock()
		s.entrust()
		if after, err := s.holding(s.id, 1); err != nil || after.Expiry < before.Expiry {
			t.Errorf("kept until %d, then until %d: %v", before.Expiry, after.Expiry, err)
		}
	}
	r := s.give(0, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}})
	if r.Expiry < before.Expiry {
		t.Errorf("what came first then is kept until %d", r.Expiry)
	}
}

// TestAttack_LyingRPC_Sweep: while one endpoint of two is down, the other one tells a time at which
// all seats would have been silent for too long. What they gave is not dropped by its word alone.
func TestAttack_LyingRPC_Sweep(t *testing.T) {
	var honest *chaintest.Endpoint
	s := besiege(t, func(c *Config) {
		var err error
		if honest, err = chaintest.NewEndpoint(c.Chain.URL); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(honest.Close)
		c.Chain.Second = honest.URL
	})
	s.entrust()
	for _, down := range []int{http.StatusServiceUnavailable, 0} {
		honest.Fail(down)
		s.must(s.world.Chain.Mine(1))
		s.must(s.Wait(t.Context(), func() (bool, error) { return s.drive.Client.Alone() == (down != 0), nil }))
		far := chain.Block{Number: 1 << 40}
		s.must(s.reached(t.Context(), &chain.Reach{Head: far, Shared: far, Whole: true}))
		if n := s.Seats(); (n == 1) != (down != 0) {
			t.Errorf("with an answer %d of the other one: %d seats are held", down, n)
		}
	}
}

// TestAttack_LyingRPC_Unread: an endpoint keeps a tower from reading blocks, in which a channel may
// have been contested whose seat has been silent for long. What the seat gave stays until it is
// known that nobody needs it.
func TestAttack_LyingRPC_Unread(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	far := chain.Block{Number: 1 << 40}
	for _, whole := range []bool{false, true} {
		s.must(s.reached(t.Context(), &chain.Reach{Head: far, Shared: far, Whole: whole}))
		if n := s.Seats(); (n == 0) != whole {
			t.Errorf("all read %t: %d seats are held", whole, n)
		}
	}
}
