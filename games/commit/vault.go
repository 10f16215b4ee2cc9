package commit

import (
	"errors"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/common"
)

var (
	// ErrCommitted means that the seat has already committed to another secret for that tag and
	// round: it must use that one, which Secret returns.
	ErrCommitted = errors.New("already committed to another secret")
	// ErrNoSecret means that the vault holds no secret for that tag and round. The seat cannot open
	// its commitment without it: restore the store that it played from.
	ErrNoSecret = errors.New("secret not in this store")
)

// Vault holds the secrets and salts that one seat of one match has committed to. It prints as
// "[redacted]" in every way, and leaves the process only through Secrets. Not safe for concurrent
// use.
type Vault struct {
	redacted
	hidden func() *vault
}

type vault struct {
	matchID common.Hash
	seat    uint8
	random  io.Reader
	kept    []opening
}

type opening struct {
	tag          Tag
	round        uint32
	secret, salt common.Hash
}

// Open returns the vault of a seat in a match, holding what earlier Secrets of the same seat and
// match held (nothing, if they are the zero Secrets). random must be cryptographically secure
// (crypto/rand.Reader): salts are read from it.
func Open(s Secrets, matchID common.Hash, seat uint8, random io.Reader) (Vault, error) {
	kept, err := s.openings(matchID, seat)
	if err != nil {
		return Vault{}, err
	}
	v := &vault{matchID, seat, random, kept}
	return Vault{hidden: func() *vault { return v }}, nil
}

// Commit keeps a secret under a new random salt and returns the commitment to publish. Asked again
// for the same secret it returns the same commitment; for another one it fails with ErrCommitted.
func (v Vault) Commit(tag Tag, round uint32, secret common.Hash) (common.Hash, error) {
	if v.hidden == nil {
		return common.Hash{}, errors.New("zero Vault: use commit.Open")
	}
	in := v.hidden()
	o := in.find(tag, round)
	if o == nil {
		var salt common.Hash
		if _, err := io.ReadFull(in.random, salt[:]); err != nil {
			return common.Hash{}, fmt.Errorf("read a random salt: %w", err)
		}
		o = &opening{tag, round, secret, salt}
		in.kept = append(in.kept, *o)
	} else if o.secret != secret {
		return common.Hash{}, fmt.Errorf("round %d: %w", round, ErrCommitted)
	}
	scope := Scope{Tag: tag, MatchID: in.matchID, Seat: in.seat, Round: round}
	return scope.Hash(o.secret, o.salt), nil
}

// Secret returns what the seat committed to, and its salt. It fails with ErrNoSecret if there is
// none. Whoever gets them can open the commitment: put them into the move that does, and nowhere
// else.
func (v Vault) Secret(tag Tag, round uint32) (secret, salt common.Hash, err error) {
	o := v.find(tag, round)
	if o == nil {
		return secret, salt, fmt.Errorf("round %d: %w", round, ErrNoSecret)
	}
	return o.secret, o.salt, nil
}

// Has reports whether the seat has committed to a secret for that tag and round.
func (v Vault) Has(tag Tag, round uint32) bool { return v.find(tag, round) != nil }

// Secrets returns all that the vault holds, to be stored with the move that publishes the last
// commitment.
func (v Vault) Secrets() Secrets {
	if v.hidden == nil {
		return Secrets{}
	}
	in := v.hidden()
	return seal(in.matchID, in.seat, in.kept)
}

func (v Vault) find(tag Tag, round uint32) *opening {
	if v.hidden == nil {
		return nil
	}
	return v.hidden().find(tag, round)
}

func (v *vault) find(tag Tag, round uint32) *opening {
	for i := range v.kept {
		if o := &v.kept[i]; o.tag == tag && o.round == round {
			return o
		}
	}
	return nil
}
