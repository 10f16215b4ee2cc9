package protocol

import (
	"crypto/ecdsa"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Key is a Signer that holds its private key in memory. It never prints the key, whatever the verb.
// Signatures are deterministic (RFC 6979): the same digest always gets the same signature.
type Key struct {
	private *ecdsa.PrivateKey
	address common.Address
}

// NewKey makes a Signer of a private key.
func NewKey(private *ecdsa.PrivateKey) *Key {
	return &Key{private: private, address: crypto.PubkeyToAddress(private.PublicKey)}
}

// GenerateKey makes a fresh key from 32 random bytes at a time, until they are a valid one.
func GenerateKey(random io.Reader) (*Key, error) {
	for {
		var b [32]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return nil, fmt.Errorf("make a session key: %w", err)
		}
		if private, err := crypto.ToECDSA(b[:]); err == nil {
			return NewKey(private), nil
		}
	}
}

// Address returns the account that signs.
func (k *Key) Address() common.Address { return k.address }

// Sign returns the signature of a digest in the strict form.
func (k *Key) Sign(digest common.Hash) (Signature, error) {
	var s Signature
	b, err := crypto.Sign(digest[:], k.private)
	if err != nil {
		return s, fmt.Errorf("sign: %w", err)
	}
	copy(s[:], b)
	s[64] += 27
	return s, nil
}

// Bytes returns the private key's 32 bytes, for storage.
func (k *Key) Bytes() []byte { return crypto.FromECDSA(k.private) }

// Format prints the address only.
func (k *Key) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "key of %s", k.address) }

// String returns what Format prints.
func (k *Key) String() string { return "key of " + k.address.Hex() }

// MarshalText encodes the address only.
func (k *Key) MarshalText() ([]byte, error) { return k.address.MarshalText() }
