package node

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// person is an owner that thinks until it may answer.
type person struct {
	Owner
	asked  atomic.Int64
	answer chan struct{}
}

func (p *person) SignOpening(context.Context, protocol.Domain, *protocol.Terms) ([]byte, error) {
	p.asked.Add(1)
	<-p.answer
	return nil, chain.ErrSignerAway
}

// TestOneQuestionAtATime: while a person thinks about an opening it is not asked about that again,
// and is when it did not answer.
func TestOneQuestionAtATime(t *testing.T) {
	closed, cancel := context.WithCancel(t.Context())
	cancel()
	p := &person{answer: make(chan struct{})}
	n := newNode(closed, Config{Owner: p, Now: time.Now})
	n.stop()
	o, other := &Offer{}, &Offer{ID: common.Hash{1}}
	for range 3 {
		n.concludeLater(o)
	}
	n.concludeLater(other)
	close(p.answer)
	n.done.Wait()
	if got := p.asked.Load(); got != 2 {
		t.Errorf("asked %d times about two openings", got)
	}
	n.concludeLater(o)
	n.done.Wait()
	if got := p.asked.Load(); got != 3 {
		t.Errorf("asked %d times, the last time after no answer", got)
	}
}
