package chain

import "testing"

func TestProgressIsNamed(t *testing.T) {
	for p, want := range map[Progress]string{Unknown: "unknown", Dropped: "dropped", Dropped + 1: "progress 5"} {
		if have := p.String(); have != want {
			t.Errorf("%d: %s, want %s", uint8(p), have, want)
		}
	}
}
