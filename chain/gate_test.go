package chain

import (
	"context"
	"errors"
	"testing"
	"time"
)

// still is a clock that tells whoever waits at once that it is time.
type still struct{ at time.Time }

func (s *still) now() time.Time { return s.at }

func (s *still) after(d time.Duration) <-chan time.Time {
	s.at = s.at.Add(d)
	over := make(chan time.Time, 1)
	over <- s.at
	return over
}

// Each class leaves something to those before it: who is more urgent never waits because others
// asked.
func TestAClassLeavesRoomForThoseBeforeIt(t *testing.T) {
	clock := &still{at: time.Unix(1000, 0)}
	g := newGate(160, clock.now, clock.after)
	counts := map[Class]int{}
	for _, class := range []Class{Stranger, User, Play, Defence} {
		for {
			wait, err := g.take(class, 1)
			if wait != 0 || err != nil {
				if (class == Stranger) != errors.Is(err, ErrBudget) {
					t.Fatalf("class %d: %v", class, err)
				}
				break
			}
			counts[class]++
		}
	}
	if counts[Stranger] != 10 || counts[User] != 10 || counts[Play] != 10 || counts[Defence] != 10 {
		t.Fatalf("a bucket of 40 gave %v", counts)
	}
	began := clock.at
	if err := g.enter(As(context.Background(), Defence), 1, nil); err != nil || clock.at == began {
		t.Fatalf("after %v: %v", clock.at.Sub(began), err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	g.after = func(time.Duration) <-chan time.Time { return nil }
	if err := g.enter(ended, 1, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("with a context that ended: %v", err)
	}
}

func TestARateIsLearntWhenItIsRefusedAndRecovers(t *testing.T) {
	clock := &still{at: time.Unix(1000, 0)}
	g := newGate(0, clock.now, clock.after)
	for range 100 {
		if wait, err := g.take(Play, 1); wait != 0 || err != nil {
			t.Fatalf("no rate is known: %v, %v", wait, err)
		}
	}
	g.refused()
	if g.rate < 69 || g.rate > 71 {
		t.Fatalf("a rate of %v after 100 in a second", g.rate)
	}
	g.refused() // of what was asked before
	if g.rate < 69 {
		t.Fatalf("lowered twice, to %v", g.rate)
	}
	low := g.rate
	for range 10 {
		clock.at = clock.at.Add(time.Second)
		g.take(Defence, 1)
	}
	if g.rate < 1.1*low || g.rate > 1.3*low {
		t.Fatalf("after ten seconds the rate is %v, it was %v", g.rate, low)
	}
	for range 100 {
		clock.at = clock.at.Add(time.Second)
		g.refused()
	}
	if g.rate != slowest {
		t.Fatalf("the least rate is %v", g.rate)
	}
	g = newGate(10, clock.now, clock.after)
	g.refused()
	if wait, err := g.take(Defence, 1); wait == 0 || err != nil {
		t.Fatalf("asked at once after it refused: %v", err)
	}
	for range 100 {
		clock.at = clock.at.Add(time.Second)
		g.take(Defence, 1)
	}
	if g.rate != 10 {
		t.Fatalf("a configured rate of 10 became %v", g.rate)
	}
}

// TestAttack_RefusedRPC_Late: an endpoint that refuses for the first time after days is asked again
// at once: what it answered before is not made up for by silence.
func TestAttack_RefusedRPC_Late(t *testing.T) {
	clock := &still{at: time.Unix(1000, 0)}
	g := newGate(0, clock.now, clock.after)
	for range 10_000 {
		clock.at = clock.at.Add(time.Second)
		if wait, err := g.take(Defence, 3); wait != 0 || err != nil {
			t.Fatalf("no rate is known: %v, %v", wait, err)
		}
	}
	g.refused()
	began := clock.at
	if err := g.enter(As(context.Background(), Defence), 1, nil); err != nil || clock.at.Sub(began) > time.Second {
		t.Fatalf("asked again after %v, %v", clock.at.Sub(began), err)
	}
}
