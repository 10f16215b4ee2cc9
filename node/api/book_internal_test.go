package api

import (
	"testing"
	"time"

	"github.com/ante-games/ante/store"
)

// counting counts what is read from a store.
type counting struct {
	store.Store
	n int
}

func (r *counting) Get(key string) ([]byte, error) {
	r.n++
	return r.Store.Get(key)
}

// TestStandingToken: whether a token is revoked is looked up when one was, and not for each event.
func TestStandingToken(t *testing.T) {
	counted := &counting{Store: store.NewMemory()}
	b := &book{store: counted}
	var tokens [2]string
	for i, name := range []string{"ear", "other"} {
		var err error
		if tokens[i], err = b.add(&access{Name: name, Scope: Look}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	standing := b.standing(hashed(tokens[0]))
	hears := func(reads int) {
		t.Helper()
		counted.n = 0
		for range 3 {
			if err := standing(); err != nil {
				t.Fatal(err)
			}
		}
		if counted.n != reads {
			t.Errorf("looked up %d times, want %d", counted.n, reads)
		}
	}
	hears(1)
	hears(0)
	if err := b.revoke(hashed(tokens[1])); err != nil {
		t.Fatal(err)
	}
	hears(1)
	if err := b.revoke(hashed(tokens[0])); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if standing() == nil {
			t.Error("a revoked token hears")
		}
	}
}
