package chain

import (
	"fmt"
	"testing"
)

// TestWhatFits: half as much is asked for as long as it is refused for being too much, down to one
// thing; what fits is remembered, and an eighth more is tried after a while of full answers.
func TestWhatFits(t *testing.T) {
	var f fit
	var asked []uint64
	ask := func(most uint64, refusal error) func(uint64) error {
		asked = nil
		return func(n uint64) error {
			if asked = append(asked, n); n > most {
				return refusal
			}
			return nil
		}
	}
	for _, c := range []struct {
		n, most  uint64
		refusal  error
		asked    string
		answered uint64
	}{
		{5, 5, nil, "[5]", 5}, {8, 3, answeredError{}, "[8 4 2]", 2}, {3, 3, nil, "[2]", 2},
		{2, 1, answeredError{}, "[2 1]", 1}, {2, 0, answeredError{}, "[1]", 0}, {2, 0, errNo, "[1]", 0},
	} {
		answered, err := f.ask(c.n, isBatchTooBig, ask(c.most, c.refusal))
		if fmt.Sprint(asked) != c.asked || answered != c.answered || (err != nil) != (c.answered == 0) {
			t.Errorf("%d, at most %d: asked for %v, answered %d, %v; want %s, %d", c.n, c.most, asked, answered, err, c.asked, c.answered)
		}
	}
	var fresh fit
	if _, err := fresh.ask(8, isBatchTooBig, ask(2, errNo)); err == nil || len(asked) != 1 {
		t.Errorf("what isn't too much: %v, %v", asked, err)
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
