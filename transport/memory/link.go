package memory

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// link is what is between two accounts, connected or not.
type link struct {
	network *Network
	ends    [2]common.Address // ascending
	cut     bool              // partitioned
	up      bool
	epoch   uint64        // counts connections; what belongs to an old one is dead
	trying  bool          // a try is on its way
	at      [2]*Node      // whose connection it is, or was last
	born    time.Duration // when it came up
	proved  [2]proof

	// the connection of which the end's handler was told Connected and not Disconnected; 0: none
	told    [2]uint64
	last    [2]time.Duration // when the latest message towards the end arrives
	pending [2]int           // messages on their way towards the end
	rand    [2]*rand.Rand    // what their fate is drawn from, if not from the network's
}

// proof is when an end's account proved last that it is there, and which of its nodes did.
type proof struct {
	node *Node
	at   time.Duration
}

// side returns the index of an account's end.
func (l *link) side(account common.Address) int {
	if l.ends[0] == account {
		return 0
	}
	return 1
}

// nodes are those of an end's account.
func (l *link) nodes(side int) []*Node { return l.network.nodes[l.ends[side]] }

// holds reports whether the connection is this node's, and not another's of its account.
func (l *link) holds(n *Node) bool { return l.up && l.at[l.side(n.account)] == n }

// try connects the newest nodes of the two after d, if one of them wants it and nothing is in the
// way.
func (l *link) try(d time.Duration) {
	if l.trying || l.up {
		return
	}
	l.trying = true
	l.network.After(d, func() {
		l.trying = false
		if !l.up && l.wanted() && l.blocked() == nil {
			l.begin(l.newest())
		}
	})
}

// wanted reports whether one of the two knows where the other is.
func (l *link) wanted() bool {
	for side := range l.ends {
		if slices.ContainsFunc(l.nodes(side), func(n *Node) bool { return n.dials(l.ends[1-side]) }) {
			return true
		}
	}
	return false
}

// blocked says why the two can't be connected now.
func (l *link) blocked() error {
	switch {
	case len(l.nodes(0)) == 0 || len(l.nodes(1)) == 0:
		return fmt.Errorf("%w: nobody is there", transport.ErrUnreachable)
	case l.cut:
		return fmt.Errorf("%w: partitioned", transport.ErrUnreachable)
	default:
		return nil
	}
}

// newest returns the newest node of each account.
func (l *link) newest() (ends [2]*Node) {
	for side := range ends {
		ends[side] = l.nodes(side)[len(l.nodes(side))-1]
	}
	return ends
}

// takeOver connects a node, in the place of another of its account if that has the connection.
func (l *link) takeOver(n *Node) {
	ends := l.at
	switch {
	case l.holds(n):
		return
	case !l.up:
		ends = l.newest()
	}
	l.drop(fmt.Errorf("%w: replaced by another connection of its account", transport.ErrClosed))
	ends[l.side(n.account)] = n
	l.begin(ends)
}

// contend has a node that wants the connection, and that has lost it to another of its account,
// take it after a while.
func (l *link) contend(n *Node) {
	other := l.ends[1-l.side(n.account)]
	k := n.kept[other]
	if !l.up || l.holds(n) || !n.dials(other) || k.waiting {
		return
	}
	k.waiting, k.pause = true, min(max(retry, 2*k.pause), patience)
	l.network.After(k.pause, func() {
		k.waiting = false
		if l.up && !n.closed && n.kept[other] == k && !l.cut {
			l.takeOver(n)
		}
	})
}

func (l *link) begin(ends [2]*Node) {
	l.up, l.at = true, ends
	l.epoch++
	l.pending, l.born = [2]int{}, l.network.now
	epoch := l.epoch
	for side, n := range l.at {
		l.last[side] = l.network.now + l.network.faults.Latency
		l.network.After(l.network.faults.Latency, func() {
			if !n.closed && l.up && l.epoch == epoch {
				l.told[side] = epoch
				l.prove(side, n)
				n.handler.Connected(l.ends[1-side])
			}
		})
		for _, copied := range l.nodes(side) {
			l.contend(copied)
		}
	}
}

// prove has a node's account prove itself to its peer, who shows a node that dials what proved the
// account before: see package p2p.
func (l *link) prove(side int, n *Node) {
	before, now := l.proved[side], l.network.now
	l.proved[side] = proof{n, now}
	if before.node == nil || before.node == n || before.at <= n.since || now-before.at > rivalFor || !n.dials(l.ends[1-side]) {
		return
	}
	if w, is := n.handler.(transport.Witness); is {
		w.Copied(l.ends[1-side])
	}
}

// drop ends the connection. Nodes that run are told when they would notice, and try again if they
// want.
func (l *link) drop(why error) {
	if !l.up {
		return
	}
	ended := l.epoch
	l.up = false
	l.epoch++
	for side, n := range l.at {
		if k := n.kept[l.ends[1-side]]; k != nil && l.network.now-l.born > patience {
			k.pause = 0
		}
		l.network.After(l.network.faults.Latency, func() {
			if l.told[side] == ended && !n.closed {
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
	r := l.source(to)
	if chance(r, n.faults.Lost) {
		return nil
	}
	at := n.now + n.faults.Latency + upTo(r, n.faults.Jitter)
	if chance(r, n.faults.Overtaken) {
		at += upTo(r, delay)
	} else {
		at = max(at, l.last[to])
		l.last[to] = at
	}
	l.arrive(to, frame, at)
	if chance(r, n.faults.Doubled) {
		l.arrive(to, frame, at+upTo(r, delay))
	}
	return nil
}

// source is what the fate of messages towards an end is drawn from.
func (l *link) source(to int) *rand.Rand {
	if l.network.apart == nil {
		return l.network.rand
	}
	if l.rand[to] == nil {
		l.rand[to] = l.network.apart(l.ends[1-to], l.ends[to])
	}
	return l.rand[to]
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
		n := l.at[to]
		if l.cut || l.told[to] != epoch {
			return
		}
		b, err := wire.NewReader(bytes.NewReader(frame), nil).Next(wire.MaxMessage)
		var env *antev1.Envelope
		if err == nil {
			env, err = wire.Envelope(b)
		}
		if err != nil {
			l.drop(fmt.Errorf("%w: %w", transport.ErrMisbehaved, err))
			return
		}
		n.handler.Receive(l.ends[1-to], env)
	})
}
