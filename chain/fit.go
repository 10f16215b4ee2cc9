package chain

import (
	"errors"
	"sync"
	"time"
)

// fit remembers how much an endpoint was found to answer at once: its limits are its own, and
// nobody tells them. Safe for concurrent use.
type fit struct {
	mu   sync.Mutex
	most uint64 // 0: nothing was refused yet
	good uint64 // answers in a row to as much as that
}

// again is after how many answers in a row an eighth more is tried.
const again = 32

// of returns how much of what is wanted to ask for.
func (f *fit) of(want uint64) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.most == 0 {
		return want
	}
	return min(want, f.most)
}

// took notes that so much was answered; after a refusal, that more was not.
func (f *fit) took(asked uint64, refused bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case refused:
		f.most, f.good = asked, 0
	case f.most != 0 && asked >= f.most:
		if f.good++; f.good >= again {
			f.most, f.good = f.most+f.most/8+1, 0
		}
	}
}

// errSlowly says that an endpoint took its time to refuse what is too much at once.
var errSlowly = errors.New("it refuses, slowly, what is asked for at once: less is next")

// ask asks for n things, n > 0, or as many as fit: half as many each time that is refused for being
// too big. It returns how many were answered. The rest is for another time, so that nothing takes
// long because little fits. Who takes its time to refuse is asked for less the next time.
func (f *fit) ask(n uint64, tooBig func(error) bool, ask func(n uint64) error) (answered uint64, err error) {
	n = f.of(n)
	for began, refused := time.Now(), false; ; refused = true {
		if err = ask(n); err == nil {
			f.took(n, refused)
			return n, nil
		}
		if n == 1 || !tooBig(err) {
			return 0, err
		}
		n -= n / 2
		if time.Since(began) >= longest {
			f.took(n, true)
			return 0, errSlowly // and not what it said: that may count as being down
		}
	}
}
