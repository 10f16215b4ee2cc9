package p2p

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport/wire"
)

// FuzzProof: no bytes make a proof but those that the account's key made for this peer, challenge
// and domain.
func FuzzProof(f *testing.F) {
	now := time.Unix(1_900_000_000, 0)
	challenge := common.Hash{7}
	remote := identity(1).PeerID()
	binding := protocol.PeerBinding{PeerID: []byte(remote), Challenge: challenge, Expiry: uint64(now.Unix()) + 60}
	signature, err := player(1).Sign(binding.Digest(domain))
	if err != nil {
		f.Fatal(err)
	}
	account := player(1).Address()
	honest := &antev1.HandshakeProof{Account: account[:], Expiry: binding.Expiry, Signature: signature[:]}
	if got, err := verify(honest, remote, challenge, protocol.Authority{Domain: domain, Now: uint64(now.Unix())}); err != nil || got != account {
		f.Fatalf("the honest proof: %s, %v", got, err)
	}
	b, err := proto.Marshal(honest)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:len(b)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var p antev1.HandshakeProof
		if wire.Unmarshal(b, &p) != nil {
			return
		}
		got, err := verify(&p, remote, challenge, protocol.Authority{Domain: domain, Now: uint64(now.Unix())})
		if err == nil && !proto.Equal(&p, honest) {
			t.Errorf("%x proves %s", b, got)
		}
	})
}
