package chain

import "sync"

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

// inParts asks for n things in parts that fit, each half of the one before for as long as that is
// refused for being too much. A batch that costs more than an endpoint allows in a second is
// refused for coming too often, however long it is waited.
func (f *fit) inParts(n int, ask func(from, to int) error) error {
	size, refused := f.of(uint64(n)), false //nolint:gosec // the length of a list
	for at := 0; at < n; {
		part := min(n-at, int(size)) //nolint:gosec // at most n
		err := ask(at, at+part)
		switch {
		case err == nil:
			f.took(uint64(part), refused) //nolint:gosec // not negative
			at += part
			refused = false
		case part > 1 && (tooMuch(err) || isTooOften(err)):
			size, refused = uint64(part/2), true //nolint:gosec // not negative
		default:
			return err
		}
	}
	return nil
}
