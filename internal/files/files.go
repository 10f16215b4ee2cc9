// Package files writes what has to be on the disk whole, or not at all, whenever a crash or a power
// failure comes.
package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// WriteNew writes a file that doesn't exist yet, for its owner's eyes only. A crash leaves all of
// it or nothing.
func WriteNew(dir, name string, data []byte) error {
	if err := writeNew(dir, name, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func writeNew(dir, name string, data []byte) error {
	f, err := os.CreateTemp(dir, name+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return err
	}
	// unlike a rename, never overwrites
	if err := os.Link(f.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return SyncDir(vfs.Default, dir)
}

// SyncDir makes what is in a directory survive a power failure, where the system knows how: Windows
// refuses to, and writes it by itself.
func SyncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
