package contracts_test

import (
	"crypto/ecdsa"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// key is a test key, made from a name, so that every run signs and costs the same.
type key struct {
	secret  *ecdsa.PrivateKey
	address common.Address
}

func newKey(name string) key {
	secret, err := crypto.ToECDSA(crypto.Keccak256([]byte("ante test key " + name)))
	if err != nil {
		panic(err) // a name whose hash is no scalar: choose another
	}
	return key{secret: secret, address: crypto.PubkeyToAddress(secret.PublicKey)}
}

// sign signs a digest in the strict form.
func (k key) sign(digest common.Hash) (s protocol.Signature) {
	raw, err := crypto.Sign(digest[:], k.secret)
	if err != nil {
		panic(err) // only for a digest that isn't 32 bytes
	}
	copy(s[:], raw)
	s[64] += 27
	return s
}

// seat is somebody who plays: a player, who owns the money, and the session key that signs for it.
type seat struct {
	name   string
	player key
	signer key
	// the player's contract wallet, which the player's key owns; zero: the key itself plays
	contract common.Address
}

// open signs for the player: a contract wallet wants its owner's signature with something behind
// it.
func (s seat) open(digest common.Hash) []byte {
	sig := s.player.sign(digest)
	if s.contract == (common.Address{}) {
		return sig[:]
	}
	return append(sig[:], make([]byte, 32)...)
}

func newSeat(name string) seat {
	return seat{name: name, player: newKey(name), signer: newKey(name + " session")}
}

// names are the seats of a table, in order. mallory is whoever has no seat.
var names = []string{
	"alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi",
	"ivan", "judy", "kim", "leo", "mona", "nina", "olaf", "peggy",
}

func hash(state []byte) common.Hash { return crypto.Keccak256Hash(state) }
