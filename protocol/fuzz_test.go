package protocol_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/crypto"
)

// The strict form of a signature, against its definition in big integers.
func FuzzParseSignature(f *testing.F) {
	n := crypto.S256().Params().N
	half := new(big.Int).Rsh(n, 1)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := protocol.ParseSignature(b)
		want := len(b) == 65 && (b[64] == 27 || b[64] == 28)
		if want {
			r, low := new(big.Int).SetBytes(b[:32]), new(big.Int).SetBytes(b[32:64])
			want = r.Sign() > 0 && r.Cmp(n) < 0 && low.Sign() > 0 && low.Cmp(half) <= 0
		}
		if (err == nil) != want {
			t.Fatalf("%x: %v, want valid %v", b, err, want)
		}
		if err == nil && !bytes.Equal(s[:], b) {
			t.Fatal("the bytes changed")
		}
	})
}
