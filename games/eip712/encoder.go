package eip712

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Encoder builds the hash of one struct (EIP-712 hashStruct) or of one array of atomic values,
// which is the hash of the values' words without a type hash.
type Encoder struct{ words []byte }

// NewEncoder begins a struct of a type.
func NewEncoder(typeHash common.Hash) *Encoder {
	return (&Encoder{words: make([]byte, 0, 8*32)}).Hash(typeHash)
}

// Hash adds a bytes32.
func (e *Encoder) Hash(h common.Hash) *Encoder {
	e.words = append(e.words, h[:]...)
	return e
}

// Address adds an address.
func (e *Encoder) Address(a common.Address) *Encoder {
	e.words = append(e.words, make([]byte, 12)...)
	e.words = append(e.words, a[:]...)
	return e
}

// Uint64 adds an unsigned integer of at most 64 bits.
func (e *Encoder) Uint64(v uint64) *Encoder {
	e.words = append(e.words, make([]byte, 24)...)
	e.words = binary.BigEndian.AppendUint64(e.words, v)
	return e
}

// Uint256 adds an unsigned integer.
func (e *Encoder) Uint256(v *uint256.Int) *Encoder {
	w := v.Bytes32()
	e.words = append(e.words, w[:]...)
	return e
}

// Bool adds a boolean.
func (e *Encoder) Bool(v bool) *Encoder {
	if v {
		return e.Uint64(1)
	}
	return e.Uint64(0)
}

// Bytes adds bytes of any length.
func (e *Encoder) Bytes(b []byte) *Encoder { return e.Hash(crypto.Keccak256Hash(b)) }

// Addresses adds an array of addresses.
func (e *Encoder) Addresses(list []common.Address) *Encoder {
	var a Encoder
	for _, v := range list {
		a.Address(v)
	}
	return e.Hash(a.Sum())
}

// Uint8s adds an array of small integers.
func (e *Encoder) Uint8s(list []uint8) *Encoder {
	var a Encoder
	for _, v := range list {
		a.Uint64(uint64(v))
	}
	return e.Hash(a.Sum())
}

// Uint256s adds an array of integers.
func (e *Encoder) Uint256s(list []uint256.Int) *Encoder {
	var a Encoder
	for i := range list {
		a.Uint256(&list[i])
	}
	return e.Hash(a.Sum())
}

// Strings adds an array of strings.
func (e *Encoder) Strings(list []string) *Encoder {
	var a Encoder
	for _, s := range list {
		a.Bytes([]byte(s))
	}
	return e.Hash(a.Sum())
}

// Sum returns the hash.
func (e *Encoder) Sum() common.Hash { return crypto.Keccak256Hash(e.words) }
