package tower

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/protocol/onchain"
)

// besiegeBehind is besiege with an endpoint of the tower's own.
func besiegeBehind(t *testing.T) (*siege, *chaintest.Endpoint) {
	t.Helper()
	var e *chaintest.Endpoint
	return besiege(t, func(c *Config) {
		var err error
		if e, err = chaintest.NewEndpoint(c.Chain.URL); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(e.Close)
		c.Chain.URL = e.URL
	}), e
}

// follows waits until the tower has seen all blocks, or says why it doesn't.
func (s *siege) follows() error {
	return s.Wait(s.Context(), func() (bool, error) { return s.Head().Block >= s.world.Chain.Head(), s.Err() })
}

// TestAttack_RefusedRPC_Tower: somebody has the Arena say in one block, for next to nothing, more
// than an endpoint tells of a block. The tower goes on.
func TestAttack_RefusedRPC_Tower(t *testing.T) {
	s, e := besiegeBehind(t)
	const most = 20
	e.Tell(most)
	var crowd onchain.Batch
	for range most + 1 {
		crowd = append(crowd, onchain.Deposit{Account: s.owners[1].Address()})
	}
	s.act(0, crowd)
	s.must(s.follows())
}

// TestAttack_RefusedRPC_Unseen: while a tower's endpoint tells it nothing, its metrics say so.
func TestAttack_RefusedRPC_Unseen(t *testing.T) {
	s := besiege(t, nil)
	alarm := chain.Alarm{Fault: &chain.NotFollowing{Err: errors.New("too many results")}}
	s.alarm(alarm)
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "too many results") {
		t.Errorf("nothing is read: %v", err)
	}
	alarm.Over = true
	s.alarm(alarm)
	if err := s.Err(); err != nil {
		t.Errorf("the chain is read again: %v", err)
	}
}

// TestAttack_Sybil_Restart: a tower that was started again knows its seats, so that strangers who
// came before them can't keep them out.
func TestAttack_Sybil_Restart(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.must(s.Close())
	var err error
	s.Tower, err = Start(t.Context(), s.config)
	s.must(err)
	for seat, known := range []bool{false, true} {
		if (handler{s.Tower}).Befriended(s.owners[seat].Address()) != known {
			t.Errorf("seat %d is a friend: %t", seat, !known)
		}
	}
}
