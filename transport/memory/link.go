package memory

import (
	"bytes"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// link is what is between two accounts, connected or not.
type link struct {
	network *Network
	ends    [2]common.Address // ascending
	cut     bool              // partitioned
	up      bool
	epoch   uint64 // counts connections; what belongs to an old one is dead
	trying  bool   // a try is on its way

	told    [2]uint64        // the connection of which the end's handler was told Connected and not Disconnected; 0: none
	last    [2]time.Duration // when the latest message towards the end arrives
	pending [2]int           // messages on their way towards the end
}

// side returns the index of an account's end.
func (l *link) side(account common.Address) int {
	if l.ends[0] == account {
		return 0
	}
	return 1
}

func (l *link) node(side int) *Node { return l.network.nodes[l.ends[side]] }

// try connects the two after d, if one of them wants it and nothing is in the way.
func (l *link) try(d time.Duration) {
	if l.trying || l.up {
		return
	}
	l.trying = true
	l.network.After(d, func() {
		l.trying = false
		if l.wanted() && l.blocked() == nil {
			l.connect()
		}
	})
}

// wanted reports whether one of the two knows where the other is.
func (l *link) wanted() bool {
	for side := range l.ends {
		if n := l.node(side); n != nil && n.dials(l.ends[1-side]) {
			return true
		}
	}
	return false
}

// blocked says why the two can't be connected now.
func (l *link) blocked() error {
	switch {
	case l.node(0) == nil || l.node(1) == nil:
		return fmt.Errorf("%w: nobody is there", transport.ErrUnreachable)
	case l.cut:
		return fmt.Errorf("%w: partitioned", transport.ErrUnreachable)
	default:
		return nil
	}
}

func (l *link) connect() {
	if l.up {
		return
	}
	l.up = true
	l.epoch++
	l.pending = [2]int{}
	epoch := l.epoch
	for side := range l.ends {
		l.last[side] = l.network.now + l.network.faults.Latency
		l.network.After(l.network.faults.Latency, func() {
			if n := l.node(side); n != nil && l.up && l.epoch == epoch {
				l.told[side] = epoch
				n.handler.Connected(l.ends[1-side])
			}
		})
	}
}

// drop ends the connection. Nodes that run are told when they would notice, and try again if they want.
func (l *link) drop(why error) {
	if !l.up {
		return
	}
	ended := l.epoch
	l.up = false
	l.epoch++
	for side := range l.ends {
		n := l.node(side)
		l.network.After(l.network.faults.Latency, func() {
			if l.told[side] == ended && n != nil && l.node(side) == n {
				l.told[side] = 0
				n.handler.Disconnected(l.ends[1-side], why)
			}
		})
	}
	l.try(l.network.faults.Latency + retry)
}

// send puts a framed message on its way from one end.
func (l *link) send(from int, frame []byte) error {
	n := l.network
	to := 1 - from
	if l.pending[to] >= queueSize {
		return transport.ErrQueueFull
	}
	if n.chance(n.faults.Lost) {
		return nil
	}
	at := n.now + n.faults.Latency + n.upTo(n.faults.Jitter)
	if n.chance(n.faults.Overtaken) {
		at += n.upTo(delay)
	} else {
		at = max(at, l.last[to])
		l.last[to] = at
	}
	l.arrive(to, frame, at)
	if n.chance(n.faults.Doubled) {
		l.arrive(to, frame, at+n.upTo(delay))
	}
	return nil
}

// arrive delivers a framed message at a time, unless the connection is gone by then.
func (l *link) arrive(to int, frame []byte, at time.Duration) {
	epoch := l.epoch
	l.pending[to]++
	l.network.After(at-l.network.now, func() {
		if l.epoch != epoch {
			return
		}
		l.pending[to]--
		n := l.node(to)
		if n == nil || l.cut || l.told[to] != epoch {
			return
		}
		b, err := wire.NewReader(bytes.NewReader(frame), nil).Next(wire.MaxMessage)
		if err != nil {
			l.drop(fmt.Errorf("%w: %w", transport.ErrMisbehaved, err))
			return
		}
		env, err := wire.Envelope(b)
		if err != nil {
			l.drop(fmt.Errorf("%w: %w", transport.ErrMisbehaved, err))
			return
		}
		n.handler.Receive(l.ends[1-to], env)
	})
}
