package keys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// ErrExposed is wrapped by errors about secrets that others on this computer can read or replace.
var ErrExposed = errors.New("others on this computer can read or change it")

// Private makes sure that a directory of keys, what is in it, and some other files are for their
// owner's eyes only. Files that are missing are passed over, and so is Windows, whose modes say
// nothing.
func Private(dir string, files ...string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	inside, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return fmt.Errorf("look at the keys: %w", err)
	}
	var found []error
	for _, path := range append(append([]string{dir}, inside...), files...) {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			found = append(found, fmt.Errorf("look at the keys: %w", err))
		case info.Mode().Perm()&0o077 != 0:
			found = append(found, fmt.Errorf("%s: %w: run chmod go= %s; if somebody may have read it, move to new keys", path, ErrExposed, path))
		}
	}
	return errors.Join(found...)
}
