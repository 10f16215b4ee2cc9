// Package transporttest says in tests what every transport must do. Both of Ante's pass it, and so
// must any that a builder puts in their place.
package transporttest

import (
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
)

// Node is a transport as its user sees it.
type Node interface {
	Send(to common.Address, env *antev1.Envelope) error
	Keep(account common.Address, addresses ...string) error
	Forget(account common.Address)
	Connect(ctx context.Context, account common.Address) error
	Addresses() []string
	Peers() []transport.Peer
	Close() error
}

// Network is where nodes under test meet.
type Network struct {
	// Account returns the account of a player, 0 to 3.
	Account func(player int) common.Address
	// Join starts the node of a player, anew if it was closed. The test closes it.
	Join func(t testing.TB, player int, h transport.Handler) Node
	// Step makes the next thing happen in a network that runs step by step, and reports whether
	// there was one. It is nil where things happen by themselves.
	Step func() bool
}

// patience is how long a test waits for what must come. It is no measure of anything.
const patience = 2 * time.Minute

// Run runs the suite. setup is called for each test.
func Run(t *testing.T, setup func(t *testing.T) Network) {
	for name, test := range map[string]func(*testing.T, *world){
		"Exchange":    exchange,
		"Three":       three,
		"Reentrant":   reentrant,
		"Copies":      copies,
		"Sizes":       sizes,
		"Refusals":    refusals,
		"Unreachable": unreachable,
		"Restart":     restart,
		"Forget":      forget,
		"Close":       closing,
		"Peers":       peers,
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{Network: setup(t), t: t, wake: make(chan struct{}, 1)}
			test(t, w)
			for _, r := range w.recorders {
				for _, b := range r.Broken() {
					t.Error(b)
				}
			}
		})
	}
}

// world is a network with the recorders of its nodes.
type world struct {
	Network
	t         *testing.T
	wake      chan struct{}
	recorders []*Recorder
}

// join starts a player's node with a recorder.
func (w *world) join(player int) (Node, *Recorder) {
	w.t.Helper()
	r := NewRecorder(w.wake)
	w.recorders = append(w.recorders, r)
	n := w.Join(w.t, player, r)
	w.t.Cleanup(func() {
		if err := n.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return n, r
}

// pair joins players 0 and 1 and connects them: 0 dials, 1 keeps room.
func (w *world) pair() (a, b Node, ra, rb *Recorder) {
	w.t.Helper()
	a, ra = w.join(0)
	b, rb = w.join(1)
	w.meet(a, 0, b, 1)
	w.await("both connected", func() bool { return ra.Up(w.Account(1)) && rb.Up(w.Account(0)) })
	return a, b, ra, rb
}

func (w *world) meet(a Node, x int, b Node, y int) {
	w.t.Helper()
	w.must(b.Keep(w.Account(x)))
	w.must(a.Keep(w.Account(y), b.Addresses()...))
	w.must(a.Connect(w.t.Context(), w.Account(y)))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// await runs the network until a condition holds.
func (w *world) await(what string, cond func() bool) {
	w.t.Helper()
	late := time.After(patience)
	for !cond() {
		if w.Step != nil {
			if !w.Step() {
				w.t.Fatalf("nothing more happens, but not: %s", what)
			}
			continue
		}
		select {
		case <-w.wake:
		case <-late:
			w.t.Fatalf("not in %s: %s", patience, what)
		}
	}
}

// move returns a message that says its turn.
func move(turn uint64) *antev1.Envelope {
	return &antev1.Envelope{Body: &antev1.Envelope_Move{Move: &antev1.Move{
		MatchId: make([]byte, 32), Turn: turn, Move: []byte("guess"), Signature: make([]byte, 65),
	}}}
}
