package transporttest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
)

// Recorder is a handler that writes down what it is told, and checks the order that
// transport.Handler promises.
type Recorder struct {
	mu     sync.Mutex
	react  func(from common.Address, env *antev1.Envelope)
	wake   chan struct{}
	state  map[common.Address]*told
	broken []string
}

type told struct {
	busy, up     bool
	ups, downs   int
	turns        []uint64 // of the moves received
	others       []*antev1.Envelope
	disconnected error
}

var _ transport.Handler = (*Recorder)(nil)

// NewRecorder returns a recorder that signals wake, without waiting, after every call.
func NewRecorder(wake chan struct{}) *Recorder {
	return &Recorder{wake: wake, state: map[common.Address]*told{}}
}

// OnReceive makes the recorder call react within Receive.
func (r *Recorder) OnReceive(react func(from common.Address, env *antev1.Envelope)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.react = react
}

func (r *Recorder) about(account common.Address) *told {
	t := r.state[account]
	if t == nil {
		t = new(told)
		r.state[account] = t
	}
	return t
}

// enter and leave frame a call.
func (r *Recorder) enter(call string, account common.Address, mustBeUp bool) *told {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.about(account)
	if t.busy {
		r.broken = append(r.broken, fmt.Sprintf("%s during another call about %s", call, account))
	}
	if mustBeUp && !t.up {
		r.broken = append(r.broken, fmt.Sprintf("%s without a Connected of %s", call, account))
	}
	t.busy = true
	return t
}

func (r *Recorder) leave(t *told, change func()) {
	r.mu.Lock()
	t.busy = false
	change()
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Connected is transport.Handler's.
func (r *Recorder) Connected(account common.Address) {
	t := r.enter("Connected", account, false)
	r.leave(t, func() { t.up = true; t.ups++ })
}

// Receive is transport.Handler's.
func (r *Recorder) Receive(from common.Address, env *antev1.Envelope) {
	t := r.enter("Receive", from, true)
	r.mu.Lock()
	react := r.react
	r.mu.Unlock()
	if react != nil {
		react(from, env)
	}
	r.leave(t, func() {
		if m := env.GetMove(); m != nil {
			t.turns = append(t.turns, m.Turn)
		} else {
			t.others = append(t.others, env)
		}
	})
}

// Disconnected is transport.Handler's.
func (r *Recorder) Disconnected(account common.Address, why error) {
	t := r.enter("Disconnected", account, true)
	r.leave(t, func() { t.up = false; t.downs++; t.disconnected = why })
}

// Turns returns the turns of the moves that came from an account, in order.
func (r *Recorder) Turns(from common.Address) []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.about(from).turns)
}

// Others returns the messages from an account that are no moves.
func (r *Recorder) Others(from common.Address) []*antev1.Envelope {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.about(from).others)
}

// Up reports whether the account is connected, as the recorder was told.
func (r *Recorder) Up(account common.Address) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.about(account).up
}

// Count returns how often Connected and Disconnected came.
func (r *Recorder) Count(account common.Address) (ups, downs int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.about(account).ups, r.about(account).downs
}

// Why returns what the last Disconnected said.
func (r *Recorder) Why(account common.Address) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.about(account).disconnected
}

// Broken returns the promises that were broken.
func (r *Recorder) Broken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.broken)
}
