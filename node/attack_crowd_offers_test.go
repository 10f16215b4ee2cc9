package node_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// square is where a node meets peers that are no nodes: a network in memory that moves only when
// the test says so. What comes to the node is handed to it one after the other, by the test.
type square struct {
	mu      sync.Mutex // of the network, to which the node speaks whenever it likes
	network *memory.Network
	arrived []func()
}

// place is somebody's place there.
type place struct {
	*memory.Node
	square *square
}

func (p place) Send(to common.Address, env *antev1.Envelope) error {
	p.square.mu.Lock()
	defer p.square.mu.Unlock()
	return p.Node.Send(to, env)
}

func (p place) Peers() []transport.Peer {
	p.square.mu.Lock()
	defer p.square.mu.Unlock()
	return p.Node.Peers()
}

func (p place) Close() error {
	p.square.mu.Lock()
	defer p.square.mu.Unlock()
	return p.Node.Close()
}

// porter keeps what comes to the node until the network stands still.
type porter struct {
	square *square
	node   transport.Handler
}

func (p porter) arrive(do func())             { p.square.arrived = append(p.square.arrived, do) }
func (p porter) Connected(who common.Address) { p.arrive(func() { p.node.Connected(who) }) }
func (p porter) Disconnected(who common.Address, why error) {
	p.arrive(func() { p.node.Disconnected(who, why) })
}

func (p porter) Receive(from common.Address, env *antev1.Envelope) {
	p.arrive(func() { p.node.Receive(from, env) })
}

// settle has everything arrive, and what is said to that, until nobody has more to say.
func (s *square) settle() {
	for {
		s.mu.Lock()
		s.network.Run(100 * time.Millisecond)
		arrived := s.arrived
		s.arrived = nil
		s.mu.Unlock()
		if len(arrived) == 0 {
			return
		}
		for _, do := range arrived {
			do()
		}
	}
}

// stranger is somebody who wants a channel with the node there, and has nothing but a key.
type stranger struct {
	*protocol.Key
	place   place
	terms   protocol.Terms
	answers []message.OpenReply
}

// enter connects the stranger to a node.
func (x *stranger) enter(s *square, n *player) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.place = place{s.network.Join(x.Address(), x), s}
	return x.place.Keep(n.Account(), n.Network().Addresses()...)
}

func (*stranger) Connected(common.Address)           {}
func (*stranger) Disconnected(common.Address, error) {}
func (x *stranger) Receive(_ common.Address, env *antev1.Envelope) {
	if _, m, err := message.FromEnvelope(env); err == nil {
		if answer, is := m.(message.OpenReply); is {
			x.answers = append(x.answers, answer)
		}
	}
}

// TestAttack_OfferFlood_Hundred: a hundred strangers offer a channel in the same moment. Each is
// answered every time, with the house's signature or with when to come back; and whoever comes back
// when told is served in the end.
func TestAttack_OfferFlood_Hundred(t *testing.T) {
	t.Parallel()
	s := &square{network: memory.New(1, memory.Faults{})}
	var passed atomic.Int64 // seconds, and not one more than somebody was told to wait
	began := time.Now()
	house := join(t, func(c *node.Config) {
		c.Now = func() time.Time { return began.Add(time.Duration(passed.Load()) * time.Second) }
		c.Chain.Now = c.Now
		c.Network = func(_ protocol.Domain, h transport.Handler) (node.Network, error) {
			return place{s.network.Join(c.Player.Address(), porter{s, h}), s}, nil
		}
	})
	openBy := now(t, house) + dev.MaxWindow
	due := map[int64][]*stranger{}
	for i := range 100 {
		key, err := crypto.ToECDSA(crypto.Keccak256(fmt.Append(nil, "stranger ", i)))
		must(t, err)
		x := &stranger{Key: protocol.NewKey(key)}
		x.terms = protocol.Terms{
			Players: []common.Address{x.Address(), house.Account()}, Signers: []common.Address{x.Address(), {}},
			Deposits: []uint256.Int{*stake, {}}, Window: 1000, OpenBy: openBy, Salt: common.Hash{byte(i)},
		}
		must(t, x.enter(s, house))
		due[0] = append(due[0], x)
	}
	s.settle()
	served, putOff := 0, 0
	for len(due) > 0 {
		now := slices.Min(slices.Collect(maps.Keys(due)))
		if now > 300 {
			t.Fatalf("after five minutes %d are served", served)
		}
		passed.Store(now)
		asking := due[now]
		delete(due, now)
		for _, x := range asking {
			must(t, x.place.Send(house.Account(), message.Envelope(common.Hash{}, message.OpenOffer{Terms: x.terms})))
		}
		s.settle()
		for _, x := range asking {
			if len(x.answers) != 1 {
				t.Fatalf("%s gets %d answers", x.Address(), len(x.answers))
			}
			answer := x.answers[0]
			x.answers = nil
			switch {
			case answer.Decline == "":
				must(t, protocol.Authority{}.Account(house.Account(), answer.Terms.ID(house.Domain()), answer.Signatures[1]))
				served++
			case answer.Again > 0:
				back := now + int64(answer.Again)
				due[back] = append(due[back], x)
				putOff++
			default:
				t.Fatalf("%s is declined: %s", x.Address(), answer.Decline)
			}
		}
	}
	if served != 100 || putOff < 90 {
		t.Errorf("%d are served; %d times somebody was told to come back", served, putOff)
	}
}
