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
// owner's eyes only. Files that are missing are passed over.
func Private(dir string, files ...string) error {
	inside, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at the keys: %w", err)
	}
	all := append([]string{dir}, files...)
	for _, file := range inside {
		all = append(all, filepath.Join(dir, file.Name()))
	}
	var found []error
	for _, path := range all {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			found = append(found, fmt.Errorf("look at the keys: %w", err))
		case exposed(runtime.GOOS, info.Mode()):
			found = append(found, fmt.Errorf("%s: %w: run chmod go= %s; if somebody may have read it, move to new keys", path, ErrExposed, path))
		}
	}
	return errors.Join(found...)
}

// exposed reports whether others than the owner can read or change a file of that mode. Windows has
// no modes, and Go makes one up (0666): who may read a file there is its folder's to say, and that
// of a user's profile shows it to nobody else.
func exposed(system string, mode fs.FileMode) bool {
	return system != "windows" && mode.Perm()&0o077 != 0
}
