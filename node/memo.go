package node

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ante-games/ante/store"
)

// memo holds what a store has under a prefix, so that what nobody wrote is not read and decoded
// again: every block asks for it, and a house has ten thousand results. Safe for concurrent use.
type memo[T any] struct {
	mu      sync.Mutex
	of      store.Store         // which was read; nil before
	known   map[string]T        // by key
	written map[string]struct{} // keys that may be other than known
	list    []T                 // what is known, in the order of the keys
}

// all returns what a store has under the prefix, in the order of the keys. What the values point to
// is shared with later callers: nobody may change it.
func (m *memo[T]) all(s store.Store, prefix string) ([]T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of != s {
		known := map[string]T{}
		if err := allStored(s, prefix, func(name string, v T) { known[prefix+name] = v }); err != nil {
			return nil, err
		}
		m.of, m.known, m.written, m.list = s, known, map[string]struct{}{}, nil
	}
	for key := range m.written {
		v, err := stored[T](s, key)
		if err != nil {
			return nil, err
		}
		delete(m.written, key)
		delete(m.known, key)
		m.list = nil
		if v != nil {
			m.known[key] = *v
		}
	}
	if m.list == nil {
		m.list = make([]T, 0, len(m.known))
		for _, key := range slices.Sorted(maps.Keys(m.known)) {
			m.list = append(m.list, m.known[key])
		}
	}
	return slices.Clone(m.list), nil
}

// wrote says that keys may have been written.
func (m *memo[T]) wrote(changes map[string][]byte, prefix string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		return
	}
	for key := range changes {
		if strings.HasPrefix(key, prefix) {
			m.written[key] = struct{}{}
		}
	}
}

// telling is a store that tells what was written, whether or not it then failed.
type telling struct {
	store.Store
	wrote func(changes map[string][]byte)
}

// Commit implements store.Store.
func (t *telling) Commit(changes map[string][]byte) error {
	defer t.wrote(changes)
	return t.Store.Commit(changes)
}
