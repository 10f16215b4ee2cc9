package keys

import (
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Session returns the session key of the channel whose terms have that salt. It is the same after a
// restart.
func (r *Ring) Session(salt common.Hash) (*protocol.Key, error) {
	return r.account("session", salt[:])
}

// Gas returns the key of an account that may pay for transactions which anybody may send.
func (r *Ring) Gas() (*protocol.Key, error) { return r.account("gas", nil) }

// GasKey returns the same key in the form in which transactions are signed. Wrap it before it can
// reach a log.
func (r *Ring) GasKey() (*ecdsa.PrivateKey, error) {
	key, err := r.Gas()
	if err != nil {
		return nil, err
	}
	return crypto.ToECDSA(key.Bytes())
}

// Deputy returns the key that speaks among peers for a player whose own key is elsewhere.
func (r *Ring) Deputy() (*protocol.Key, error) { return r.account("deputy", nil) }

// PeerSeed returns the 32 bytes that the identity on the peer-to-peer network is made of.
func (r *Ring) PeerSeed() (Secret, error) { return r.derive("peer", nil, 0) }

// account derives an Ethereum key. Practically every 32 bytes are a valid one; the next are tried
// where they aren't.
func (r *Ring) account(purpose string, salt []byte) (*protocol.Key, error) {
	for try := byte(0); ; try++ {
		b, err := r.derive(purpose, salt, try)
		if err != nil {
			return nil, err
		}
		if key, err := crypto.ToECDSA(b.Reveal()); err == nil {
			return protocol.NewKey(key), nil
		}
	}
}

// derive is HKDF-SHA256 (RFC 5869) of the seed. The purpose keeps keys of different kinds apart.
func (r *Ring) derive(purpose string, salt []byte, try byte) (Secret, error) {
	b, err := hkdf.Key(sha256.New, r.seed.Reveal(), salt, "ante key 1: "+purpose+string(rune('0'+try)), 32)
	if err != nil {
		return Secret{}, fmt.Errorf("derive a key: %w", err)
	}
	return NewSecret(b), nil
}
