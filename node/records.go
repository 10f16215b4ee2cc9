package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// Where the records lie in the store, each under its id.
const (
	offerPrefix  = "offer/"
	invitePrefix = "invite/"
	roundPrefix  = "round/"
	resultPrefix = "result/"
)

// records are all of one kind that a node keeps in its store. Locked while one is read, changed and
// written.
type records[T any] struct {
	sync.Mutex
	base    *base
	prefix  string // of their keys, which go on with an id
	unknown error  // that one is not there
	memo    memo[T]
}

func (r *records[T]) key(id common.Hash) string { return r.prefix + id.Hex() }

// all returns the records in the order of their ids. With all that can be read it fails with
// errUnreadable, if some can't: see readable.
func (r *records[T]) all() (list []T, err error) {
	err = allStored(r.base.config.Store, r.prefix, func(_ string, v T) { list = append(list, v) })
	return list, err
}

// known returns what all does. It reads only what was written since, and nobody may change what the
// records point to: it is shared.
func (r *records[T]) known() ([]T, error) { return r.memo.all(r.base.config.Store, r.prefix) }

// readable is the error for those who may lack some.
func (r *records[T]) readable(err error) error { return r.base.readable(r.prefix, err) }

// readable is an error of reading what lies under a prefix, unless it is that some can't be read:
// an alarm tells of those, and the others go on.
func (n *base) readable(prefix string, err error) error {
	if !errors.Is(err, errUnreadable) {
		return err
	}
	n.Warn(prefix, fmt.Sprintf("what can't be read is passed over, and what waits for it goes on waiting: %v", err))
	return nil
}

// wrote says that keys may have been written.
func (r *records[T]) wrote(changes map[string][]byte) { r.memo.wrote(changes, r.prefix) }

// get returns one record, or the error that it is unknown.
func (r *records[T]) get(id common.Hash) (*T, error) {
	v, err := stored[T](r.base.config.Store, r.key(id))
	if err == nil && v == nil {
		err = fmt.Errorf("%w: %s", r.unknown, id)
	}
	return v, err
}

// save writes a record, together with what happened.
func (r *records[T]) save(id common.Hash, v *T, events ...Event) error {
	changes := map[string][]byte{}
	if err := r.put(changes, id, v); err != nil {
		return err
	}
	return r.base.commit(changes, events)
}

// put adds a record to what is to be written.
func (r *records[T]) put(changes map[string][]byte, id common.Hash, v *T) error {
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s%s: %w", r.prefix, id, err)
	}
	changes[r.key(id)] = value
	return nil
}

// forget deletes the first of a list of records that are over, up to the newest so many.
func (r *records[T]) forget(over []T, keep int, id func(*T) common.Hash) error {
	changes := map[string][]byte{}
	for i := range over[:max(0, len(over)-keep)] {
		changes[r.key(id(&over[i]))] = nil
	}
	if len(changes) == 0 {
		return nil
	}
	return r.base.config.Store.Commit(changes)
}

// stored returns what a store has under a key, nil if there is nothing.
func stored[T any](s store.Store, key string) (*T, error) {
	value, err := s.Get(key)
	if err != nil || value == nil {
		return nil, err
	}
	v := new(T)
	if err := decode(key, value, v); err != nil {
		return nil, err
	}
	return v, nil
}

// load reads into a value what a store has under a key; where that is nothing, the value stays.
func load(s store.Store, key string, into any) error {
	value, err := s.Get(key)
	if err != nil {
		return err
	}
	return decode(key, value, into)
}

// errUnreadable says that a record is damaged, or a newer program's: to read it again is of no use.
var errUnreadable = errors.New("the record is not readable")

func decode(key string, value []byte, into any) error {
	if value == nil {
		return nil
	}
	if err := json.Unmarshal(value, into); err != nil {
		return fmt.Errorf("read %s: %w: %w", key, errUnreadable, err)
	}
	return nil
}

// newest returns what is to be written under a key or, if that is nothing, what a store has there.
func newest(s store.Store, changes map[string][]byte, key string) ([]byte, error) {
	if value := changes[key]; value != nil {
		return value, nil
	}
	return s.Get(key)
}

// allStored visits what a store has under a prefix, by the rest of the key. It fails with
// errUnreadable when it has visited all but what can't be read, of which it names the first.
func allStored[T any](s store.Store, prefix string, visit func(name string, v T)) error {
	var unreadable error
	err := s.Scan(prefix, "", func(key string, value []byte) error {
		var v T
		if err := decode(key, value, &v); err == nil {
			visit(strings.TrimPrefix(key, prefix), v)
		} else if unreadable == nil {
			unreadable = err
		}
		return nil
	})
	if err != nil {
		return err
	}
	return unreadable
}
