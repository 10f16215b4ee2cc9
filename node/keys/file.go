package keys

import (
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/accounts/keystore"
)

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

// optional is readKey of a file that may be missing: then there is nothing.
func optional(dir, name string) ([]byte, error) {
	data, err := readKey(dir, name)
	if errors.Is(err, ErrMissing) {
		return nil, nil
	}
	return data, err
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
