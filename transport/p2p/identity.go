package p2p

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
)

// seedSize is the size of an Identity's seed in bytes.
const seedSize = ed25519.SeedSize

// Identity is the key by which a host is known to libp2p: addresses end in its peer id. It moves no
// money and proves no account, but a node that loses it is no longer found at the addresses it gave
// out. It prints as its peer id only.
type Identity struct {
	// behind a function: package fmt asks no methods of what is in an unexported field
	seed func() []byte
}

// IdentityFromSeed returns the identity of a seed: random bytes, to be stored.
func IdentityFromSeed(seed []byte) (Identity, error) {
	if len(seed) != seedSize {
		return Identity{}, fmt.Errorf("a peer identity's seed has %d bytes, not %d", seedSize, len(seed))
	}
	own := bytes.Clone(seed)
	return Identity{func() []byte { return own }}, nil
}

// PeerID returns the public name.
func (id Identity) PeerID() peer.ID {
	key, err := id.key()
	if err != nil {
		return ""
	}
	p, err := peer.IDFromPrivateKey(key)
	if err != nil {
		return ""
	}
	return p
}

// String names the peer.
func (id Identity) String() string { return "peer identity " + id.PeerID().String() }

// Format hides the seed from every verb of package fmt.
func (id Identity) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, id.String()) }

// MarshalText hides the seed from encoders and loggers.
func (id Identity) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

func (id Identity) key() (crypto.PrivKey, error) {
	if id.seed == nil {
		return nil, errors.New("no peer identity: draw a seed, store it, and make one of it with IdentityFromSeed")
	}
	return crypto.UnmarshalEd25519PrivateKey(ed25519.NewKeyFromSeed(id.seed()))
}
