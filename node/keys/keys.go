// Package keys holds what a player signs with.
//
// Two things are kept in files, encrypted with one password in the Web3 Secret Storage format that
// other wallets read too: the player's account, which owns the money (player.json), and a seed of
// 32 random bytes (seed.json). The rest is derived from the seed and so needs no file: the session
// key of each channel, an account that pays for gas, and the identity on the peer-to-peer network.
// Whoever restores these two files has all keys back.
//
// Keys print as addresses and the seed and the password as "[redacted]", whatever the verb, in JSON
// and in logs.
package keys

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ante-games/ante/internal/files"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
)

var (
	// ErrPassword is returned for a password that doesn't open the keys.
	ErrPassword = errors.New("wrong password")
	// ErrExist is returned by Create where there are keys already.
	ErrExist = errors.New("there are keys already")
	// ErrMissing is returned by Open where there are none.
	ErrMissing = errors.New("there are no keys")
	// ErrCorrupt is returned for files that hold no keys.
	ErrCorrupt = errors.New("cannot read the keys")
)

// Strength is how hard it is to try passwords: the N of scrypt, whose P is 1 (or 6, with Light).
type Strength int

// Strengths.
const (
	Standard Strength = keystore.StandardScryptN // about a second and 256 MiB a try
	// some tens of milliseconds; for accounts without real money
	Light Strength = keystore.LightScryptN
)

func (s Strength) p() int {
	if s == Light {
		return keystore.LightScryptP
	}
	return keystore.StandardScryptP
}

// Ring is a player's opened keys. It is safe for concurrent use.
type Ring struct {
	player *ecdsa.PrivateKey
	seed   Secret
}

const (
	playerFile = "player.json"
	seedFile   = "seed.json"
	seedSize   = 32
)

// Create makes new keys in a directory, which it creates with mode 0700. It never overwrites keys.
// An imported account, if not nil, is a key file of another wallet, which must have the same
// password.
func Create(dir string, password Password, strength Strength, imported []byte) (*Ring, error) {
	return create(dir, password, strength, func() (*ecdsa.PrivateKey, error) {
		if imported == nil {
			return crypto.GenerateKey()
		}
		return decryptAccount(imported, password)
	})
}

func create(dir string, password Password, strength Strength, player func() (*ecdsa.PrivateKey, error)) (*Ring, error) {
	if err := vacant(dir); err != nil {
		return nil, err
	}
	if err := password.check(); err != nil {
		return nil, err
	}
	seed := make([]byte, seedSize)
	_, _ = rand.Read(seed) // never fails
	r := &Ring{seed: NewSecret(seed)}
	var err error
	if r.player, err = player(); err != nil {
		return nil, fmt.Errorf("make the player's account: %w", err)
	}
	return r, r.write(dir, password, strength)
}

// vacant fails with ErrExist where there are keys.
func vacant(dir string) error {
	for _, name := range []string{playerFile, seedFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%w: %s: keep them safe, or choose another directory", ErrExist, filepath.Join(dir, name))
		}
	}
	return nil
}

func (r *Ring) write(dir string, password Password, strength Strength) error {
	box, err := keystore.EncryptDataV3(r.seed.Reveal(), password.Reveal(), int(strength), strength.p())
	if err != nil {
		return fmt.Errorf("encrypt the seed: %w", err)
	}
	seed, err := json.Marshal(box)
	if err != nil {
		return fmt.Errorf("encrypt the seed: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the directory of the keys: %w", err)
	}
	if r.player == nil {
		return files.WriteNew(dir, seedFile, seed)
	}
	account := &keystore.Key{Id: uuid.New(), Address: r.Player().Address(), PrivateKey: r.player}
	player, err := keystore.EncryptKey(account, string(password.Reveal()), int(strength), strength.p())
	if err != nil {
		return fmt.Errorf("encrypt the player's account: %w", err)
	}
	if err := files.WriteNew(dir, playerFile, player); err != nil {
		return err
	}
	return files.WriteNew(dir, seedFile, seed) // last: without it there are no keys
}

// CreateSeed makes new keys without a player's account, which is elsewhere: at an external signer,
// say. See Create.
func CreateSeed(dir string, password Password, strength Strength) (*Ring, error) {
	return create(dir, password, strength, func() (*ecdsa.PrivateKey, error) { return nil, nil })
}

// Open decrypts the keys in a directory. Where only a seed was made it returns a Ring without a
// player. It fails with ErrMissing, ErrPassword or ErrCorrupt.
func Open(dir string, password Password) (*Ring, error) {
	r := new(Ring)
	seed, err := readKey(dir, seedFile)
	if err != nil {
		return nil, err
	}
	player, err := optional(dir, playerFile)
	if err != nil {
		return nil, err
	}
	if player != nil {
		if r.player, err = decryptAccount(player, password); err != nil {
			return nil, fmt.Errorf("open %s: %w", filepath.Join(dir, playerFile), err)
		}
	}
	if r.seed, err = decryptSeed(seed, password); err != nil {
		return nil, fmt.Errorf("open %s: %w", filepath.Join(dir, seedFile), err)
	}
	return r, nil
}

// Copy copies a backup of keys unchanged into a directory, which it creates with mode 0700. What is
// there of the same is left, as after a copy that was cut off. It fails with ErrExist where there
// are other keys, before anything is copied.
func Copy(dir, backup string) error {
	all := []string{playerFile, seedFile}
	missing := map[string][]byte{}
	for _, name := range all {
		data, err := optional(backup, name)
		if err != nil {
			return err
		}
		there, err := optional(dir, name)
		switch {
		case err != nil:
			return err
		case there == nil && data != nil:
			missing[name] = data
		case !bytes.Equal(there, data):
			return vacant(dir)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("restore the keys: %w", err)
	}
	for _, name := range all {
		if data := missing[name]; data != nil {
			if err := files.WriteNew(dir, name, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// Player returns the key of the account that owns the money; nil if that is elsewhere.
func (r *Ring) Player() *protocol.Key {
	if r.player == nil {
		return nil
	}
	return protocol.NewKey(r.player)
}

// PlayerKey returns the same key in the form in which transactions are signed. Wrap it before it
// can reach a log.
func (r *Ring) PlayerKey() *ecdsa.PrivateKey { return r.player }

// Exist returns ErrMissing if there are no keys in a directory.
func Exist(dir string) error {
	_, err := readKey(dir, seedFile)
	return err
}

// Format prints the player's address only.
func (r *Ring) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "keys of %s", r.address()) }

func (r *Ring) address() common.Address {
	if r.player == nil {
		return common.Address{}
	}
	return crypto.PubkeyToAddress(r.player.PublicKey)
}

// MarshalText encodes the player's address only.
func (r *Ring) MarshalText() ([]byte, error) { return r.address().MarshalText() }
