package p2p

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/wire"
)

// seats is a handler with friends that it doesn't keep.
type seats struct {
	transport.Handler
	friend func(common.Address) bool
}

func (s seats) Befriended(account common.Address) bool { return s.friend(account) }

// only is the friend of a handler that has one.
func only(friend common.Address) func(common.Address) bool {
	return func(a common.Address) bool { return a == friend }
}

// What strangers send doesn't use up what the handler's friends may send, kept or not.
func TestAttack_QueueFlood_Seat(t *testing.T) {
	tb := newTableWith(t, func(c *Config) {
		c.Limits = Limits{Reading: 1} // a unit a second
		c.Handler = seats{c.Handler, only(player(malloryPlayer + 1).Address())}
	})
	all := tb.victim.read.total.Limit().Total.Burst
	// of a stranger, which uses up the share of all
	tb.victim.read.await(func() (budget.Who, bool) { return budget.Who{}, false }, all, nil)
	m := newMallory(t, malloryPlayer+1)
	large := move(1)
	large.GetMove().Move = make([]byte, 240<<10)
	frame, err := wire.FrameEnvelope(large)
	tb.must(err)
	_, err = m.enter(tb.victim).Write(frame)
	tb.must(err)
	tb.await("the message is handled", func() bool { return len(tb.seen.Turns(m.Address())) == 1 })
}

// A large message gets its turn however many small ones others send.
func TestAttack_QueueFlood_Large(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const large, others = 100, 50
		r := newReadings(time.Now, Limits{Reading: 10}.reading())
		ended := make(chan struct{})
		by := func(i byte) payer {
			return func() (budget.Who, bool) { return budget.Who{Account: common.Address{i}}, false }
		}
		r.await(by(0), r.total.Limit().Total.Burst, ended)
		for i := range byte(others) {
			go func() {
				for {
					select {
					case <-ended:
						return
					default:
						r.await(by(1+i), 1, ended)
					}
				}
			}()
		}
		var done atomic.Bool
		go func() {
			r.await(by(others+1), large, ended)
			done.Store(true)
		}()
		time.Sleep((large + 2*others) * time.Second / 10) // two small ones of each may come first
		if !done.Load() {
			t.Error("it still waits")
		}
		close(ended)
	})
}
