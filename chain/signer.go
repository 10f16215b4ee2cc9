package chain

import (
	"context"
	"crypto/ecdsa"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Signer signs the transactions of one account. It may take long: an external signer asks a person.
type Signer interface {
	Address() common.Address
	// SignTx returns the signed transaction. It must be the given one in every field, which a
	// Sender verifies; it may be asked for again with a higher fee.
	SignTx(ctx context.Context, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error)
}

// signer holds what can sign behind a function, which no printing follows.
type signer struct {
	address common.Address
	sign    func(*types.Transaction, *big.Int) (*types.Transaction, error)
}

func (s signer) Address() common.Address { return s.address }

func (s signer) SignTx(_ context.Context, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error) {
	return s.sign(tx, chainID)
}

// KeySigner signs with a key in memory. It never prints the key.
func KeySigner(key *ecdsa.PrivateKey) Signer {
	return signer{crypto.PubkeyToAddress(key.PublicKey), func(tx *types.Transaction, chainID *big.Int) (*types.Transaction, error) {
		return types.SignTx(tx, types.LatestSignerForChainID(chainID), key)
	}}
}
