package store

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// Memory is a store without a disk, for simulations and tests. Its data outlives Close: Reopen
// gives a new handle on it, as a restarted process would have.
type Memory struct {
	data *memoryData

	mu     sync.Mutex
	closed bool
}

type memoryData struct {
	mu     sync.RWMutex
	values map[string][]byte
}

// NewMemory returns an empty store in its first generation.
func NewMemory() *Memory {
	m := &Memory{data: &memoryData{values: make(map[string][]byte)}}
	mustBegin(m)
	return m
}

// Reopen closes the handle and returns a new one on the same data, in the next generation.
func (m *Memory) Reopen() *Memory {
	_ = m.Close()
	next := &Memory{data: m.data}
	mustBegin(next)
	return next
}

// mustBegin begins a generation of data that only this type wrote, which cannot fail.
func mustBegin(m *Memory) {
	if err := Begin(m); err != nil {
		panic(err)
	}
}

func (m *Memory) open() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	return nil
}

// Commit implements Store.
func (m *Memory) Commit(changes map[string][]byte) error {
	if err := m.open(); err != nil {
		return err
	}
	if err := check(changes); err != nil {
		return err
	}
	m.data.mu.Lock()
	defer m.data.mu.Unlock()
	for key, value := range changes {
		if len(value) == 0 {
			delete(m.data.values, key)
			continue
		}
		m.data.values[key] = bytes.Clone(value)
	}
	return nil
}

// Get implements Store.
func (m *Memory) Get(key string) ([]byte, error) {
	if err := m.open(); err != nil {
		return nil, err
	}
	m.data.mu.RLock()
	defer m.data.mu.RUnlock()
	return bytes.Clone(m.data.values[key]), nil
}

// Scan implements Store.
func (m *Memory) Scan(prefix, from string, visit func(key string, value []byte) error) error {
	if err := m.open(); err != nil {
		return err
	}
	for _, e := range m.data.snapshot(prefix, from) {
		if err := visit(e.key, e.value); err != nil {
			return unlessStop(err)
		}
	}
	return nil
}

type entry struct {
	key   string
	value []byte
}

func (d *memoryData) snapshot(prefix, from string) []entry {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var found []entry
	for key, value := range d.values {
		if strings.HasPrefix(key, prefix) && key >= from {
			found = append(found, entry{key, bytes.Clone(value)})
		}
	}
	slices.SortFunc(found, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return found
}

func unlessStop(err error) error {
	if err == ErrStop { //nolint:errorlint // a wrapped ErrStop is somebody else's
		return nil
	}
	return err
}

// Close implements Store.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
