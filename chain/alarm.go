package chain

import (
	"fmt"
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
	if a.Over {
		return fmt.Sprintf("%s: over: %v", a.About, a.Fault)
	}
	return fmt.Sprintf("%s: %v", a.About, a.Fault)
}

// bell tells alarms when they change.
type bell struct {
	ring func(Alarm)

	mu  sync.Mutex
	out map[string]Alarm // alarms told and not over, by kind of fault and subject
}

func newBell(ring func(Alarm)) *bell {
	if ring == nil {
		ring = func(Alarm) {}
	}
	return &bell{ring: ring, out: make(map[string]Alarm)}
}

// set tells an alarm if its state changed: on says whether the fault is there now.
func (b *bell) set(on bool, about string, fault error) {
	key := fmt.Sprintf("%T %s", fault, about)
	b.mu.Lock()
	alarm, was := b.out[key]
	switch {
	case on && !was:
		alarm = Alarm{About: about, Fault: fault}
		b.out[key] = alarm
	case !on && was:
		alarm.Over = true
		delete(b.out, key)
	}
	b.mu.Unlock()
	if on != was {
		b.ring(alarm)
	}
}
