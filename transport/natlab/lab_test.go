package natlab

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// childEnv makes the test's program a player's.
const childEnv = "ANTE_NATLAB_PLAYER"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	if err := play(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// process is a player's, in its namespace.
type process struct {
	in  io.WriteCloser
	out *bufio.Reader
	run *exec.Cmd
}

func (n *internet) start(namespace string, o order) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command("ip", "netns", "exec", n.prefix+namespace, self)
	c.Env = append(os.Environ(), childEnv+"=1")
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	return &process{in, bufio.NewReader(out), c}, json.NewEncoder(in).Encode(o)
}

// end lets the player go.
func (p *process) end() {
	_ = p.in.Close()
	_ = p.run.Wait()
}

func (p *process) found() (f found, err error) {
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &f)
	}
	if err == nil && f.Err != "" {
		err = fmt.Errorf("%s", f.Err)
	}
	return f, err
}

// pair is two kinds of access, and whether a direct way is to be found between them.
type pair struct {
	met, meets string
	direct     bool
}

// pairs are all of two kinds. Of two routers one must let in whom its host has not asked, or both
// keep their ports.
var pairs = []pair{
	{open, open, true},
	{forwarding, open, true},
	{home, open, true},
	{symmetric, open, true},
	{noUDP, open, true},
	{open, home, true},
	{open, symmetric, true},
	{open, noUDP, true},
	{forwarding, forwarding, true},
	{forwarding, home, true},
	{home, forwarding, true},
	{forwarding, symmetric, true},
	{symmetric, forwarding, true},
	{home, home, true},
	{home, symmetric, false},
	{symmetric, home, false},
	{symmetric, symmetric, false},
	{noUDP, home, false},
	{home, noUDP, false},
	{noUDP, noUDP, false},
}

// TestMatrix: two players behind any two routers play: directly where the routers allow it, by a
// relay where they don't.
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	n := newInternet(t)
	var relays []string
	for i := range 2 {
		name := fmt.Sprintf("relay%d", i)
		n.namespace(name)
		at := n.join(name, "wan")
		p, err := n.start(name, order{Seed: byte(200 + i), Relay: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.end)
		f, err := p.found()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range f.Addresses {
			if strings.Contains(a, at) {
				relays = append(relays, a)
			}
		}
	}
	for i, p := range pairs {
		n.home(fmt.Sprintf("a%d", i), p.met)
		n.home(fmt.Sprintf("b%d", i), p.meets)
	}

	results := make([]found, len(pairs))
	errs := make([]error, len(pairs))
	var all sync.WaitGroup
	for i, p := range pairs {
		all.Go(func() { results[i], errs[i] = n.try(i, relays, p) })
	}
	all.Wait()
	// Two routers let each other's hosts in only if the packets of both leave within a round trip,
	// which a machine that does much else can miss: such a pair meets again, by itself.
	for i, p := range pairs {
		for tries := 1; errs[i] == nil && p.direct && results[i].Last.Relayed && tries < 3; tries++ {
			results[i], errs[i] = n.try(i, relays, p)
		}
	}

	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "is met\tmeets\tat first\tconnected after\tmove and answer\tin the end\tdirect after\tmove and answer\tlost in the change")
	for i, p := range pairs {
		f := results[i]
		if errs[i] != nil {
			t.Errorf("%s, met by %s: %v", p.met, p.meets, errs[i])
			continue
		}
		if f.Last.Relayed == p.direct {
			t.Errorf("%s, met by %s: relayed %t", p.met, p.meets, f.Last.Relayed)
		}
		if f.Last.Move == 0 {
			t.Errorf("%s, met by %s: no move was answered", p.met, p.meets)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", p.met, p.meets, name(f.First), ms(f.Connect), ms(f.First.Move), name(f.Last), ms(f.Direct), ms(f.Last.Move), f.Lost)
	}
	_ = w.Flush()
	t.Logf("the links have no delay of their own\n%s", &table)
}

// try has two players meet.
func (n *internet) try(i int, relays []string, p pair) (found, error) {
	places := 2
	if p.met == open {
		places = 0 // it finds out that others can dial it
	}
	a, err := n.start(fmt.Sprintf("a%d", i), order{Seed: byte(2*i + 1), Relays: relays, Places: places})
	if err != nil {
		return found{}, err
	}
	defer a.end()
	at, err := a.found()
	if err != nil {
		return found{}, err
	}
	b, err := n.start(fmt.Sprintf("b%d", i), order{Seed: byte(2*i + 2), Relays: relays, Meet: at.Addresses})
	if err != nil {
		return found{}, err
	}
	defer b.end()
	return b.found()
}

func name(w way) string {
	if w.Relayed {
		return "relayed"
	}
	return "direct"
}

func ms(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return d.Round(10 * time.Microsecond).String()
}
