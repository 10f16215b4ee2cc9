package memory_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ante-games/ante/transport/transporttest"
)

func account(i int) common.Address { return common.BytesToAddress([]byte{0xac, byte(i + 1)}) }

func TestTransport(t *testing.T) {
	for name, faults := range map[string]memory.Faults{
		"perfect": {},
		"distant": {Latency: 80 * time.Millisecond, Jitter: 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			transporttest.Run(t, func(t *testing.T) transporttest.Network {
				n := memory.New(1, faults)
				return transporttest.Network{
					Account: account,
					Step:    n.Step,
					Join: func(t testing.TB, i int, h transport.Handler) transporttest.Node {
						return join(t, n, i, h)
					},
				}
			})
		})
	}
}

func join(t testing.TB, n *memory.Network, i int, h transport.Handler) *memory.Node {
	t.Helper()
	return n.Join(account(i), h)
}

// diary is a handler that writes down when it was told what.
type diary struct {
	network *memory.Network
	lines   []string
	turns   []uint64
	up      bool
}

func (d *diary) note(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf("%s ", d.network.Now())+fmt.Sprintf(format, args...))
}
func (d *diary) Connected(a common.Address) { d.up = true; d.note("up %s", a) }
func (d *diary) Receive(a common.Address, env *antev1.Envelope) {
	d.turns = append(d.turns, env.GetMove().Turn)
	d.note("move %d from %s", env.GetMove().Turn, a)
}
func (d *diary) Disconnected(a common.Address, why error) {
	d.up = false
	d.note("down %s: %v", a, why)
}

func move(turn uint64) *antev1.Envelope {
	return &antev1.Envelope{Body: &antev1.Envelope_Move{Move: &antev1.Move{Turn: turn}}}
}

type pair struct {
	*memory.Network
	nodes   [2]*memory.Node
	diaries [2]*diary
}

func meet(t testing.TB, seed uint64, faults memory.Faults) *pair {
	t.Helper()
	p := &pair{Network: memory.New(seed, faults)}
	for i := range p.nodes {
		p.diaries[i] = &diary{network: p.Network}
		p.nodes[i] = join(t, p.Network, i, p.diaries[i])
	}
	must(t, p.nodes[0].Keep(account(1), p.nodes[1].Addresses()...))
	must(t, p.nodes[1].Keep(account(0)))
	p.Run(time.Second)
	if !p.diaries[0].up || !p.diaries[1].up {
		t.Fatal("not connected")
	}
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var hostile = memory.Faults{Latency: 50 * time.Millisecond, Jitter: 100 * time.Millisecond, Lost: 100, Doubled: 100, Overtaken: 100}

// The same seed gives the same run, another one another.
func TestReplay(t *testing.T) {
	run := func(seed uint64) string {
		p := meet(t, seed, hostile)
		for i := range uint64(200) {
			p.After(time.Duration(i)*20*time.Millisecond, func() {
				must(t, p.nodes[0].Send(account(1), move(i)))
				must(t, p.nodes[1].Send(account(0), move(i)))
			})
		}
		p.Run(time.Minute)
		return strings.Join(slices.Concat(p.diaries[0].lines, p.diaries[1].lines), "\n")
	}
	first := run(1)
	if run(1) != first {
		t.Error("one seed gave two runs")
	}
	if run(2) == first {
		t.Error("two seeds gave one run")
	}
}

// Next is when Step happens.
func TestNext(t *testing.T) {
	n := memory.New(1, memory.Faults{})
	if _, waits := n.Next(); waits || n.Step() {
		t.Error("something waits in an empty network")
	}
	n.After(2*time.Second, func() {})
	n.After(time.Second, func() {})
	for _, want := range []time.Duration{time.Second, 2 * time.Second} {
		if at, waits := n.Next(); !waits || at != want {
			t.Errorf("next at %v (%v), want %v", at, waits, want)
		}
		n.Step()
	}
}

// Each fault does what it says, and without faults all comes in order.
func TestFaults(t *testing.T) {
	const sent = 1000
	for name, tc := range map[string]struct {
		faults                   memory.Faults
		lost, doubled, overtaken bool
	}{
		"none":      {faults: memory.Faults{Latency: time.Millisecond, Jitter: time.Second}},
		"lost":      {faults: memory.Faults{Lost: 100}, lost: true},
		"doubled":   {faults: memory.Faults{Doubled: 100}, doubled: true, overtaken: true},
		"overtaken": {faults: memory.Faults{Overtaken: 100}, overtaken: true},
	} {
		p := meet(t, 7, tc.faults)
		for i := range uint64(sent) {
			p.After(time.Duration(i)*10*time.Millisecond, func() { must(t, p.nodes[0].Send(account(1), move(i))) })
		}
		p.Run(time.Minute)
		got := p.diaries[1].turns
		unique := slices.Compact(slices.Sorted(slices.Values(got)))
		if lost := len(unique) < sent; lost != tc.lost {
			t.Errorf("%s: %d of %d moves came", name, len(unique), sent)
		}
		if doubled := len(got) > len(unique); doubled != tc.doubled {
			t.Errorf("%s: %d moves came, %d different", name, len(got), len(unique))
		}
		if overtaken := !slices.IsSorted(got); overtaken != tc.overtaken {
			t.Errorf("%s: overtaken %v, want %v", name, overtaken, tc.overtaken)
		}
	}
}

// A partition loses what is sent, is noticed, and heals.
func TestPartition(t *testing.T) {
	p := meet(t, 1, memory.Faults{Latency: 10 * time.Millisecond})
	p.Partition(account(0), account(1))
	must(t, p.nodes[0].Send(account(1), move(1)))
	p.Run(20 * time.Second)
	if !p.diaries[0].up || len(p.diaries[1].turns) != 0 {
		t.Errorf("after 20 s: up %v, received %v", p.diaries[0].up, p.diaries[1].turns)
	}
	p.Run(20 * time.Second)
	if p.diaries[0].up || p.diaries[1].up {
		t.Error("not noticed after 40 s")
	}
	if err := p.nodes[0].Send(account(1), move(2)); !errors.Is(err, transport.ErrNotConnected) {
		t.Errorf("got %v, want ErrNotConnected", err)
	}
	p.Run(time.Hour)
	p.Heal(account(1), account(0))
	p.Run(time.Second)
	must(t, p.nodes[0].Send(account(1), move(3)))
	p.Run(time.Second)
	if !slices.Equal(p.diaries[1].turns, []uint64{3}) {
		t.Errorf("received %v, want only what was sent after healing", p.diaries[1].turns)
	}
}

// A partition that is over before it is noticed loses messages and nothing else.
func TestShortPartition(t *testing.T) {
	p := meet(t, 1, memory.Faults{})
	p.Partition(account(0), account(1))
	must(t, p.nodes[0].Send(account(1), move(1)))
	p.Run(time.Second)
	p.Heal(account(0), account(1))
	must(t, p.nodes[0].Send(account(1), move(2)))
	p.Run(time.Minute)
	if !slices.Equal(p.diaries[1].turns, []uint64{2}) || len(p.diaries[0].lines) != 1 {
		t.Errorf("received %v; the other was told %v", p.diaries[1].turns, p.diaries[0].lines)
	}
}

func TestAttack_QueueFlood(t *testing.T) {
	p := meet(t, 1, memory.Faults{Latency: time.Second})
	var err error
	sent := 0
	for ; err == nil && sent < 10_000; sent++ {
		err = p.nodes[0].Send(account(1), move(1))
	}
	if !errors.Is(err, transport.ErrQueueFull) {
		t.Fatalf("after %d messages: %v, want ErrQueueFull", sent, err)
	}
	must(t, p.nodes[1].Send(account(0), move(2)))
	p.Run(2 * time.Second)
	if len(p.diaries[1].turns) != sent-1 {
		t.Errorf("%d of %d came", len(p.diaries[1].turns), sent-1)
	}
	must(t, p.nodes[0].Send(account(1), move(3)))
}

// An address is an account's: given for another, it says so.
func TestWrongAccount(t *testing.T) {
	n := memory.New(1, memory.Faults{})
	a, b := join(t, n, 0, &diary{network: n}), join(t, n, 1, &diary{network: n})
	join(t, n, 2, &diary{network: n})
	must(t, a.Keep(account(2), b.Addresses()...))
	var wrong *transport.WrongAccountError
	if err := a.Connect(t.Context(), account(2)); !errors.As(err, &wrong) || wrong.Want != account(2) || wrong.Got != account(1) {
		t.Errorf("got %v", err)
	}
}

// Whatever happens, every handler hears Connected before anything else, never Disconnected twice,
// and in the end, with all faults gone, what is sent comes.
func TestCalls(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := memory.New(rapid.Uint64().Draw(rt, "seed"), hostile)
		wake := make(chan struct{}, 1)
		var nodes [3]*memory.Node
		var recorders [3]*transporttest.Recorder
		begin := func(i int) {
			recorders[i] = transporttest.NewRecorder(wake)
			nodes[i] = join(t, n, i, recorders[i])
			for j := range nodes {
				if j != i {
					must(t, nodes[i].Keep(account(j), "/memory/"+account(j).Hex()))
				}
			}
		}
		check := func() {
			for i, r := range recorders {
				for _, b := range r.Broken() {
					rt.Fatalf("node %d: %s", i, b)
				}
			}
		}
		for i := range nodes {
			begin(i)
		}
		who := rapid.IntRange(0, 2)
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			i, j := who.Draw(rt, "node"), who.Draw(rt, "peer")
			if i == j {
				continue
			}
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				_ = nodes[i].Send(account(j), move(1)) // may well be refused
			case 1:
				n.Partition(account(i), account(j))
			case 2:
				n.Heal(account(i), account(j))
			case 3:
				must(t, nodes[i].Close())
				check()
				begin(i)
			case 4:
				n.Run(time.Duration(rapid.IntRange(0, 40_000).Draw(rt, "ms")) * time.Millisecond)
			case 5:
				nodes[i].Forget(account(j))
				must(t, nodes[i].Keep(account(j)))
			case 6:
				n.SetFaults(memory.Faults{Latency: time.Duration(rapid.IntRange(0, 3000).Draw(rt, "latency")) * time.Millisecond})
			}
		}
		n.SetFaults(memory.Faults{})
		for i := range nodes {
			for j := range i {
				n.Heal(account(i), account(j))
				must(t, nodes[i].Keep(account(j), nodes[j].Addresses()...))
			}
		}
		n.Run(2 * time.Minute)
		for i := range nodes {
			for j := range nodes {
				if i != j {
					if err := nodes[i].Send(account(j), move(99)); err != nil {
						rt.Fatalf("%d to %d in the end: %v", i, j, err)
					}
				}
			}
		}
		n.Run(time.Minute)
		for i := range nodes {
			for j := range nodes {
				if i != j && !slices.Contains(recorders[j].Turns(account(i)), 99) {
					rt.Fatalf("%d's last move did not reach %d", i, j)
				}
			}
		}
		check()
	})
}
