package wei_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/node/wei"
)

// What is read is written, and read again as the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"0.5eth", "20 gwei", "1", "007 WEI", "1.eth", ".5eth", "1e18", "-1", "115792089237316195423570985008687907853269984665640564039457584007913129639936", "0.0000000000000000001eth"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := wei.Parse(text)
		if err != nil {
			if !errors.Is(err, wei.ErrAmount) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if again, err := wei.Parse(wei.Format(v)); err != nil || !again.Eq(v) {
			t.Fatalf("%q is %s, written %q, read %s, %v", text, v.Dec(), wei.Format(v), again.Dec(), err)
		}
	})
}
