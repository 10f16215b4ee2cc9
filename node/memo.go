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
	damaged map[string]error    // why what lies under a key can't be read
	written map[string]struct{} // keys that may be other than known
	list    []T                 // what is known, in the order of the keys
}

// all returns what a store has under the prefix, in the order of the keys. What the values point to
// is shared with later callers: nobody may change it. With all that can be read it fails with
// errUnreadable, if something can't.
func (m *memo[T]) all(s store.Store, prefix string) ([]T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of != s {
		m.known, m.damaged, m.written = map[string]T{}, map[string]error{}, map[string]struct{}{}
		if err := s.Scan(prefix, "", func(key string, value []byte) error { m.take(key, value); return nil }); err != nil {
			return nil, err
		}
		m.of = s
	}
	for key := range m.written {
		value, err := s.Get(key)
		if err != nil {
			return nil, err
		}
		m.take(key, value)
		delete(m.written, key)
	}
	if m.list == nil {
		m.list = make([]T, 0, len(m.known))
		for _, key := range slices.Sorted(maps.Keys(m.known)) {
			m.list = append(m.list, m.known[key])
		}
	}
	if len(m.damaged) > 0 {
		return slices.Clone(m.list), m.damaged[slices.Min(slices.Collect(maps.Keys(m.damaged)))]
	}
	return slices.Clone(m.list), nil
}

// take notes what lies under a key.
func (m *memo[T]) take(key string, value []byte) {
	m.list = nil
	delete(m.known, key)
	delete(m.damaged, key)
	var v T
	if err := decode(key, value, &v); err != nil {
		m.damaged[key] = err
	} else if value != nil {
		m.known[key] = v
	}
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
