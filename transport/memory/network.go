// Package memory is a transport within one process, for tests and simulations. Nothing happens by
// itself: Step performs the next step, in virtual time, in the goroutine of its caller. All
// randomness comes from one seed, so that a failed run fails again in the same way.
//
// It can be worse than any network: messages are lost unnoticed, repeated and reordered. What
// survives that survives streams, which lose messages only when they break.
//
// Messages are framed and decoded as on a real stream (package wire), so caps hold here too and
// nothing is shared between nodes. Nothing here is safe for concurrent use; handlers may call
// everything.
package memory

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/ante-games/ante/transport"
)

// Faults say what a network does to messages. The zero value is a perfect network.
type Faults struct {
	Latency   time.Duration // of every message
	Jitter    time.Duration // up to this much more, by chance; order is kept
	Lost      int           // so many in a thousand messages vanish
	Doubled   int           // so many in a thousand come again later
	Overtaken int           // so many in a thousand come later than those after them
}

const (
	retry = time.Second // a kept account is tried again after this long
	// who lost its place to another of its account waits for up to this long, twice as long each
	// time
	patience = time.Minute
	// a peer tells an account for this long that another of it connected
	rivalFor  = 10 * time.Minute
	detection = 30 * time.Second // a connection across a partition ends after this long
	delay     = 3 * time.Second  // what is doubled or overtaken comes up to this much later
	queueSize = 256              // messages on their way from one node to another
)

// Network is where nodes meet.
type Network struct {
	faults Faults
	rand   *rand.Rand
	apart  func(from, to common.Address) *rand.Rand // nil: all links draw from rand
	now    time.Duration
	events []event                    // those that come first last; of one time, the newest first
	nodes  map[common.Address][]*Node // those that run, in the order in which they joined
	links  []*link                    // in the order in which they were first needed
}

// New returns a network without nodes, which draws its faults from the seed.
func New(seed uint64, faults Faults) *Network {
	return &Network{faults: faults, rand: rand.New(rand.NewPCG(seed, 0)), nodes: map[common.Address][]*Node{}}
}

// Apart gives each direction of each link its own random source from now on. So faults on a link
// depend on its own messages only, and not on what others send before, which the scheduler decides
// where nodes have goroutines.
func (n *Network) Apart(source func(from, to common.Address) *rand.Rand) { n.apart = source }

// SetFaults changes the faults of messages that are sent from now on.
func (n *Network) SetFaults(f Faults) { n.faults = f }

// Now returns the virtual time since New.
func (n *Network) Now() time.Duration { return n.now }

// After makes f happen d from now, as one step of the network: a simulation's timers live in the
// same time.
func (n *Network) After(d time.Duration, f func()) {
	at := n.now + max(d, 0)
	i, _ := slices.BinarySearchFunc(n.events, at, func(e event, at time.Duration) int { return cmp.Compare(at, e.at) })
	n.events = slices.Insert(n.events, i, event{at, f})
}

// Next returns the time of the next step, since New, and false if there is none.
func (n *Network) Next() (at time.Duration, waits bool) {
	if len(n.events) == 0 {
		return 0, false
	}
	return n.events[len(n.events)-1].at, true
}

// Step performs the next step, and reports whether there was one.
func (n *Network) Step() bool {
	last := len(n.events) - 1
	if last < 0 {
		return false
	}
	e := n.events[last]
	n.events = slices.Delete(n.events, last, last+1)
	n.now = e.at
	e.do()
	return true
}

// Run performs every step that is due within d, and advances the time by d.
func (n *Network) Run(d time.Duration) {
	until := n.now + d
	for at, waits := n.Next(); waits && at <= until; at, waits = n.Next() {
		n.Step()
	}
	n.now = until
}

// Join starts a node for an account. One account may have several, as when two programs run with
// copies of one key: each peer talks to the one that connected last; the others lose their
// connection and connect again in turn.
func (n *Network) Join(account common.Address, h transport.Handler) *Node {
	node := &Node{network: n, account: account, handler: h, since: n.now, kept: map[common.Address]*kept{}}
	n.nodes[account] = append(n.nodes[account], node)
	for _, l := range n.links {
		if l.ends[0] == account || l.ends[1] == account {
			l.try(retry)
		}
	}
	return node
}

// Partition cuts two accounts off from each other, until Heal. What is on its way is lost, and
// after a while both are disconnected.
func (n *Network) Partition(a, b common.Address) {
	l := n.link(a, b)
	l.cut = true
	epoch := l.epoch
	n.After(detection, func() {
		if l.cut && l.epoch == epoch {
			l.drop(transport.ErrSlow)
		}
	})
}

// Heal undoes Partition.
func (n *Network) Heal(a, b common.Address) {
	l := n.link(a, b)
	l.cut = false
	l.try(0)
}

// link returns the link between two accounts, made if it isn't there.
func (n *Network) link(a, b common.Address) *link {
	if a.Cmp(b) > 0 {
		a, b = b, a
	}
	ends := [2]common.Address{a, b}
	if i := slices.IndexFunc(n.links, func(l *link) bool { return l.ends == ends }); i >= 0 {
		return n.links[i]
	}
	l := &link{network: n, ends: ends}
	n.links = append(n.links, l)
	return l
}

// chance reports whether something that happens so often in a thousand times happens now.
func chance(r *rand.Rand, inThousand int) bool { return inThousand > 0 && r.IntN(1000) < inThousand }

// upTo returns a random time below d.
func upTo(r *rand.Rand, d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return time.Duration(r.Int64N(int64(d)))
}

// event is something that happens at a time.
type event struct {
	at time.Duration
	do func()
}
