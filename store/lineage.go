package store

import (
	"errors"
	"fmt"
	"strconv"
)

// layout is the version of the data's layout that this code reads and writes. What a machine keeps
// and a tower's evidence are protobuf, which also has a number of its own (recordFormat in package
// channel); logs of the chain are RLP, and the rest is JSON. Fields that are added to protobuf or
// JSON, and records of new kinds, leave the version alone as long as an older program may overlook
// them.
//
// Whatever else changes raises it by one, and has Begin bring data of each version below up to it,
// in the commit that writes the new version: a crash leaves the old data or the new. Before that,
// the directories that the last release leaves behind are kept for ever, by go test ./cmd/channeld
// -run TestUpgrade -upgrade.leave at its commit; TestUpgrade plays on from those of every release.
const layout = 1

// The keys that this package keeps for itself. Values are decimal numbers.
const (
	reserved      = "store/"
	keyVersion    = reserved + "version"
	keyGeneration = reserved + "generation" // how often the store was opened
	// the generation in which it was last found to come from a backup
	keyRestored = reserved + "restored"
)

// Begin checks that the data can be read and counts one more generation, durably. Every
// implementation calls it when a store is opened.
func Begin(s Store) error {
	version, err := number(s, keyVersion)
	if err != nil {
		return err
	}
	changes := map[string][]byte{}
	switch {
	case version > layout:
		return fmt.Errorf("%w: its data is version %d and this program knows %d: use a newer program", ErrUnreadable, version, layout)
	case version == 0:
		if err := s.Scan("", "", func(string, []byte) error { return errNotEmpty }); err != nil {
			return err
		}
		changes[keyVersion] = decimal(layout)
	}
	generation, err := number(s, keyGeneration)
	if err != nil {
		return err
	}
	changes[keyGeneration] = decimal(generation + 1)
	return s.Commit(changes)
}

var errNotEmpty = fmt.Errorf("%w: it holds data without a version, so something else wrote it: choose another directory", ErrUnreadable)

// Generation returns how often the store has been opened, this time included. A restored backup has
// a lower generation than the store that it replaces, which is how a tower notices.
func Generation(s Store) (uint64, error) { return number(s, keyGeneration) }

// Restored returns the generation in which the store was last marked as restored from a backup, 0
// for never. Nothing that began in that generation or before may be signed: a newer state may exist
// that the backup lacks.
func Restored(s Store) (uint64, error) { return number(s, keyRestored) }

// MarkRestored says, durably, that the store was put back from a backup.
func MarkRestored(s Store) error {
	generation, err := Generation(s)
	if err != nil {
		return err
	}
	return s.Commit(map[string][]byte{keyRestored: decimal(generation)})
}

// Witness compares the store with the generation that somebody else (a tower, say) remembers. If
// theirs is higher, the store is an old copy: Witness marks it as restored, continues counting from
// theirs, and returns true.
func Witness(s Store, seen uint64) (restored bool, err error) {
	generation, err := Generation(s)
	if err != nil || seen <= generation {
		return false, err
	}
	next := decimal(seen + 1)
	return true, s.Commit(map[string][]byte{keyGeneration: next, keyRestored: next})
}

func decimal(n uint64) []byte { return strconv.AppendUint(nil, n, 10) }

func number(s Store, key string) (uint64, error) {
	value, err := s.Get(key)
	if err != nil || value == nil {
		return 0, err
	}
	n, err := strconv.ParseUint(string(value), 10, 64)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("%w: %s is %q", ErrUnreadable, key, value), err)
	}
	return n, nil
}
