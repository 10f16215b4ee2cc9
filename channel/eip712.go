package channel

import (
	"encoding/binary"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Domain says where signatures are good: on one chain, for one Arena. Every signed struct is hashed under it (EIP-712),
// so that none can be replayed elsewhere.
type Domain struct {
	ChainID uint64
	Arena   common.Address
}

var (
	domainType  = crypto.Keccak256Hash([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"))
	nameHash    = crypto.Keccak256Hash([]byte("Ante"))
	versionHash = crypto.Keccak256Hash([]byte("1"))
)

// Separator returns the EIP-712 domain separator.
func (d Domain) Separator() common.Hash {
	return newEncoder(domainType).hash(nameHash).hash(versionHash).uint64(d.ChainID).address(d.Arena).sum()
}

// digest returns keccak256(0x1901 ‖ separator ‖ structHash), which is what is signed.
func (d Domain) digest(structHash common.Hash) common.Hash {
	return eip712.Digest(d.Separator(), structHash)
}

// encoder builds the hash of one struct (EIP-712 hashStruct) or of one array of atomic values, which is the hash of the
// values' words without a type hash.
type encoder struct{ words []byte }

func newEncoder(typeHash common.Hash) *encoder {
	return (&encoder{words: make([]byte, 0, 8*32)}).hash(typeHash)
}

func (e *encoder) hash(h common.Hash) *encoder {
	e.words = append(e.words, h[:]...)
	return e
}

func (e *encoder) address(a common.Address) *encoder {
	e.words = append(e.words, make([]byte, 12)...)
	e.words = append(e.words, a[:]...)
	return e
}

func (e *encoder) uint64(v uint64) *encoder {
	e.words = append(e.words, make([]byte, 24)...)
	e.words = binary.BigEndian.AppendUint64(e.words, v)
	return e
}

func (e *encoder) uint256(v *uint256.Int) *encoder {
	w := v.Bytes32()
	e.words = append(e.words, w[:]...)
	return e
}

func (e *encoder) bool(v bool) *encoder {
	if v {
		return e.uint64(1)
	}
	return e.uint64(0)
}

func (e *encoder) bytes(b []byte) *encoder { return e.hash(crypto.Keccak256Hash(b)) }

func (e *encoder) addresses(list []common.Address) *encoder {
	var a encoder
	for _, v := range list {
		a.address(v)
	}
	return e.hash(a.sum())
}

func (e *encoder) uint8s(list []uint8) *encoder {
	var a encoder
	for _, v := range list {
		a.uint64(uint64(v))
	}
	return e.hash(a.sum())
}

func (e *encoder) uint256s(list []uint256.Int) *encoder {
	var a encoder
	for i := range list {
		a.uint256(&list[i])
	}
	return e.hash(a.sum())
}

func (e *encoder) sum() common.Hash { return crypto.Keccak256Hash(e.words) }
