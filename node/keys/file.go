package keys

import (
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/ethereum/go-ethereum/accounts/keystore"
)

// writeNew writes a file that doesn't exist yet so that a crash leaves all of it or nothing, for
// its owner's eyes only.
func writeNew(dir, name string, data []byte) error {
	f, err := os.CreateTemp(dir, name+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	// unlike a rename, never overwrites
	if err := os.Link(f.Name(), filepath.Join(dir, name)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return syncDir(dir)
}

// syncDir makes what is in a directory survive a power failure, where the system knows how: Windows
// refuses to, and writes it by itself.
func syncDir(dir string) error {
	d, err := vfs.Default.OpenDir(dir)
	if err != nil {
		return fmt.Errorf("write to %s: %w", dir, err)
	}
	return errors.Join(d.Sync(), d.Close())
}

func readKey(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s does not exist: make keys with the init command, or put back your backup", ErrMissing, path)
	case err != nil:
		return nil, fmt.Errorf("read the keys: %w", err)
	case info.Size() > 1<<16:
		return nil, fmt.Errorf("%w: %s is no key file", ErrCorrupt, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	return data, nil
}

func decryptAccount(data []byte, password Password) (key *ecdsa.PrivateKey, err error) {
	err = decrypting(func() error {
		k, err := keystore.DecryptKey(data, string(password.Reveal()))
		if err == nil {
			key = k.PrivateKey
		}
		return err
	})
	return key, err
}

func decryptSeed(data []byte, password Password) (seed Secret, err error) {
	var plain []byte
	err = decrypting(func() error {
		var box keystore.CryptoJSON
		if err := json.Unmarshal(data, &box); err != nil {
			return err
		}
		plain, err = keystore.DecryptDataV3(box, string(password.Reveal()))
		return err
	})
	if err == nil && len(plain) != seedSize {
		err = fmt.Errorf("%w: a seed of %d bytes", ErrCorrupt, len(plain))
	}
	return NewSecret(plain), err
}

// decrypting sorts the errors of the keystore, which panics on fields of the wrong type or length.
func decrypting(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: malformed: put back your backup", ErrCorrupt)
		}
	}()
	err = f()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keystore.ErrDecrypt):
		return fmt.Errorf("%w: try again; nobody can recover it for you", ErrPassword)
	default:
		return fmt.Errorf("%w: %w: put back your backup", ErrCorrupt, err)
	}
}
