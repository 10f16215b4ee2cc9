package p2p

import (
	"bytes"
	"crypto/ecdsa"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"go.uber.org/goleak"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var domain = protocol.Domain{ChainID: 31337, Arena: common.HexToAddress("0xa4e0000000000000000000000000000000000001")}

// signer is an account whose key is in memory.
type signer struct{ key *ecdsa.PrivateKey }

func (s signer) Address() common.Address { return crypto.PubkeyToAddress(s.key.PublicKey) }

func (s signer) Sign(digest common.Hash) (sig protocol.Signature, err error) {
	raw, err := crypto.Sign(digest[:], s.key)
	if err != nil {
		return sig, err
	}
	copy(sig[:], raw)
	sig[64] += 27
	return sig, nil
}

func player(i int) signer {
	key, err := crypto.ToECDSA(bytes.Repeat([]byte{byte(i + 1)}, 32))
	if err != nil {
		panic(err)
	}
	return signer{key}
}

func identity(i int) Identity {
	id, err := IdentityFromSeed(bytes.Repeat([]byte{byte(i + 100)}, seedSize))
	if err != nil {
		panic(err)
	}
	return id
}

func config(i int, h transport.Handler) Config {
	return Config{Identity: identity(i), Signer: player(i), Domain: domain, Handler: h}
}

func start(t testing.TB, cfg Config) *Host {
	t.Helper()
	h, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func TestTransport(t *testing.T) {
	for name, listen := range map[string]string{"tcp": "/ip4/127.0.0.1/tcp/0", "quic": "/ip4/127.0.0.1/udp/0/quic-v1"} {
		t.Run(name, func(t *testing.T) {
			transporttest.Run(t, func(t *testing.T) transporttest.Network {
				return transporttest.Network{
					Account: func(i int) common.Address { return player(i).Address() },
					Join: func(t testing.TB, i int, h transport.Handler) transporttest.Node {
						cfg := config(i, h)
						cfg.Listen = []string{listen}
						return start(t, cfg)
					},
				}
			})
		})
	}
}
