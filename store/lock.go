package store

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// lockDir takes the one lock that a process may hold on a store's directory. The operating system
// drops it when the process ends, however it ends. The owner file beside it is only for the error
// message.
func lockDir(dir string) (unlock func() error, err error) {
	lock, owner := flock.New(filepath.Join(dir, "lock")), filepath.Join(dir, "owner")
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the store in %s: %w", dir, err)
	}
	if !held {
		who, _ := os.ReadFile(owner)
		return nil, fmt.Errorf("%w: %s has %s open: stop it, or choose another directory",
			ErrInUse, cmp.Or(strings.TrimSpace(string(who)), "another process"), dir)
	}
	me := fmt.Sprintf("%s (process %d)\n", filepath.Base(os.Args[0]), os.Getpid())
	_ = os.WriteFile(owner, []byte(me), 0o600) // a full disk has no room for it
	return func() error {
		_ = os.Remove(owner)
		return lock.Unlock()
	}, nil
}
