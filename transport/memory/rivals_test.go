package memory_test

import (
	"testing"
	"time"

	"github.com/ante-games/ante/transport/memory"
)

// rivals are two nodes of account 0, of which the first is connected with a node of account 1.
type rivals struct {
	*memory.Network
	t             *testing.T
	peer          *memory.Node
	first, second *memory.Node
	one, two      *witness
}

// compete has the first node connect, and the second join without keeping anybody.
func compete(t *testing.T, latency time.Duration) *rivals {
	t.Helper()
	n := memory.New(1, memory.Faults{Latency: latency})
	r := &rivals{Network: n, t: t, one: &witness{diary: diary{network: n}}, two: &witness{diary: diary{network: n}}}
	r.peer = join(t, n, 1, &diary{network: n})
	must(t, r.peer.Keep(account(0)))
	r.first = join(t, n, 0, r.one)
	must(t, r.first.Keep(account(1), r.peer.Addresses()...))
	r.Run(time.Minute)
	r.second = join(t, n, 0, r.two)
	return r
}

// shows checks which of the two has the connection.
func (r *rivals) shows(when string, first, second bool) {
	r.t.Helper()
	if r.one.up != first || r.two.up != second {
		r.t.Errorf("%s: the first is connected: %t, the second: %t", when, r.one.up, r.two.up)
	}
}

// A second node of an account takes the connection after its pause if it wants it, can have it, and
// still wants it then.
func TestRivalsWait(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile     func(r *rivals)
		first, second bool
	}{
		"it does":            {func(*rivals) {}, false, true},
		"it is partitioned":  {func(r *rivals) { r.Partition(account(0), account(1)) }, true, false},
		"it forgets":         {func(r *rivals) { r.second.Forget(account(1)) }, true, false},
		"it closes":          {func(r *rivals) { must(r.t, r.second.Close()) }, true, false},
		"the peer goes away": {func(r *rivals) { must(r.t, r.peer.Close()) }, false, false},
	} {
		r := compete(t, 0)
		must(t, r.second.Keep(account(1), r.peer.Addresses()...))
		c.meanwhile(r)
		r.Run(1500 * time.Millisecond)
		r.shows(name, c.first, c.second)
	}
}

// A node that doesn't say where its peer is never takes a connection over, and asking for it again
// and again makes no difference.
func TestRivalsWantIt(t *testing.T) {
	r := compete(t, 0)
	r.Run(time.Minute) // the second keeps nobody
	must(t, r.second.Keep(account(1)))
	r.Run(time.Minute)
	r.shows("without an address", true, false)
	for range 5 {
		must(t, r.second.Keep(account(1), r.peer.Addresses()...))
	}
	r.Run(250 * time.Millisecond)
	turns := []time.Duration{1, 2, 4, 6, 10, 14} // each waits twice as long as before
	for at := 250 * time.Millisecond; at < 15*time.Second; at += 500 * time.Millisecond {
		first := true
		for _, turn := range turns {
			if at > turn*time.Second {
				first = !first
			}
		}
		r.shows("in turns", first, !first)
		r.Run(500 * time.Millisecond)
	}
}

// A node that lost its connection before it was told of it isn't told that it is there, nor one
// that has closed that it is gone.
func TestRivalsAreTold(t *testing.T) {
	r := compete(t, 500*time.Millisecond)
	must(t, r.second.Keep(account(1), r.peer.Addresses()...))
	must(t, r.second.Connect(t.Context(), account(1)))
	must(t, r.first.Close())
	before := len(r.one.lines)
	r.Run(time.Minute)
	if len(r.one.lines) != before {
		t.Errorf("a closed node was told %v", r.one.lines[before:])
	}
	r.shows("alone", true, true) // as far as the closed one knows

	r = compete(t, 500*time.Millisecond)
	must(t, r.second.Keep(account(1), r.peer.Addresses()...))
	must(t, r.second.Connect(t.Context(), account(1)))
	r.Run(time.Millisecond)
	must(t, r.first.Connect(t.Context(), account(1)))
	r.Run(900 * time.Millisecond)
	if len(r.two.lines) > 0 {
		t.Errorf("the second was told %v", r.two.lines)
	}
}

// A node that dials is shown for ten minutes that another of its account connected; one that is
// dialled is shown nothing.
func TestRivalsAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		dials  bool
		after  time.Duration // from one connection to the next
		copied int
	}{
		"soon": {true, time.Minute, 1}, "just in time": {true, 10 * time.Minute, 1}, "too late": {true, 10*time.Minute + 1, 0}, "dialled": {false, time.Minute, 0},
	} {
		n := memory.New(1, memory.Faults{})
		w := &witness{diary: diary{network: n}}
		peer, first := join(t, n, 1, &diary{network: n}), join(t, n, 0, w)
		n.Run(time.Second)
		second := join(t, n, 0, &diary{network: n})
		must(t, peer.Keep(account(0), second.Addresses()...))
		n.Run(time.Millisecond) // the newer one has the connection
		n.Run(c.after - time.Second - time.Millisecond)
		must(t, second.Close())
		if c.dials {
			must(t, first.Keep(account(1), peer.Addresses()...))
		}
		n.Run(time.Second)
		if w.copied != c.copied || !w.up {
			t.Errorf("%s: shown %d times, want %d; connected: %t", name, w.copied, c.copied, w.up)
		}
	}
}
