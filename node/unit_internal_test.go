package node

import (
	"bytes"
	"math/big"
	"testing"
)

// What a token answers may be anything.
func TestSymbolOf(t *testing.T) {
	word := func(n int64) []byte { return big.NewInt(n).FillBytes(make([]byte, 32)) }
	text := func(s string, size int64) []byte {
		return bytes.Join([][]byte{word(32), word(size), append([]byte(s), make([]byte, 32-len(s))...)}, nil)
	}
	huge := append(word(32), bytes.Repeat([]byte{0xff}, 32)...)
	for name, c := range map[string]struct {
		result []byte
		want   string
	}{
		"a string":           {text("USDC", 4), "USDC"},
		"32 bytes":           {append([]byte("MKR"), make([]byte, 29)...), "MKR"},
		"nothing":            {nil, ""},
		"a short answer":     {make([]byte, 63), ""},
		"an empty string":    {text("", 0), ""},
		"longer than it is":  {text("USDC", 33), ""},
		"longer than memory": {huge, ""},
	} {
		if got := symbolOf(c.result); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
