package api

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ante-games/ante/store"
)

// TestOnce_Bounds: a request that was cut off is never done again; answers are kept for a day, and
// no more than so many of a token, of which the oldest gives way when it is old enough.
func TestOnce_Bounds(t *testing.T) {
	now := time.Unix(1e9, 0)
	s := store.NewMemory()
	start := func() *once { return newOnce(s, func() time.Time { return now }) }
	begin := func(o *once, key string) error {
		_, _, err := o.begin(t.Context(), "token", oncePrefix+"token/"+key, []byte("request"))
		return err
	}
	if err := begin(start(), "cut off"); err != nil {
		t.Fatal(err)
	}
	o := start()
	if err := begin(o, "cut off"); !errors.Is(err, ErrUnsure) {
		t.Errorf("after a crash between doing and noting: %v", err)
	}
	for i := range maxOnce - 1 {
		if err := begin(o, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := begin(start(), "one more"); !errors.Is(err, errMany) {
		t.Errorf("beyond the bound: %v", err)
	}
	now = now.Add(leastOnce + time.Second)
	if err := begin(start(), "one more"); err != nil {
		t.Errorf("a bot that plays on: %v", err)
	}
	if err := begin(start(), "cut off"); !errors.Is(err, ErrUnsure) {
		t.Errorf("more than one gave way: %v", err)
	}
	now = now.Add(keepOnce + time.Second)
	if err := begin(start(), "cut off"); err != nil {
		t.Errorf("a day later: %v", err)
	}
	left := 0
	if err := s.Scan(oncePrefix, "", func(string, []byte) error { left++; return nil }); err != nil || left != 1 {
		t.Errorf("%d are kept, want the last: %v", left, err)
	}
}
