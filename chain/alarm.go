package chain

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Alarm tells a person about a fault that the package cannot mend alone. It is told once when the
// fault appears, and once more, with Over set, when it is gone.
type Alarm struct {
	About string // the endpoint, account or transaction it concerns
	Fault error  // one of the typed errors of this package, which say what to do
	Over  bool
	Once  bool // it tells of something that happened, and will never be over
}

func (a Alarm) String() string {
	about, text := a.About+": ", a.Fault.Error()
	if strings.HasPrefix(text, a.About+" ") {
		about = ""
	}
	if a.Over {
		about += "over: "
	}
	return about + text
}

// Key is equal for faults of one kind about one thing.
func (a Alarm) Key() string { return fmt.Sprintf("%T %s", a.Fault, a.About) }

// Unseen holds the standing faults that make the chain uncertain, by alarm: blocks are not read, or
// contradicted, or what decides how the Arena judges is not known.
type Unseen map[string]error

// Take notes such a fault, or its end.
func (u Unseen) Take(a Alarm) {
	switch {
	case a.Over:
		delete(u, a.Key())
	case a.Once:
	case lies(a.Fault) || errors.As(a.Fault, new(*WentBack)) || errors.As(a.Fault, new(*NotFollowing)) || errors.As(a.Fault, new(*Unproved)):
		u[a.Key()] = a.Fault
	}
}

// Why returns the faults, or nil; lying says whether endpoints that contradict each other count.
func (u Unseen) Why(lying bool) (why error) {
	for _, key := range slices.Sorted(maps.Keys(u)) {
		if lying || !lies(u[key]) {
			why = errors.Join(why, u[key])
		}
	}
	return why
}

func lies(fault error) bool { return errors.As(fault, new(*Lying)) }

// bell tells alarms when they change.
type bell struct {
	ring func(Alarm)

	mu      sync.Mutex
	out     map[string]Alarm // alarms told and not over, by kind of fault and subject
	queue   []Alarm          // those to be told
	telling bool             // somebody tells them
}

func newBell(ring func(Alarm)) *bell {
	if ring == nil {
		ring = func(Alarm) {}
	}
	return &bell{ring: ring, out: make(map[string]Alarm)}
}

// set raises or ends an alarm if its state changed: on says whether the fault stands now. Changes
// are told in their order: else a fault that is over would stand for whoever is told of its end
// first.
func (b *bell) set(on bool, about string, fault error) {
	alarm := Alarm{About: about, Fault: fault}
	key := alarm.Key()
	b.mu.Lock()
	defer b.mu.Unlock()
	told, was := b.out[key]
	switch {
	case on == was:
		return
	case on:
		b.out[key] = alarm
	default:
		alarm = told
		alarm.Over = true
		delete(b.out, key)
	}
	b.queue = append(b.queue, alarm)
	if b.telling {
		return
	}
	b.telling = true
	defer func() { b.telling = false }() // also when ring panics
	for len(b.queue) > 0 {
		next := b.queue[0]
		b.queue = b.queue[1:]
		func() {
			b.mu.Unlock()
			defer b.mu.Lock()
			b.ring(next)
		}()
	}
}
