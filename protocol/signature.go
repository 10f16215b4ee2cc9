package protocol

import (
	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
)

// Signature is r ‖ s ‖ v with low s and v in {27, 28}: the only form that either Go or the Arena
// accepts.
type Signature = eip712.Signature

// ErrSignature is wrapped by every error about a signature that is malformed or by the wrong key.
var ErrSignature = eip712.ErrSignature

// Signer signs digests with a seat's session key. Implementations are safe for concurrent use.
type Signer interface {
	Address() common.Address
	// Sign returns the signature of a 32-byte digest in the strict form.
	Sign(digest common.Hash) (Signature, error)
}

// ParseSignature takes the 65 bytes of a signature, and refuses every form that the Arena would
// refuse.
func ParseSignature(b []byte) (Signature, error) { return eip712.Parse(b) }
