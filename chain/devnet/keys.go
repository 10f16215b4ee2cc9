package devnet

import (
	"crypto/ecdsa"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// keys of accounts. They print as their number, so that no log or error shows them.
type keys []*ecdsa.PrivateKey

func (k keys) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%d keys", len(k)) }

// loadKeys derives the accounts' keys from the seed: the configured one, else the one kept in the
// data directory, else a random one. The last key is the deployer's.
func loadKeys(config Config) (keys, error) {
	seed := config.Seed
	if seed == "" {
		var err error
		if seed, err = keptSeed(config.DataDir); err != nil {
			return nil, err
		}
	}
	list := make(keys, config.Accounts+1)
	for i := range list {
		key, err := crypto.ToECDSA(crypto.Keccak256(fmt.Appendf(nil, "ante devnet account %d of %s", i, seed)))
		if err != nil {
			return nil, err
		}
		list[i] = key
	}
	return list, nil
}

func keptSeed(dir string) (string, error) {
	file := filepath.Join(dir, "seed")
	if dir != "" {
		kept, err := os.ReadFile(file)
		if err == nil {
			return string(kept), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	seed := rand.Text()
	if dir == "" {
		return seed, nil
	}
	return seed, os.WriteFile(file, []byte(seed), 0o600)
}

// Accounts returns the number of funded accounts.
func (c *Chain) Accounts() int { return len(c.keys) }

// Key returns the key of a funded account, numbered from 0. Each account starts with a million
// ether.
func (c *Chain) Key(i int) *ecdsa.PrivateKey { return c.keys[i] }

// Address returns the address of a funded account.
func (c *Chain) Address(i int) common.Address { return crypto.PubkeyToAddress(c.keys[i].PublicKey) }
