// Package owner signs for a player's account whose key the node doesn't hold: one at an external
// signer, which asks a person, or a contract wallet (ERC-1271). Such a player signs two kinds of
// things only: the openings of its channels, and, about once a year, the appointment of the deputy
// that speaks for it among peers.
package owner

import (
	"context"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// TypedSigner signs typed structs (EIP-712) with a key: chain.External, say. It must return a
// signature in the strict form.
type TypedSigner interface {
	SignTyped(ctx context.Context, typed apitypes.TypedData) ([]byte, error)
}

// Owner is the account that owns the money. It implements node.Owner.
type Owner struct {
	account common.Address
	signer  TypedSigner
}

// New makes the owner of an account: that of the signer's key, or a contract wallet that takes the
// key's signatures for its own.
func New(account common.Address, signer TypedSigner) *Owner { return &Owner{account, signer} }

// Address returns the account.
func (o *Owner) Address() common.Address { return o.account }

// SignOpening signs the terms of a channel.
func (o *Owner) SignOpening(ctx context.Context, d protocol.Domain, t *protocol.Terms) ([]byte, error) {
	return o.signer.SignTyped(ctx, typedTerms(d, t))
}

// SignDeputy appoints a deputy.
func (o *Owner) SignDeputy(ctx context.Context, d protocol.Domain, p *protocol.Deputy) ([]byte, error) {
	return o.signer.SignTyped(ctx, typedDeputy(d, p))
}

// Key is a TypedSigner with a key in memory: that of a contract wallet's owner.
type Key struct{ *protocol.Key }

// SignTyped implements TypedSigner.
func (k Key) SignTyped(_ context.Context, typed apitypes.TypedData) ([]byte, error) {
	digest, _, err := apitypes.TypedDataAndHash(typed)
	if err != nil {
		return nil, err
	}
	sig, err := k.Sign(common.Hash(digest))
	return sig[:], err
}
