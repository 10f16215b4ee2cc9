package chain

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// What a shelf writes at once, in bytes. How much the Arena says in a block is bounded only by the
// block's gas.
const (
	maxPart   = 1 << 20 // of one block's logs under one key
	maxCommit = 4 << 20 // in one commit, but for a cursor that is longer
)

// shelf keeps a cursor in a store, and the logs of each block that it remembers apart from it:
// whoever has the Arena say much could make them more than a store takes at once. A block's logs
// are durable before the cursor that names them, and deleted after; so is the journal of what is
// about to be told.
type shelf struct {
	store Store
	key   string // of the cursor
	arena common.Address
}

// part names a part of a block's logs. What an endpoint said otherwise of the same block has
// another name.
func (s *shelf) part(b *followed, i uint64) string {
	return fmt.Sprintf("%s/%016x-%x-%x/%04x", s.key, b.Number, b.Hash, b.Digest, i)
}

// logs returns the logs that were told of a block.
func (s *shelf) logs(b *followed) ([]types.Log, error) {
	list := b.Logs
	if b.Parts > 0 {
		var encoded []byte
		for i := range b.Parts {
			part, err := s.store.Get(s.part(b, i))
			if err != nil {
				return nil, err
			}
			encoded = append(encoded, part...)
		}
		if err := rlp.DecodeBytes(encoded, &list); err != nil {
			return nil, fmt.Errorf("%w: the logs of block %d: %w", ErrCursor, b.Number, err)
		}
	}
	logs := make([]types.Log, len(list))
	for i, e := range list {
		logs[i] = types.Log{
			Address: s.arena, Topics: e.Topics, Data: e.Data, TxHash: e.Tx, Index: e.Index,
			BlockNumber: b.Number, BlockHash: b.Hash, BlockTimestamp: b.Time,
		}
	}
	return logs, nil
}

// put stores a cursor in the place of another, and the logs that are not on the shelf yet.
func (s *shelf) put(was, c *cursor) error {
	before := s.named(was)
	w := writer{store: s.store, changes: map[string][]byte{}}
	for _, b := range c.Blocks {
		if len(b.Logs) == 0 {
			continue
		}
		encoded, err := rlp.EncodeToBytes(b.Logs)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(encoded, maxPart) {
			w.add(s.part(b, b.Parts), part)
			b.Parts++
		}
		b.Logs = nil
	}
	encoded, err := c.encode()
	if err != nil {
		return err
	}
	w.add(s.key, encoded)
	now := s.named(c)
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if !now[key] {
			w.add(key, nil)
		}
	}
	return w.flush()
}

// sweep deletes what a crash has left that the cursor doesn't name.
func (s *shelf) sweep(c *cursor) error {
	named := s.named(c)
	w := writer{store: s.store, changes: map[string][]byte{}}
	err := s.store.Scan(s.key+"/", "", func(key string, _ []byte) error {
		if !named[key] {
			w.add(key, nil)
		}
		return w.err
	})
	if err != nil {
		return err
	}
	return w.flush()
}

// named returns the keys under which a cursor's logs are.
func (s *shelf) named(c *cursor) map[string]bool {
	keys := map[string]bool{}
	for _, b := range c.Blocks {
		for i := range b.Parts {
			keys[s.part(b, i)] = true
		}
	}
	for i := range c.Telling {
		keys[s.page(i)] = true
	}
	return keys
}

// writer commits changes in their order, as many at once as fit, up to the first that fails.
type writer struct {
	store   Store
	changes map[string][]byte
	size    int
	err     error // the first
}

func (w *writer) add(key string, value []byte) {
	size := len(key) + len(value)
	if w.size+size > maxCommit {
		_ = w.flush() // it keeps the error
	}
	w.changes[key] = value
	w.size += size
}

func (w *writer) flush() error {
	if w.err == nil && len(w.changes) > 0 {
		w.err = w.store.Commit(w.changes)
	}
	w.changes, w.size = map[string][]byte{}, 0
	return w.err
}
