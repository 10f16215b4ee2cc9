package memory_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/memory"
)

// A node takes sixteen addresses of an account, and none that names no account.
func TestAddressesAreJudged(t *testing.T) {
	n := memory.New(1, memory.Faults{})
	a := join(t, n, 0, &diary{network: n})
	var list []string
	for i := range 16 {
		list = append(list, "/memory/"+account(i+1).Hex())
	}
	must(t, a.Keep(account(1), list...))
	for name, list := range map[string][]string{
		"seventeen": append(list, "/memory/"+account(20).Hex()), "no account": {"/memory/nobody"}, "another kind": {account(1).Hex()},
	} {
		if err := a.Keep(account(1), list...); !errors.Is(err, transport.ErrAddress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a.Forget(account(0))
	if len(a.Peers()) != 1 {
		t.Errorf("%+v", a.Peers())
	}
}

// Each node lists whom it keeps or is connected to, and no others; a closed one lists nobody.
// Whoever is connected need not be kept, and what became of a peer is told with its reason.
func TestPeersAreOnesOwn(t *testing.T) {
	n := memory.New(1, memory.Faults{})
	if _, waits := n.Next(); waits {
		t.Error("something waits in an empty network")
	}
	var nodes []*memory.Node
	for i := range 4 {
		nodes = append(nodes, join(t, n, i, &diary{network: n}))
	}
	must(t, nodes[0].Keep(account(1), nodes[1].Addresses()...))
	must(t, nodes[0].Keep(account(2)))
	must(t, nodes[3].Keep(account(2), nodes[2].Addresses()...))
	n.Run(time.Second)
	for i, want := range []int{2, 1, 1, 1} {
		if list := nodes[i].Peers(); len(list) != want {
			t.Errorf("node %d lists %+v", i, list)
		}
	}
	must(t, nodes[1].Connect(t.Context(), account(0)))
	if p := nodes[1].Peers()[0]; !p.Connected || p.Kept {
		t.Errorf("%+v", p)
	}
	if p := nodes[0].Peers()[1]; p.Connected || !errors.Is(p.Err, transport.ErrUnreachable) {
		t.Errorf("%+v", p)
	}
	nodes[1].Forget(account(0)) // before anybody is told
	must(t, nodes[3].Close())
	if list := nodes[3].Peers(); len(list) != 0 {
		t.Errorf("a closed node lists %+v", list)
	}
	n.Run(time.Minute)
	if err := nodes[2].Send(account(3), move(1)); !errors.Is(err, transport.ErrUnknownPeer) {
		t.Errorf("to one that has left: %v", err)
	}
}

// Whichever of the two is away, the other one is told that nobody is there.
func TestNobodyIsThere(t *testing.T) {
	for i := range 2 {
		n := memory.New(1, memory.Faults{})
		a := join(t, n, i, &diary{network: n})
		must(t, a.Keep(account(1-i), "/memory/"+account(1-i).Hex()))
		if err := a.Connect(t.Context(), account(1-i)); !errors.Is(err, transport.ErrUnreachable) {
			t.Errorf("node %d: %v", i, err)
		}
	}
}

// A message that isn't of the schema ends the connection; which comes up again.
func TestMalformedMessagesEndTheConnection(t *testing.T) {
	p := meet(t, 1, memory.Faults{})
	bad := move(1)
	bad.GetMove().ProtoReflect().SetUnknown([]byte{0xf8, 0x03, 0x01})
	must(t, p.nodes[0].Send(account(1), bad))
	p.Run(time.Millisecond)
	if p.diaries[0].up || p.diaries[1].up || len(p.diaries[1].turns) > 0 {
		t.Errorf("up %t and %t, turns %v", p.diaries[0].up, p.diaries[1].up, p.diaries[1].turns)
	}
	p.Run(time.Minute)
	if !p.diaries[0].up || !p.diaries[1].up {
		t.Error("not connected again")
	}
}

// Until a node hears that its peer let it go it takes messages, which don't arrive.
func TestMessagesIntoAnEnd(t *testing.T) {
	p := meet(t, 1, memory.Faults{Latency: 100 * time.Millisecond})
	p.nodes[1].Forget(account(0))
	must(t, p.nodes[0].Send(account(1), move(1)))
	p.Run(200 * time.Millisecond)
	if err := p.nodes[0].Send(account(1), move(2)); !errors.Is(err, transport.ErrNotConnected) {
		t.Errorf("after it was told: %v", err)
	}
	p.Run(time.Minute)
	if len(p.diaries[1].turns) > 0 {
		t.Errorf("received %v", p.diaries[1].turns)
	}
}

// A partition that began in an earlier connection doesn't end a later one before its own time.
func TestPartitionsCountForThemselves(t *testing.T) {
	p := meet(t, 1, memory.Faults{})
	p.Partition(account(0), account(1))
	p.Heal(account(0), account(1))
	must(t, p.nodes[1].Close())
	d := &diary{network: p.Network}
	again := join(t, p.Network, 1, d)
	must(t, again.Keep(account(0), p.nodes[0].Addresses()...))
	p.Run(20 * time.Second)
	p.Partition(account(0), account(1))
	// the first one's thirty seconds have passed, and then the second one's
	for _, up := range []bool{true, false} {
		if p.Run(20 * time.Second); d.up != up {
			t.Errorf("connected: %t", d.up)
		}
	}
}

// What belongs to a connection that has ended is dead: a partition that began before it, a message,
// and word that it is up. A node that joined anew isn't told what the old one would have been.
func TestOldConnectionsAreDead(t *testing.T) {
	p := meet(t, 1, memory.Faults{Latency: 80 * time.Millisecond})
	p.Run(time.Minute)
	must(t, p.nodes[0].Send(account(1), move(1)))
	p.Partition(account(0), account(1)) // would end it in thirty seconds
	must(t, p.nodes[1].Close())
	p.Heal(account(0), account(1))
	d := &diary{network: p.Network}
	again := join(t, p.Network, 1, d)
	must(t, again.Keep(account(0), p.nodes[0].Addresses()...))
	p.Partition(account(0), account(1))
	p.Heal(account(0), account(1))
	p.Run(5 * time.Minute)
	if !d.up || !p.diaries[0].up || len(d.turns) != 0 {
		t.Errorf("up %t and %t, turns %v", d.up, p.diaries[0].up, d.turns)
	}
	if len(d.lines) != 1 {
		t.Errorf("the new node was told %v", d.lines)
	}
}
