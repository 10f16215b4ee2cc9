package protocol

import (
	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Domain says where signatures are valid: on one chain, for one Arena. Every signed struct is
// hashed under it (EIP-712), so that none can be replayed elsewhere.
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
	return eip712.NewEncoder(domainType).Hash(nameHash).Hash(versionHash).Uint64(d.ChainID).Address(d.Arena).Sum()
}

// Digest returns keccak256(0x1901 ‖ separator ‖ structHash), which is what is signed.
func (d Domain) Digest(structHash common.Hash) common.Hash {
	return eip712.Digest(d.Separator(), structHash)
}
