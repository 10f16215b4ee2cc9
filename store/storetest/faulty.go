package storetest

import (
	"errors"
	"sync/atomic"

	"github.com/ante-games/ante/store"
)

// Op is one call of a store.
type Op string

// The calls that a Faulty store can fail.
const (
	Commit Op = "commit"
	Get    Op = "get"
	Scan   Op = "scan"
)

// ErrCrash is for hooks that play a crash.
var ErrCrash = errors.New("crashed on purpose")

// Faulty passes calls on to a store unless its hooks object. Before is asked ahead of a call, which
// does not happen when it returns an error; After is asked behind it, so that its error hides a
// call that did happen. Either may be nil. They are called concurrently when the store is.
type Faulty struct {
	store.Store
	Before, After func(Op) error
}

// Full is a store whose disk is full while the flag is set: no commit goes through.
func Full(s store.Store, full *atomic.Bool) *Faulty {
	return &Faulty{Store: s, Before: func(op Op) error {
		if op == Commit && full.Load() {
			return store.ErrFull
		}
		return nil
	}}
}

func (f *Faulty) do(op Op, call func() error) error {
	if f.Before != nil {
		if err := f.Before(op); err != nil {
			return err
		}
	}
	if err := call(); err != nil {
		return err
	}
	if f.After != nil {
		return f.After(op)
	}
	return nil
}

// Commit implements store.Store.
func (f *Faulty) Commit(changes map[string][]byte) error {
	return f.do(Commit, func() error { return f.Store.Commit(changes) })
}

// Get implements store.Store.
func (f *Faulty) Get(key string) (value []byte, err error) {
	err = f.do(Get, func() error {
		value, err = f.Store.Get(key)
		return err
	})
	if err != nil {
		return nil, err
	}
	return value, nil
}

// Scan implements store.Store.
func (f *Faulty) Scan(prefix, from string, visit func(key string, value []byte) error) error {
	return f.do(Scan, func() error { return f.Store.Scan(prefix, from, visit) })
}
