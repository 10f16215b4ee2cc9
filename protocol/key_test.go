package protocol_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// A session key is made of 32 random bytes that are one, never of fewer.
func TestGenerateKey(t *testing.T) {
	valid := bytes.Repeat([]byte{7}, 32)
	for name, c := range map[string]struct {
		random []byte
		want   error
	}{
		"too few bytes":     {valid[:5], io.ErrUnexpectedEOF},
		"a key":             {valid, nil},
		"zero, then a key":  {append(make([]byte, 32), valid...), nil},
		"zero, then nought": {make([]byte, 32), io.EOF},
	} {
		k, err := protocol.GenerateKey(bytes.NewReader(c.random))
		if !errors.Is(err, c.want) || (k == nil) != (c.want != nil) {
			t.Fatalf("%s: %v, %v", name, k, err)
		}
		if k != nil && !bytes.Equal(k.Bytes(), valid) {
			t.Errorf("%s: another key", name)
		}
	}
}

// What is no key signs nothing.
func TestBrokenKeySignsNothing(t *testing.T) {
	broken := crypto.ToECDSAUnsafe(bytes.Repeat([]byte{7}, 32))
	broken.D.SetInt64(0) //nolint:staticcheck // no other way makes a key that is none
	if sig, err := protocol.NewKey(broken).Sign(common.Hash{1}); err == nil || sig != (protocol.Signature{}) {
		t.Errorf("%x, %v", sig, err)
	}
}
