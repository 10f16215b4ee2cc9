package wei_test

import (
	"testing"

	"github.com/ante-games/ante/node/wei"
)

func TestRough(t *testing.T) {
	for exact, want := range map[string]string{
		"8.999999999998836562 eth": "~9 eth", "0.1 eth": "0.1 eth", "1.234567 eth": "1.234567 eth", "1.2345675 eth": "~1.234568 eth", "0": "0",
		"7 wei": "7 wei", "0.00000123 WBTC": "0.00000123 WBTC", "2.0000001 USDC (0x5FbDB231)": "~2 USDC (0x5FbDB231)", "1.12345678 of what": "~1.123457 of what",
		"0.00042 eth": "0.00042 eth", "0.000420123456789 eth": "~0.00042 eth", "0.000123456789 eth": "~0.000123 eth", "0.000999999 eth": "~0.001 eth",
		"0.0012345678 eth": "~0.001235 eth",
	} {
		if got := wei.Rough(exact); got != want {
			t.Errorf("%s is shown as %s, want %s", exact, got, want)
		}
	}
}
