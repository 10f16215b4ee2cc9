package sim

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
)

// Exploration says what Explore tries. The game is the toy: its moves name who moves next, so that
// a seat may move twice in a row, the chain may move, and anybody may win.
type Exploration struct {
	Name    string
	Seats   int
	Hostile uint16 // bit mask of the seats that cheat, at least one
	Params  []byte // see package toy
	// the steps that lead to where everything is tried, as they are printed; "quiet" delivers all
	// messages
	Start  []string
	Depth  int // how many steps are tried from there on, in every order
	States int // give up after so many states; 0: never
}

// Explored is what an exploration came to.
type Explored struct {
	Exploration
	States int // distinct, in which something happened
	Again  int // steps that led to a state that was known
	// states at which the schedule ended, each of which was then played to its last payment
	Ends        int
	Transitions int            // steps that were tried
	Steps       map[string]int // by kind
	OnChain     map[string]int // what the Arena did, by kind, in steps
	Paid        map[string]int // and on the way from ends to the last payment
	Complete    bool           // nothing was left out for want of States
	Broken      []*Breach
}

// Breach is an invariant that a schedule broke.
type Breach struct {
	Path []string // the steps, from the opening on
	Lost []string // what was lost by them
}

// String says what was lost, and the schedule that a replay takes.
func (b *Breach) String() string {
	return fmt.Sprintf("%s\n  -explore.path=%q", strings.Join(b.Lost, "\n  and "), strings.Join(b.Path, "; "))
}

// explorer searches depth first. A state that is met again with as many steps left, or fewer, is
// not tried again.
type explorer struct {
	Explored
	seen map[[16]byte]int8 // by state: with how many steps left it was tried
	path []string
	pens pens
}

// mostBreaches is how many are looked for.
const mostBreaches = 3

// Explore tries every schedule of messages, moves, transactions, front-runs, time and crashes from
// a start on, up to a depth. After every step and at the end of every schedule, which is played to
// its last payment with everybody else silent, it checks what package sim checks of a history. The
// error says why it could not begin.
func Explore(e Exploration) (*Explored, error) {
	x, n, err := begin(e)
	if err != nil {
		return nil, err
	}
	n.went = map[[16]byte]bool{}
	x.Transitions = 0
	clear(x.Steps)
	clear(x.OnChain)
	x.visit(n, e.Depth)
	x.Complete = e.States == 0 || x.States < e.States
	return &x.Explored, nil
}

// Retrace takes one schedule, from the opening on, plays it to its last payment and tells what
// happened.
func Retrace(e Exploration, path []string) (story string, b *Breach, err error) {
	e.Start = nil
	x, n, err := begin(e)
	if err != nil {
		return "", nil, err
	}
	for _, name := range path {
		if err := x.take(n, name); err != nil {
			return n.story(), nil, err
		}
		if n.failed() {
			break
		}
	}
	if !n.failed() {
		x.end(n)
	}
	if len(x.Broken) == 0 && n.failed() {
		x.breach(n)
	}
	if len(x.Broken) > 0 {
		b = x.Broken[0]
	}
	return n.story(), b, nil
}

// begin sets an exploration up and goes to its start.
func begin(e Exploration) (*explorer, *node, error) {
	if e.Seats < 2 || e.Hostile == 0 || bits.Len16(e.Hostile) > e.Seats || bits.OnesCount16(e.Hostile) == e.Seats {
		return nil, nil, errors.New("an exploration needs two seats or more, of which some are hostile and some are not")
	}
	game := toy.Game()
	game.Player = winner{game.Player}
	g, err := newGround(game)
	if err != nil {
		return nil, nil, err
	}
	x := &explorer{Explored: Explored{Exploration: e, Steps: map[string]int{}, OnChain: map[string]int{}, Paid: map[string]int{}},
		seen: map[[16]byte]int8{}, pens: newPens()}
	n := x.newNode(g)
	for _, name := range e.Start {
		if err := x.take(n, name); err != nil {
			return nil, nil, err
		}
	}
	if n.failed() {
		return nil, nil, fmt.Errorf("the start of %s: %s", e.Name, strings.Join(n.verdict.Lost, "; "))
	}
	return x, n, nil
}

// take takes one step by its name.
func (x *explorer) take(n *node, name string) error {
	x.path = append(x.path, name)
	if name == "quiet" {
		n.quiet()
		return nil
	}
	list := n.steps()
	i := slices.IndexFunc(list, func(s step) bool { return s.name == name })
	if i < 0 {
		var names []string
		for _, s := range list {
			names = append(names, s.name)
		}
		return fmt.Errorf("no step %q after %q; there are %q\n%s", name, x.path[:len(x.path)-1], names, n.story())
	}
	x.do(n, list[i])
	return nil
}

// visit tries everything from a state on, of which nobody needs the node any more.
func (x *explorer) visit(n *node, left int) {
	if left == 0 || n.over() {
		x.end(n)
		return
	}
	list := n.steps()
	for i, s := range list {
		if x.Exploration.States > 0 && x.States >= x.Exploration.States || len(x.Broken) >= mostBreaches {
			return
		}
		next := n
		if i < len(list)-1 {
			next = n.clone()
		}
		x.path = append(x.path, s.name)
		x.do(next, s)
		x.arrive(next, left-1)
		x.path = x.path[:len(x.path)-1]
	}
}

func (x *explorer) arrive(n *node, left int) {
	if n.failed() {
		x.breach(n)
		return
	}
	key := n.fingerprint()
	best, known := x.seen[key]
	switch {
	case !known:
		x.States++
	case int(best) >= left:
		x.Again++
		return
	default:
		x.Again++
	}
	x.seen[key] = int8(left)
	x.visit(n, left)
}

// do takes a step, in which nothing may panic, and looks at what came of it.
func (x *explorer) do(n *node, s step) {
	defer n.survive()
	x.Transitions++
	kind, _, _ := strings.Cut(s.name, " ")
	x.Steps[kind]++
	n.tally = x.OnChain
	n.note("%s", s.name)
	s.do(n)
	n.after()
}

// end plays a state to its last payment, and looks at who has what then.
func (x *explorer) end(n *node) {
	defer func() {
		if n.failed() {
			x.breach(n)
		}
	}()
	defer n.survive()
	x.Ends++
	n.tally = x.Paid
	n.finish()
}

func (x *explorer) breach(n *node) {
	x.Broken = append(x.Broken, &Breach{Path: slices.Concat(x.Start, x.path[min(len(x.Start), len(x.path)):]), Lost: slices.Clone(n.verdict.Lost)})
}

func (n *node) survive() {
	if r := recover(); r != nil {
		n.fail("panic: %v\n%s", r, debug.Stack())
	}
}

func (n *node) story() string { return strings.Join(n.diary, "\n") }

// Join adds what another exploration came to.
func (x *Explored) Join(o *Explored) {
	x.Depth = max(x.Depth, o.Depth)
	x.States += o.States
	x.Again += o.Again
	x.Ends += o.Ends
	x.Transitions += o.Transitions
	x.Complete = x.Complete && o.Complete
	x.Broken = append(x.Broken, o.Broken...)
	for to, from := range map[*map[string]int]map[string]int{&x.Steps: o.Steps, &x.OnChain: o.OnChain, &x.Paid: o.Paid} {
		if *to == nil {
			*to = map[string]int{}
		}
		for k, n := range from {
			(*to)[k] += n
		}
	}
}

// String is the report in some lines.
func (x *Explored) String() string {
	whole := "every schedule"
	if !x.Complete {
		whole = "not every schedule"
	}
	return fmt.Sprintf("%s: %s of up to %d steps: %d states, %d steps, of which %d led to a known state; %d ends were played out, %d broken\n"+
		"  steps: %s\n  on the chain: %s\n  on the way out: %s", x.Name, whole, x.Depth, x.States, x.Transitions, x.Again, x.Ends, len(x.Broken),
		counts(x.Steps), counts(x.OnChain), counts(x.Paid))
}

func counts(m map[string]int) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(list, ", ")
}

// winner is the toy's player side without any chance: it wins when it can, and makes the chain's
// move in its own favour.
type winner struct{ games.Player }

func (winner) Auto(games.Table) (*games.Decision, error) { return nil, nil }

func (winner) Bot(t games.Table) (*games.Decision, error) {
	return &games.Decision{Move: toy.Win(t.Seat), Secrets: t.Secrets}, nil
}

func (winner) Follows() bool { return false }

func (winner) Chance(t games.Table) ([]byte, error) { return toy.Pass(t.Seat), nil }

func (winner) Upkeep(games.Table) (*games.Call, error) { return nil, nil }
