package node_test

import (
	"sync"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/nodetest"
	"github.com/ante-games/ante/store/storetest"
	"github.com/holiman/uint256"
)

// tiny is a match of Mastermind that is over after a few moves.
const tiny = `{"pegs": 1, "colours": 2, "rounds": 1, "guesses": 2}`

// TestAttack_Crash kills a node before and after every commit of a match, and starts it again on
// what was durable: every match is finished, and nothing was signed twice.
func TestAttack_Crash(t *testing.T) {
	t.Parallel()
	said := nodetest.NewWitness()
	tb := sit(t, 2, func(seat int, c *node.Config) {
		c.Policy.Bot, c.Policy.AnyStake = true, true
		if seat == 0 {
			said.Watch(c)
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	trap := new(trap)
	alice.spring(t, trap)
	played, crashes := 0, 0
	small := uint256.NewInt(1e15) // a losing streak of any length can be paid
	propose := func(p *player) error {
		return p.Propose(tb.channel, node.MatchRequest{Game: "mastermind", Params: []byte(tiny), Stakes: []uint256.Int{*small}})
	}
	for _, durable := range []bool{false, true} {
		for k, more := 1, true; more; k++ {
			crashed := trap.set(k, durable)
			err := propose(tb.players[k%2])
			if err != nil && k%2 == 1 {
				t.Fatal(err)
			}
			played++
			must(t, bob.Wait(tb.ctx, func() (bool, error) {
				list, err := bob.Results()
				return isClosed(crashed) || len(list) >= played && list[played-1].Paid, err
			}))
			if more = trap.died(); more {
				crashes++
				alice.spring(t, trap)
			}
			if err != nil && !durable { // it died in the proposal itself, which then never was
				must(t, propose(alice))
			}
			for _, p := range tb.players {
				r, err := p.Finished(tb.ctx, tb.channel, played)
				must(t, err)
				if r.Guilty != 0 {
					t.Fatalf("crash at commit %d (durable %v): convicted %b for %q", k, durable, r.Guilty, r.Reason)
				}
			}
		}
	}
	if crashes < 15 || said.Places() < 100 {
		t.Errorf("only %d crashes and %d signatures: the test does not test", crashes, said.Places())
	}
	t.Logf("%d crashes in %d matches, %d places signed", crashes, played, said.Places())
	for _, what := range said.Accusations() {
		t.Error(what)
	}
	tb.close(t)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// trap kills a store at a commit.
type trap struct {
	mu      sync.Mutex
	left    int // commits until then; 0: not set
	durable bool
	dead    chan struct{}
}

// set has the store die in its k-th commit from now, after its data is durable or before.
func (x *trap) set(k int, durable bool) (dead <-chan struct{}) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.left, x.durable, x.dead = k, durable, make(chan struct{})
	return x.dead
}

// died disarms the trap and reports whether the store had died of it.
func (x *trap) died() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	dead := isClosed(x.dead)
	if !dead {
		x.dead = nil
	}
	return dead
}

// passed counts the commits since it was set, of at most so many.
func (x *trap) passed(most int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return most - x.left
}

func (x *trap) step(op storetest.Op, after bool) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.dead == nil {
		return nil
	}
	if x.left > 0 && op == storetest.Commit && after == x.durable {
		if x.left--; x.left == 0 {
			close(x.dead)
		}
	}
	if x.left == 0 {
		return storetest.ErrCrash
	}
	return nil
}

// spring starts the node again on what was durable, with the trap around it.
func (p *player) spring(t *testing.T, x *trap) {
	t.Helper()
	must(t, p.Close())
	p.memory = p.memory.Reopen()
	x.mu.Lock()
	x.dead = nil
	x.mu.Unlock()
	p.config.Store = &storetest.Faulty{
		Store:  p.memory,
		Before: func(op storetest.Op) error { return x.step(op, false) },
		After:  func(op storetest.Op) error { return x.step(op, true) },
	}
	p.start(t)
}
