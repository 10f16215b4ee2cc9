package chain

import (
	"fmt"
	"testing"
)

// TestWhatFits: parts are halved for as long as they are refused for being too much, down to one
// thing; what fits is remembered, and an eighth more is tried after a while of full answers.
func TestWhatFits(t *testing.T) {
	var f fit
	var parts []int
	ask := func(most int, refusal error) func(from, to int) error {
		parts = nil
		return func(from, to int) error {
			if parts = append(parts, to-from); to-from > most {
				return refusal
			}
			return nil
		}
	}
	for _, c := range []struct {
		n, most int
		refusal error
		parts   string
		failed  bool
	}{
		{5, 5, nil, "[5]", false}, {8, 2, answeredError{}, "[8 4 2 2 2 2]", false}, {3, 3, nil, "[2 1]", false},
		{2, 1, answeredError{}, "[2 1 1]", false}, {2, 0, answeredError{}, "[1]", true}, {2, 0, errNo, "[1]", true},
	} {
		if err := f.inParts(c.n, ask(c.most, c.refusal)); fmt.Sprint(parts) != c.parts || (err != nil) != c.failed {
			t.Errorf("%d, at most %d: %v, %v; want %s", c.n, c.most, parts, err, c.parts)
		}
	}
	var fresh fit
	if err := fresh.inParts(8, ask(2, errNo)); err == nil || len(parts) != 1 {
		t.Errorf("what isn't too much: %v, %v", parts, err)
	}
	for range 2 * again {
		fresh.took(8, false)
	}
	if fresh.of(100) != 100 {
		t.Errorf("nothing was refused: %d", fresh.of(100))
	}
	fresh.took(16, true)
	for i := range again {
		if fresh.took(15, false); fresh.of(100) != 16 {
			t.Fatalf("after %d smaller ones %d", i, fresh.of(100))
		}
	}
	for i := range again {
		if fresh.of(100) != 16 {
			t.Fatalf("after %d %d", i, fresh.of(100))
		}
		fresh.took(16, false)
	}
	if fresh.of(100) != 19 {
		t.Errorf("then %d", fresh.of(100))
	}
}

// TestStrangersShareOfARate: strangers get a tenth of the rate that was learnt, and no more than
// they may have.
func TestStrangersShareOfARate(t *testing.T) {
	for most, want := range map[float64]float64{20: 2, 1000: strangersRate} {
		clock := &still{}
		g := newGate(most, clock.now, clock.after)
		g.fill(clock.now())
		if got := float64(g.strangers.Limit()); got != want {
			t.Errorf("of %v: %v, want %v", most, got, want)
		}
	}
	for _, c := range []struct {
		address, name string
	}{{"http://user:secret@host:1/key", "http://host:1"}, {"/run/clef.ipc", "the endpoint"}, {"://", "the endpoint"}} {
		if got := PublicName(c.address); got != c.name {
			t.Errorf("%s is shown as %s", c.address, got)
		}
	}
}
