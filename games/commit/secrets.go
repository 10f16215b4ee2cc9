package commit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// ErrSecrets is wrapped by every error about stored secrets that cannot be read or belong to
// another seat or match.
var ErrSecrets = errors.New("stored secrets unusable")

// Secrets are a Vault's content for the store: opaque, and printed as "[redacted]" in every way.
// The zero value holds nothing. Safe for concurrent use.
type Secrets struct {
	redacted
	hidden func() []byte
}

// Stored layout: version, match id, seat, then for each opening tag, round, secret, salt.
const (
	secretsVersion = 1
	secretsHead    = 1 + 32 + 1
	openingSize    = 32 + 4 + 32 + 32
)

// Load returns the secrets of bytes that Expose returned earlier. What they hold is checked when a
// Vault is opened.
func Load(stored []byte) Secrets {
	if len(stored) == 0 {
		return Secrets{}
	}
	return hide(bytes.Clone(stored))
}

// Expose returns the secrets in plain, nil if there are none. Write them only to the node's own
// store, in the batch of the move that they belong to.
func (s Secrets) Expose() []byte {
	if s.hidden == nil {
		return nil
	}
	return bytes.Clone(s.hidden())
}

// Opening is the secret and the salt of one commitment. It prints as "[redacted]".
type Opening struct {
	redacted
	Scope        Scope
	Secret, Salt common.Hash
}

// Openings returns all that the secrets hold, in the order of the commitments: for package
// gametest, which looks for them where they should not be. It fails with ErrSecrets when they
// belong to another seat or match.
func (s Secrets) Openings(matchID common.Hash, seat uint8) ([]Opening, error) {
	kept, err := s.openings(matchID, seat)
	list := make([]Opening, len(kept))
	for i := range kept {
		o := &kept[i]
		list[i] = Opening{Scope: Scope{Tag: o.tag, MatchID: matchID, Seat: seat, Round: o.round}, Secret: o.secret, Salt: o.salt}
	}
	return list, err
}

func hide(b []byte) Secrets { return Secrets{hidden: func() []byte { return b }} }

func seal(matchID common.Hash, seat uint8, kept []opening) Secrets {
	if len(kept) == 0 {
		return Secrets{}
	}
	b := make([]byte, 0, secretsHead+len(kept)*openingSize)
	b = append(b, secretsVersion)
	b = append(b, matchID[:]...)
	b = append(b, seat)
	for i := range kept {
		o := &kept[i]
		b = append(b, o.tag[:]...)
		b = binary.BigEndian.AppendUint32(b, o.round)
		b = append(b, o.secret[:]...)
		b = append(b, o.salt[:]...)
	}
	return hide(b)
}

func (s Secrets) openings(matchID common.Hash, seat uint8) ([]opening, error) {
	if s.hidden == nil {
		return nil, nil
	}
	b := s.hidden()
	switch {
	case b[0] != secretsVersion:
		return nil, fmt.Errorf("%w: version %d, this program reads version %d", ErrSecrets, b[0], secretsVersion)
	case len(b) < secretsHead || (len(b)-secretsHead)%openingSize != 0:
		return nil, fmt.Errorf("%w: %d bytes is no whole number of secrets", ErrSecrets, len(b))
	case common.Hash(b[1:33]) != matchID || b[33] != seat:
		return nil, fmt.Errorf("%w: they belong to seat %d of match %x", ErrSecrets, b[33], b[1:33])
	}
	var kept []opening
	for b = b[secretsHead:]; len(b) > 0; b = b[openingSize:] {
		kept = append(kept, opening{
			tag: Tag(b[:32]), round: binary.BigEndian.Uint32(b[32:]), secret: common.Hash(b[36:68]), salt: common.Hash(b[68:100]),
		})
	}
	return kept, nil
}
