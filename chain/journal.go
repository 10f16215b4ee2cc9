package chain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/rlp"
)

// journal is the batch about to be told, and the cursor after it. It is durable before the first
// event is told. Otherwise a process that stopped in between would read the chain anew, and what it
// told of a block that has left the chain would stand for ever.
type journal struct {
	Cursor *cursor `json:"cursor"`
	News   []news  `json:"news"`
}

// page names a part of the journal.
func (s *shelf) page(i uint64) string { return fmt.Sprintf("%s/telling/%04x", s.key, i) }

// note stores the journal beside the cursor at which all before was told.
func (s *shelf) note(at *cursor, j *journal) error {
	encoded, err := rlp.EncodeToBytes(j)
	if err != nil {
		return err
	}
	w := writer{store: s.store, changes: map[string][]byte{}}
	noted := *at
	for part := range slices.Chunk(encoded, maxPart) {
		w.add(s.page(noted.Telling), part)
		noted.Telling++
	}
	if encoded, err = noted.encode(); err != nil {
		return err
	}
	w.add(s.key, encoded)
	if err := w.flush(); err != nil {
		return err
	}
	at.Telling = noted.Telling
	return nil
}

// noted returns the journal that a cursor names.
func (s *shelf) noted(at *cursor) (*journal, error) {
	var encoded []byte
	for i := range at.Telling {
		part, err := s.store.Get(s.page(i))
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, part...)
	}
	j := new(journal)
	err := decode(encoded, j)
	if err == nil && (j.Cursor == nil || slices.ContainsFunc(j.News, func(n news) bool { return n.Block == nil })) {
		err = errors.New("something is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: what was about to be told: %w", ErrCursor, err)
	}
	j.Cursor.Version = cursorVersion
	for i, n := range j.News {
		if same := j.Cursor.at(n.Block.Number); same != nil && same.Hash == n.Block.Hash && same.Digest == n.Block.Digest {
			j.News[i].Block = same
		}
	}
	return j, nil
}

// revocable reports whether a crash could change what is to be told: deep blocks, and those that
// become final, read the same again.
func revocable(list []news, after *cursor) bool {
	return slices.ContainsFunc(list, func(n news) bool {
		return n.Stage != Final && n.Block.Number >= after.Base && (len(n.Block.Logs) > 0 || n.Block.Parts > 0)
	})
}
