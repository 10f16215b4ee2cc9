// Package store keeps what a node must not forget: marks, ledgers, positions, secrets, unsent
// transactions, cursors.
//
// A Store maps keys to values. Keys sort bytewise; by convention they are paths such as
// "round/<id>". A key's first part says whose it is: "store/" belongs to this package, "chain/",
// "arena/" and "fact/" to package chain, "rules/", "numbers/" and "proved/" to driver, "api/" to
// node/api, "code/" and "daemon/" to the daemon, and of a tower's store "cursor", "log/", "hot/",
// "holding/", "proof/" and "paid/" to package tower; all others are package node's. Everything else
// rests on one promise: when Commit returns nil, all of its changes are on stable storage and
// survive a crash or a power failure; no commit ever survives in part. Checksums detect corrupt
// data, which the store refuses to open; but in the last 32 KiB of its log, corruption by the disk
// looks like a write that a crash tore, and is dropped as such.
//
// Open returns a store on disk, by Pebble; NewMemory one for simulations. Package storetest holds
// the conformance suite that both pass, a store that fails on command, and a disk that crashes.
//
// A store fails closed. Once it cannot promise what Commit promises (an fsync failed, a table is
// corrupt), every later call returns ErrFailed until the process is restarted. A full disk is
// milder: see ErrFull.
package store

import (
	"errors"
	"fmt"
)

// Store is a durable key-value store. Implementations are safe for concurrent use; every method may
// block on the disk.
type Store interface {
	// Commit makes all changes durable, or none. A nil or empty value deletes its key. The map and
	// its values must stay unchanged until Commit returns. After an error nothing has changed; only
	// after ErrFailed is that unknown until the store is opened anew.
	Commit(changes map[string][]byte) error

	// Get returns the value of a key, nil where there is none. The caller owns it.
	Get(key string) ([]byte, error)

	// Scan visits the keys that begin with prefix and are not below from, in ascending order, as
	// they were when Scan was called. An error from visit ends the scan and is returned, but for
	// ErrStop, which only ends it. The visitor may keep the value and call the store.
	Scan(prefix, from string, visit func(key string, value []byte) error) error

	// Close waits for the calls under way and releases the store. Later calls return ErrClosed;
	// Close itself may be repeated.
	Close() error
}

// Limits of one Commit, in bytes.
const (
	MaxKey    = 1 << 10
	MaxCommit = 8 << 20 // keys and values together
)

var (
	// ErrStop ends a Scan early without an error.
	ErrStop = errors.New("stop scanning")

	// ErrClosed is returned by every call after Close.
	ErrClosed = errors.New("the store is closed")

	// ErrTooLarge is returned by Commit for changes beyond the limits above, or for an empty key.
	ErrTooLarge = errors.New("changes too large to store")

	// ErrInUse is returned by Open when another process has the store open.
	ErrInUse = errors.New("the store is in use")

	// ErrFull is returned when the disk is full. Nothing of the refused Commit was written, all
	// that was committed before is safe and can be read, and commits work again by themselves once
	// there is room.
	ErrFull = errors.New("the disk is full")

	// ErrFailed is returned by every call once the disk has failed in a way that leaves it unknown
	// what is on it.
	ErrFailed = errors.New("the store has failed")

	// ErrUnreadable is returned by Open for data that is not a store of this version: newer,
	// foreign or corrupt.
	ErrUnreadable = errors.New("cannot read the store")
)

func check(changes map[string][]byte) error {
	total := 0
	for key, value := range changes {
		if key == "" || len(key) > MaxKey {
			return fmt.Errorf("%w: a key of %d bytes, want 1 to %d", ErrTooLarge, len(key), MaxKey)
		}
		total += len(key) + len(value)
	}
	if total > MaxCommit {
		return fmt.Errorf("%w: %d bytes in one commit, at most %d", ErrTooLarge, total, MaxCommit)
	}
	return nil
}
