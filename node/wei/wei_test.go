package wei_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/node/wei"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "1": "1", "007": "7", "12wei": "12", "1gwei": "1000000000", "0.5eth": "500000000000000000",
		" 2.25 ETH ": "2250000000000000000", "0.000000000000000001eth": "1", "0eth": "0", "100000 eth": "100000000000000000000000",
	} {
		if got, err := wei.Parse(text); err != nil || got.Dec() != want {
			t.Errorf("Parse(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "eth", "-1", "+1", "1e18", "0x10", "1.5", "1.5wei", ".5eth", "5.eth", "1,5eth", "1 2", "1ether", "0.0000000000000000001eth",
		"115792089237316195423570985008687907853269984665640564039457584007913129639936", "NaN", "1.2.3eth",
	} {
		if got, err := wei.Parse(text); !errors.Is(err, wei.ErrAmount) {
			t.Errorf("Parse(%q) = %v, %v; want ErrAmount", text, got, err)
		}
	}
}

func TestFormat(t *testing.T) {
	for n, want := range map[string]string{
		"0": "0", "1": "1 wei", "999999": "999999 wei", "1000000": "0.001 gwei", "654869507": "0.654869507 gwei",
		"1500000000": "1.5 gwei", "999999999999": "999.999999999 gwei", "1000000000000": "0.000001 eth",
		"1000000000000000000": "1 eth", "8999651942873882000": "8.999651942873882 eth", "100000000000000000000": "100 eth",
		"1000000000000000001": "1.000000000000000001 eth",
	} {
		if got := wei.Format(uint256.MustFromDecimal(n)); got != want {
			t.Errorf("Format(%s) = %q, want %q", n, got, want)
		}
	}
}

func TestGwei(t *testing.T) {
	for n, want := range map[string]string{
		"0": "0 gwei", "1": "0.000000001 gwei", "47191000000000": "47191 gwei", "654869507": "0.654869507 gwei",
	} {
		if got := wei.Gwei(uint256.MustFromDecimal(n)); got != want {
			t.Errorf("Gwei(%s) = %q, want %q", n, got, want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := new(uint256.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(r, "bytes"))
		v.Mul(v, uint256.NewInt(rapid.SampledFrom([]uint64{1, 1e9, 1e12, 1e18}).Draw(r, "unit")))
		if got, err := wei.Parse(wei.Format(v)); err != nil || !got.Eq(v) {
			r.Fatalf("%s is written %q and read %v, %v", v.Dec(), wei.Format(v), got, err)
		}
		if got, err := wei.Parse(wei.Gwei(v)); err != nil || !got.Eq(v) {
			r.Fatalf("%s is written %q and read %v, %v", v.Dec(), wei.Gwei(v), got, err)
		}
	})
}
