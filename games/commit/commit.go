// Package commit is how games hide something now and prove it later.
//
// A seat publishes the Hash of a secret and a random salt, and opens it when the rules ask. The
// commitment is bound to the game's tag, the match, the seat and the round, so a copied commitment
// opens nothing anywhere else. Vault keeps what a seat has committed to until then; nothing in this
// package can be printed, logged or marshalled by accident.
package commit

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Tag names the kind of secret and the game of a commitment: ASCII, padded with zeros like
// Solidity's bytes32 literals.
type Tag [32]byte

// NewTag returns the tag of a text of at most 32 bytes; what is longer is cut off.
func NewTag(text string) (t Tag) {
	copy(t[:], text)
	return t
}

// Scope is what a commitment is bound to.
type Scope struct {
	Tag     Tag
	MatchID common.Hash
	Seat    uint8
	Round   uint32
}

// Hash returns keccak256(abi.encode(tag, matchId, seat, round, secret, salt)):
// contracts/src/games/Commitment.sol. It hides the secret only if the salt is 32 random bytes.
func (s Scope) Hash(secret, salt common.Hash) common.Hash {
	var b [6 * 32]byte
	copy(b[0:], s.Tag[:])
	copy(b[32:], s.MatchID[:])
	b[95] = s.Seat
	b[124], b[125], b[126], b[127] = byte(s.Round>>24), byte(s.Round>>16), byte(s.Round>>8), byte(s.Round)
	copy(b[128:], secret[:])
	copy(b[160:], salt[:])
	return crypto.Keccak256Hash(b[:])
}
