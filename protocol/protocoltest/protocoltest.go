// Package protocoltest has what tests of everything that is signed need.
package protocoltest

import (
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Key returns the key of a name: the same for the same name.
func Key(name string) *protocol.Key {
	private, err := crypto.ToECDSA(crypto.Keccak256([]byte(name)))
	if err != nil {
		panic(err)
	}
	return protocol.NewKey(private)
}

// Signature returns the well-formed signature of some digest by some key.
func Signature() []byte {
	sig, err := Key("signature").Sign(common.Hash{1})
	if err != nil {
		panic(err)
	}
	return sig[:]
}

// Terms returns complete terms of a channel of so many seats, each of which deposits 1000 units.
func Terms(seats int) protocol.Terms {
	t := protocol.Terms{Window: 100, OpenBy: 1000}
	for i := range seats {
		t.Players = append(t.Players, common.Address{1, byte(i)})
		t.Signers = append(t.Signers, common.Address{2, byte(i)})
		t.Deposits = append(t.Deposits, *uint256.NewInt(1000))
	}
	return t
}
