// Package eip712 is what everything signed has in common: the digest of a struct under a domain,
// and the one strict form of a signature. Solidity twins: contracts/src/Hashing.sol and
// Signatures.sol.
package eip712

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Digest returns keccak256(0x1901 ‖ separator ‖ structHash), which is what is signed under a
// domain's separator.
func Digest(separator, structHash common.Hash) common.Hash {
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, separator[:], structHash[:])
}

// Signature is r ‖ s ‖ v with low s and v in {27, 28}: the only form that either Go or the Arena
// accepts.
type Signature [65]byte

// ErrSignature is wrapped by every error about a signature that is malformed or by the wrong key.
var ErrSignature = errors.New("bad signature")

// The order of the curve and half of it, big-endian: 0 < r < order and 0 < s <= halfOrder.
var (
	order     = crypto.S256().Params().N.FillBytes(make([]byte, 32))
	halfOrder = new(big.Int).Rsh(crypto.S256().Params().N, 1).FillBytes(make([]byte, 32))
)

// Parse takes the 65 bytes of a signature, and refuses every form that the Arena would refuse.
func Parse(b []byte) (Signature, error) {
	var s Signature
	if len(b) != len(s) {
		return s, fmt.Errorf("%w: %d bytes, want 65", ErrSignature, len(b))
	}
	copy(s[:], b)
	return s, s.wellFormed()
}

func (s Signature) wellFormed() error {
	v := s[64]
	if v != 27 && v != 28 {
		return fmt.Errorf("%w: v is %d, want 27 or 28", ErrSignature, v)
	}
	r, low := s[:32], s[32:64]
	if bytes.Compare(low, halfOrder) > 0 {
		return fmt.Errorf("%w: high s", ErrSignature)
	}
	if allZero(r) || allZero(low) || bytes.Compare(r, order) >= 0 {
		return fmt.Errorf("%w: r or s out of range", ErrSignature)
	}
	return nil
}

func allZero(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// Recover returns the address whose key signed the digest.
func (s Signature) Recover(digest common.Hash) (common.Address, error) {
	if err := s.wellFormed(); err != nil {
		return common.Address{}, err
	}
	raw := s
	raw[64] -= 27
	key, err := crypto.Ecrecover(digest[:], raw[:])
	if err != nil {
		return common.Address{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return common.BytesToAddress(crypto.Keccak256(key[1:])[12:]), nil
}

// Verify checks that the signature of the digest is by the given signer.
func (s Signature) Verify(digest common.Hash, signer common.Address) error {
	got, err := s.Recover(digest)
	if err != nil {
		return err
	}
	if got != signer {
		return fmt.Errorf("%w: signed by %s, want %s", ErrSignature, got, signer)
	}
	return nil
}
