package protocol

import (
	"bytes"
	"fmt"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Deputy lets a key speak for a player among peers until it expires: prove the player's node to
// them (PeerBinding) and sign its invites and its registrations for rounds. It moves no money and
// opens no channel. With one, the player's own key can be at an external signer that asks a person
// each time, offline, or no key at all but a contract wallet.
type Deputy struct {
	Player common.Address
	Key    common.Address // who may speak
	Expiry uint64         // Unix seconds
}

// SignedDeputy is a Deputy with its player's signature: 65 bytes, or whatever the player's contract
// wallet takes.
type SignedDeputy struct {
	Deputy
	Signature []byte
}

// Equal reports whether two are the same, signatures included; both may be nil.
func (p *SignedDeputy) Equal(o *SignedDeputy) bool {
	if p == nil || o == nil {
		return p == o
	}
	return p.Deputy == o.Deputy && bytes.Equal(p.Signature, o.Signature)
}

// MaxDeputySignature caps the bytes of a player's signature of its deputy: enough for seven owners
// of a contract wallet.
const MaxDeputySignature = 512

var deputyType = crypto.Keccak256Hash([]byte("Deputy(address player,address key,uint64 expiry)"))

// Digest returns what the player signs.
func (p *Deputy) Digest(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(deputyType).Address(p.Player).Address(p.Key).Uint64(p.Expiry).Sum())
}

// Wallets asks a contract wallet whether it accepts a signature of a digest (ERC-1271), at the
// newest block. It returns nil if the wallet does, and an error that wraps ErrSignature if not.
type Wallets func(account common.Address, digest common.Hash, signature []byte) error

// Authority checks what is signed in a player's name.
type Authority struct {
	Domain  Domain
	Now     uint64  // Unix seconds: deputies that have expired by then speak for nobody
	Wallets Wallets // nil: every player is a key
}

// Account checks a signature by the account itself: by its key or, failing that, by its contract
// wallet.
func (a Authority) Account(account common.Address, digest common.Hash, signature []byte) error {
	sig, err := ParseSignature(signature)
	if err == nil {
		err = sig.Verify(digest, account)
	}
	switch {
	case err == nil || a.Wallets == nil:
		return err
	case len(signature) > MaxPlayerSignature:
		return fmt.Errorf("%w: %d bytes, at most %d", ErrSignature, len(signature), MaxPlayerSignature)
	}
	return a.Wallets(account, digest, signature)
}

// Spoken checks a signature on behalf of a player: by its key or, if given, by its deputy, whom the
// player must have appointed. Errors wrap ErrSignature.
func (a Authority) Spoken(player common.Address, digest common.Hash, signature Signature, deputy *SignedDeputy) error {
	if deputy == nil {
		return signature.Verify(digest, player)
	}
	switch {
	case deputy.Player != player:
		return fmt.Errorf("%w: a deputy of %s speaks for %s", ErrSignature, deputy.Player, player)
	case deputy.Expiry <= a.Now:
		return fmt.Errorf("%w: the deputy of %s has expired", ErrSignature, player)
	}
	// first: it costs a stranger more than us
	if err := signature.Verify(digest, deputy.Key); err != nil {
		return err
	}
	if err := a.Account(player, deputy.Digest(a.Domain), deputy.Signature); err != nil {
		return fmt.Errorf("%s did not appoint its deputy: %w", player, err)
	}
	return nil
}
