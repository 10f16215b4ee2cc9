package protocol

import (
	"errors"
	"testing"
)

// TestProven: a signature that was good is not checked again while looks ask for it. One that
// differs in anything is checked, a bad one each time, and what two looks didn't ask for is
// forgotten.
func TestProven(t *testing.T) {
	t.Parallel()
	var p Proven
	bad := errors.New("bad")
	checks := func(of proof, err error) (n int) {
		t.Helper()
		if got := p.verify(of, func() error { n++; return err }); n > 0 && !errors.Is(got, err) || n == 0 && got != nil {
			t.Errorf("%+v: %v", of, got)
		}
		return n
	}
	good := proof{turn: 7, sig: Signature{1}}
	for i, want := range []int{1, 0, 0} {
		if got := checks(good, nil); got != want {
			t.Errorf("checked %d times at look %d, want %d", got, i, want)
		}
		p.Look()
	}
	for i, other := range []proof{
		{turn: 8, sig: good.sig}, {turn: 7, sig: Signature{2}}, {turn: 7, sig: good.sig, seat: 1}, {turn: 7, sig: good.sig, state: StateHash(nil)},
		{turn: 7, sig: good.sig, match: StateHash(nil)},
	} {
		for range 2 {
			if checks(other, bad) != 1 {
				t.Errorf("another proof, %d, passes for the good one", i)
			}
		}
	}
	p.Look()
	if checks(good, nil) != 1 {
		t.Error("what nobody asked for is kept")
	}
}
