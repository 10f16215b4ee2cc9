package chain

import (
	"testing"

	"pgregory.net/rapid"
)

func TestUrgencyIsTheQuartersThatHavePassed(t *testing.T) {
	for _, test := range []struct {
		asked, now, deadline uint64
		want                 urgency
	}{
		{0, 1 << 40, 0, 0},
		{100, 100, 200, 0}, {100, 124, 200, 0}, {100, 125, 200, 1}, {100, 150, 200, 2}, {100, 175, 200, 3},
		{100, 199, 200, 3}, {100, 200, 200, 3}, {100, 900, 200, 3},
		{100, 90, 200, 0}, // a reorganisation took time back
		{200, 200, 100, 0}, {200, 201, 100, 3},
		{1<<48 - 2, 1<<48 - 1, 1<<48 - 1, 3},
	} {
		if have := urgencyOf(test.asked, test.now, test.deadline); have != test.want {
			t.Errorf("asked %d, now %d, deadline %d: %d, want %d", test.asked, test.now, test.deadline, have, test.want)
		}
	}
}

// Whatever an endpoint says of prices: the limits hold, the tip never exceeds the cap, and a replacement is one that
// nodes take (go-ethereum's legacypool wants 10 % more of both).
func TestPricesKeepToTheLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := Fees{Max: rapid.Uint64Range(1, dearest).Draw(t, "max")}
		limits.UrgentMax = rapid.Uint64Range(limits.Max, dearest).Draw(t, "urgent")
		limits, err := limits.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		at := quote(rapid.Uint64().Draw(t, "base"), rapid.Uint64().Draw(t, "tip"), limits.limit(0))
		if at.Tip > at.Cap || at.Cap > limits.Max {
			t.Fatalf("first price %+v", at)
		}
		for range 20 {
			how := urgency(rapid.Uint64Range(0, 3).Draw(t, "urgency"))
			limit := limits.limit(how)
			next, need, ok := at.raise(quote(rapid.Uint64().Draw(t, "base"), rapid.Uint64().Draw(t, "tip"), limit), how, limit)
			if (need != 0) != (need > limit) {
				t.Fatalf("need %d with limit %d", need, limit)
			}
			if !ok {
				if need == 0 {
					t.Fatalf("%+v is not raised to %+v, and no limit forbids it", at, next)
				}
				continue
			}
			if next.Cap > limit || next.Tip > next.Cap || next.Cap < (at.Cap*110+99)/100 || next.Tip < (at.Tip*110+99)/100 {
				t.Fatalf("%+v to %+v, limit %d", at, next, limit)
			}
			at = next
		}
	})
}
