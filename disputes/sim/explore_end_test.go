package sim

import (
	"bytes"
	"slices"

	"github.com/ante-games/ante/protocol"
)

// after is what follows every step by itself: seats that cheat tell each other everything at once,
// and keep what they hold. Then it looks at what holds after every step.
func (n *node) after() {
	n.pump()
	for _, s := range n.gang.members {
		n.gang.learn(s)
	}
	for _, a := range n.gang.albums {
		a.supports = distinct(a.supports)
	}
	if n.fault != nil {
		n.lose("%v", n.fault)
	}
	for _, said := range n.log {
		n.convictions(said.event)
	}
	n.signedOnce()
}

// distinct drops what is there already.
func distinct(list []*protocol.Support) []*protocol.Support {
	return slices.DeleteFunc(slices.Clone(list), func(s *protocol.Support) bool {
		first := slices.IndexFunc(list, func(o *protocol.Support) bool {
			return o.Turn == s.Turn && bytes.Equal(o.Base, s.Base) && slices.EqualFunc(o.Moves, s.Moves, bytes.Equal) && slices.Equal(o.Signatures, s.Signatures)
		})
		return list[first] != s
	})
}

// pump delivers what seats that cheat say to each other.
func (n *node) pump() {
	for again := true; again; {
		again = false
		for at := range n.links {
			if from, to := at/len(n.seats), at%len(n.seats); !n.seats[from].honest && !n.seats[to].honest && len(n.links[at]) > 0 {
				n.deliver(at)
				again = true
			}
		}
	}
}

// finish plays a state to its last payment: no message arrives any more, seats that cheat do
// nothing, and honest ones want their due. When nothing is left for those to do, the others fetch
// what is theirs as well. Then everybody must have what is due.
func (n *node) finish() {
	n.last, n.left, n.forks = true, allowances{}, nil
	clear(n.links)
	for i := range n.moods {
		n.moods[i] = mood{asks: true, exits: true}
	}
	for phase := range 3 {
		if phase == 2 {
			n.collectAll()
		}
		n.still(phase == 0)
		if n.goOut(phase) {
			return
		}
		for _, s := range n.seats {
			if s.honest && phase == 0 {
				s.owed("waits in vain")
			}
		}
	}
	if !n.failed() && !n.over() {
		n.lose("nothing comes of it: the money is still locked")
	}
	if err := n.auditor.Empty(); err != nil && !n.failed() {
		n.lose("at the end: %v", err)
	}
	n.after()
	for _, s := range n.seats {
		if s.honest {
			s.paid()
		}
	}
}

// still has seats that cheat keep off the chain, or not.
func (n *node) still(on bool) {
	for _, s := range n.gang.members {
		s.hooks.passive = on
	}
}

// goOut goes on until nobody has anything to do any more. It reports whether it came to a state
// from which it went on before.
func (n *node) goOut(phase int) (known bool) {
	n.everybody()
	for idle := false; !n.over() && !n.failed(); {
		if n.went != nil && !idle {
			n.left.posts = phase
			key := n.fingerprint()
			if n.went[key] {
				return true
			}
			n.went[key] = true
		}
		clear(n.links)
		if len(n.pool) > 0 {
			for len(n.pool) > 0 {
				n.include(0)
			}
			n.pass(1)
			idle = false
			continue
		}
		if idle {
			return false
		}
		next := n.wakes(n.chain.Block() + 2*window)
		if final := n.unsettled(); final > n.chain.Block() {
			next = min(next, final)
		}
		idle = next == n.chain.Block()+2*window
		n.pass(next - n.chain.Block())
	}
	return false
}

// collectAll pays whatever is final and nobody fetched.
func (n *node) collectAll() {
	l, _ := n.view.Ledger()
	if l == nil || n.over() || n.failed() {
		return
	}
	a := n.closing(l.Ledger)
	if t, err := n.submit(n.seats[0], "", a); err == nil {
		n.pool = slices.Delete(n.pool, len(n.pool)-1, len(n.pool))
		n.count(a, n.execute(t))
		n.pass(1)
	}
}
