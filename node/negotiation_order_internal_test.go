package node

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// negotiators are two players who bid for an invite of alice's, over a network that loses, doubles
// and reorders what they say.
type negotiators struct {
	*lab
	id         common.Hash
	alice, bob *Node
	fixed      *uint256.Int // what alice's node once took for agreed on
}

func newNegotiators(t *testing.T, seed uint64) *negotiators {
	l := newLab(t)
	l.net = memory.New(seed, memory.Faults{Latency: 10 * time.Millisecond, Jitter: time.Second, Lost: 150, Doubled: 100, Overtaken: 150})
	p := &negotiators{lab: l, alice: l.node(nil), bob: l.node(nil)}
	p.id = l.invite(p.alice, 1, func(i *Invite) { i.Least, i.Most = *uint256.NewInt(90), *uint256.NewInt(99) }).ID
	l.invite(p.bob, 1, func(i *Invite) {
		i.Mine, i.Player, i.Negotiations = false, p.alice.Account(), []Negotiation{{With: p.alice.Account()}}
	})
	p.bob.whole = false // what follows from an agreement needs the chain
	l.must(p.bob.net.Keep(p.alice.Account(), p.alice.net.Addresses()...))
	return p
}

func (p *negotiators) of(n *Node) *Invite {
	i, err := n.invite(p.id)
	p.must(err)
	return i
}

// bid has one of the two say something: one of three stakes, or the other's newest, named or not.
func (p *negotiators) bid(r *rand.Rand) {
	n, other := p.alice, p.bob
	if r.IntN(2) == 0 {
		n, other = other, n
	}
	stake, agrees := *uint256.NewInt(1 + r.Uint64N(3)), uint32(0)
	if b := p.of(n).negotiation(other.Account()); b != nil && r.IntN(2) == 0 {
		stake = b.theirs().Stake
		if r.IntN(2) == 0 {
			agrees = b.theirs().Number
		}
	}
	_ = n.placeBid(p.id, other.Account(), &stake, agrees) // or it is not the time for it
}

// check fails when the two believe in different terms, or bob in some that alice doesn't.
func (p *negotiators) check() {
	p.t.Helper()
	a, b := p.of(p.alice), p.of(p.bob)
	if a.State == InviteJoined && p.fixed == nil {
		p.fixed = &a.Stake
	}
	if b.State == InviteJoined && (p.fixed == nil || b.Stake != *p.fixed) {
		p.t.Fatalf("bob takes %s for agreed on, alice %v", b.Stake.Dec(), p.fixed)
	}
	if p.fixed != nil && (a.Stake != *p.fixed || b.negotiation(p.alice.Account()).mine().Stake != *p.fixed) {
		p.t.Fatalf("the %s that alice takes for agreed on were replaced", p.fixed.Dec())
	}
}

// TestBidsInAnyOrder: however bids cross, and whatever is lost, nobody believes in other terms than
// the inviting player's node fixed; and once the network works both know them.
func TestBidsInAnyOrder(t *testing.T) {
	t.Parallel()
	agreed := 0
	for seed := range uint64(60) {
		p, r := newNegotiators(t, seed), rand.New(rand.NewPCG(seed, 1))
		for range 12 {
			p.bid(r)
			p.net.Run(time.Duration(r.Int64N(int64(2 * time.Second))))
			if r.IntN(10) == 0 {
				p.net.Partition(p.alice.Account(), p.bob.Account())
				p.net.Run(time.Minute)
				p.net.Heal(p.alice.Account(), p.bob.Account())
			}
			p.check()
		}
		p.net.SetFaults(memory.Faults{})
		p.net.Partition(p.alice.Account(), p.bob.Account())
		p.net.Run(time.Minute)
		p.net.Heal(p.alice.Account(), p.bob.Account())
		p.net.Run(10 * time.Second)
		p.check()
		if a, b := p.of(p.alice), p.of(p.bob); a.State != b.State {
			t.Fatalf("seed %d: the invite is %s with alice, %s with bob", seed, a.State, b.State)
		} else if a.State == InviteJoined {
			agreed++
		}
	}
	if agreed < 20 {
		t.Errorf("%d of 60 agree", agreed)
	}
}
