package node

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/node/wei"
	"github.com/ethereum/go-ethereum/common"
)

// TestDecimals: a token has so many decimals as fit in a byte.
func TestDecimals(t *testing.T) {
	word := func(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }
	huge := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 64), big.NewInt(6))
	for name, c := range map[string]struct {
		result []byte
		want   uint8
		ok     bool
	}{
		"six": {word(big.NewInt(6)), 6, true}, "none": {word(big.NewInt(0)), 0, true}, "255": {word(big.NewInt(255)), 255, true},
		"256": {word(big.NewInt(256)), 0, false}, "six and 2 to the 64th": {word(huge), 0, false}, "nothing": {nil, 0, false},
		"too short": {make([]byte, 31), 0, false},
	} {
		if got, err := gameToken().UnpackDecimals(c.result); got != c.want || (err == nil) != c.ok {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
}

// TestUnitsAreBounded: what is remembered of tokens is forgotten when it is too much, but for the
// newest.
func TestUnitsAreBounded(t *testing.T) {
	var k units
	token := func(i int) common.Address { return common.Address{1, byte(i), byte(i >> 8)} }
	for i := range maxUnits {
		k.learn(wei.Unit{Asset: token(i)})
	}
	if _, known := k.of(token(0)); !known || len(k.known) != maxUnits {
		t.Errorf("%d tokens are known", len(k.known))
	}
	k.learn(wei.Unit{Asset: token(maxUnits)})
	if _, known := k.of(token(maxUnits)); !known || len(k.known) != 1 {
		t.Errorf("with one more %d are known", len(k.known))
	}
}

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
		"as long as it can":  {text(strings.Repeat("x", 32), 32), strings.Repeat("x", 32)},
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
