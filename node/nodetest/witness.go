// Package nodetest holds what tests of and with nodes share: a witness of what a node signs, and
// networks of other kinds.
package nodetest

import (
	"fmt"
	"sync"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// Witness notes every signature that one node, which has seat 0 in its channels, gives away, across
// its restarts: at one place in a match or channel there may be one only, because keys sign
// deterministically. It is safe for concurrent use.
type Witness struct {
	mu   sync.Mutex
	seen map[string]protocol.Signature
	bad  []string
}

// NewWitness returns a witness that has seen nothing.
func NewWitness() *Witness { return &Witness{seen: map[string]protocol.Signature{}} }

// Watch has the witness see what the node of that configuration sends.
func (w *Witness) Watch(c *node.Config) {
	dev.Wrap(c, w.Tap)
}

// Tap returns a network whose sender the witness sees.
func (w *Witness) Tap(net node.Network) node.Network { return tap{net, w} }

type tap struct {
	node.Network
	*Witness
}

func (t tap) Send(to common.Address, env *antev1.Envelope) error {
	if err := t.see(env); err != nil {
		return fmt.Errorf("the node sends what it cannot read: %w", err)
	}
	return t.Network.Send(to, env)
}

// Listen has the witness see what the node of that configuration is told by an account.
func (w *Witness) Listen(c *node.Config, by common.Address) {
	join := c.Network
	c.Network = func(d protocol.Domain, h transport.Handler) (node.Network, error) {
		return join(d, ear{h, h.(transport.Envoy), by, w})
	}
}

type ear struct {
	transport.Handler
	transport.Envoy
	by common.Address
	*Witness
}

func (e ear) Receive(from common.Address, env *antev1.Envelope) {
	if from == e.by {
		if err := e.see(env); err != nil {
			e.accuse(err.Error())
		}
	}
	e.Handler.Receive(from, env)
}

// see notes the signatures that are the sender's own, which has seat 0.
func (w *Witness) see(env *antev1.Envelope) error {
	id, m, err := message.FromEnvelope(env)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case message.Move:
		w.note(m.MatchID, uint64(m.Turn), m.Signature)
		if m.First != nil {
			w.note(m.MatchID, uint64(m.First.Turn), m.First.Signature)
		}
	case message.Countersign:
		w.note(m.MatchID, uint64(m.Turn), m.Signature)
	case message.Approve:
		w.note(id, m.Version, m.Signature)
		for _, c := range m.Starts {
			w.note(c.MatchID, uint64(c.Turn), c.Signature)
		}
	case message.Propose:
		w.note(id, m.Ledger.Version, m.Signatures[0])
	}
	return nil
}

func (w *Witness) note(where any, at uint64, sig protocol.Signature) {
	if sig == (protocol.Signature{}) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key := fmt.Sprint(where, "/", at)
	if had, ok := w.seen[key]; ok && had != sig {
		w.bad = append(w.bad, "signed twice: "+key)
	}
	w.seen[key] = sig
}

func (w *Witness) accuse(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = append(w.bad, text)
}

// Places returns at how many places it has seen a signature.
func (w *Witness) Places() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.seen)
}

// Accusations returns what the node should not have done.
func (w *Witness) Accusations() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bad
}
