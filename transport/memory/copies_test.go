package memory_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
)

// witness is a diary that hears of other holders of its key.
type witness struct {
	diary
	copied int
}

func (w *witness) Copied(common.Address) { w.copied++ }

// Two nodes of one account talk to their peer in turns, each for longer than before, and both learn
// of each other. A node that was started again learns of nothing.
func TestCopiesTakeTurns(t *testing.T) {
	n := memory.New(1, memory.Faults{Latency: 100 * time.Millisecond})
	peer := &diary{network: n}
	b := join(t, n, 1, peer)
	must(t, b.Keep(account(0)))
	start := func() (*memory.Node, *witness) {
		w := &witness{diary: diary{network: n}}
		node := join(t, n, 0, w)
		must(t, node.Keep(account(1), b.Addresses()...))
		return node, w
	}
	first, _ := start()
	n.Run(time.Minute)
	must(t, first.Close())
	n.Run(time.Minute)
	first, one := start()
	n.Run(time.Minute)
	if one.copied > 0 || !one.up {
		t.Fatalf("a node that was started again was told of %d copies, connected: %v", one.copied, one.up)
	}
	second, two := start()
	had, switches := map[*memory.Node]int{}, 0
	var last *memory.Node
	for turn := range uint64(1200) {
		n.Run(500 * time.Millisecond)
		for node, w := range map[*memory.Node]*witness{first: one, second: two} {
			err := node.Send(account(1), move(turn))
			if err == nil {
				if had[node]++; node != last {
					switches++
				}
				last = node
			} else if !errors.Is(err, transport.ErrNotConnected) {
				t.Fatal(err)
			}
			if node.Peers()[0].Connected != (err == nil) {
				t.Fatalf("it sends: %v; it says that it is connected: %v; %v", err, node.Peers()[0].Connected, w.up)
			}
		}
		must(t, b.Send(account(0), move(turn)))
	}
	if had[first]+had[second] != 1200 || had[first] < 400 || had[second] < 400 {
		t.Errorf("the one had the connection %d times of 1200, the other %d times", had[first], had[second])
	}
	if switches < 8 || switches > 30 {
		t.Errorf("the connection went from one to the other %d times in ten minutes", switches)
	}
	if one.copied == 0 || two.copied == 0 {
		t.Errorf("told of a copy: %d and %d times", one.copied, two.copied)
	}
	for _, w := range []*witness{one, two} {
		if len(w.turns) < 300 || slices.Max(w.turns) < 1000 {
			t.Errorf("a copy got %d messages", len(w.turns))
		}
	}
	must(t, second.Close())
	n.Run(time.Minute)
	before := len(one.turns)
	must(t, b.Send(account(0), move(1)))
	n.Run(time.Second)
	if len(one.turns) != before+1 || first.Connect(t.Context(), account(1)) != nil {
		t.Error("the copy that is left isn't connected")
	}
}
