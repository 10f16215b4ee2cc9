// Package storetest holds what tests of and with stores share: the suite that every implementation
// of store.Store must pass, a store that fails on command, and a disk under the real Pebble that
// crashes, fills up and returns errors.
package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ante-games/ante/store"
	"pgregory.net/rapid"
)

// opener makes a fresh, empty store and a function that closes it and opens the same data again.
type opener func(t testing.TB) (s store.Store, reopen func() store.Store)

// Run holds an implementation to the interface's promises.
func Run(t *testing.T, open opener) {
	for name, test := range map[string]func(*testing.T, opener){
		"GetAndDelete": getAndDelete, "Scan": scan, "Limits": limits, "Closed": closed, "Reentrant": reentrant,
		"Concurrent": concurrent, "OwnedValues": ownedValues, "Lineage": lineage, "Model": model,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

func commit(t testing.TB, s store.Store, pairs ...string) {
	t.Helper()
	changes := map[string][]byte{}
	for i := 0; i < len(pairs); i += 2 {
		changes[pairs[i]] = []byte(pairs[i+1])
	}
	if err := s.Commit(changes); err != nil {
		t.Fatal(err)
	}
}

func want(t testing.TB, s store.Store, key, value string) {
	t.Helper()
	got, err := s.Get(key)
	if err != nil || string(got) != value {
		t.Fatalf("Get(%q) = %q, %v; want %q", key, got, err, value)
	}
}

func keys(t testing.TB, s store.Store, prefix, from string) string {
	t.Helper()
	var found []string
	if err := s.Scan(prefix, from, func(key string, _ []byte) error {
		found = append(found, key)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(found, " ")
}

func getAndDelete(t *testing.T, open opener) {
	s, reopen := open(t)
	commit(t, s, "a", "1", "b", "2")
	commit(t, s, "a", "", "c", "3")
	if err := s.Commit(nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		want(t, s, "a", "")
		want(t, s, "b", "2")
		want(t, s, "c", "3")
		want(t, s, "d", "")
		s = reopen()
	}
}

func scan(t *testing.T, open opener) {
	s, _ := open(t)
	commit(t, s, "m/2", "x", "m/10", "x", "m", "x", "n", "x", "m/1", "x", "m\xff", "x", "m\xff\xff", "x")
	for _, c := range []struct{ prefix, from, want string }{
		{"m/", "", "m/1 m/10 m/2"},
		{"m/", "m/10", "m/10 m/2"},
		{"m/", "m/11", "m/2"},
		{"m/", "z", ""},
		{"m/", "a", "m/1 m/10 m/2"},
		{"m", "", "m m/1 m/10 m/2 m\xff m\xff\xff"},
		{"m\xff", "", "m\xff m\xff\xff"},
		{"\xff", "", ""},
		{"x", "", ""},
	} {
		if got := keys(t, s, c.prefix, c.from); got != c.want {
			t.Errorf("Scan(%q, %q) visits %q, want %q", c.prefix, c.from, got, c.want)
		}
	}
	boom, visits := errors.New("boom"), 0
	if err := s.Scan("m", "", func(string, []byte) error { return boom }); !errors.Is(err, boom) {
		t.Errorf("a visitor's error became %v", err)
	}
	if err := s.Scan("m", "", func(string, []byte) error { visits++; return store.ErrStop }); err != nil || visits != 1 {
		t.Errorf("ErrStop: %v after %d visits, want nil after 1", err, visits)
	}
}

func limits(t *testing.T, open opener) {
	s, _ := open(t)
	for name, changes := range map[string]map[string][]byte{
		"empty key":   {"": []byte("x"), "ok": []byte("x")},
		"long key":    {strings.Repeat("k", store.MaxKey+1): []byte("x"), "ok": []byte("x")},
		"long commit": {"a": make([]byte, store.MaxCommit/2), "b": make([]byte, store.MaxCommit/2), "ok": []byte("x")},
	} {
		if err := s.Commit(changes); !errors.Is(err, store.ErrTooLarge) {
			t.Errorf("%s: %v, want ErrTooLarge", name, err)
		}
	}
	want(t, s, "ok", "")
	large := bytes.Repeat([]byte("x"), store.MaxCommit-store.MaxKey)
	key := strings.Repeat("k", store.MaxKey)
	if err := s.Commit(map[string][]byte{key: large}); err != nil {
		t.Fatal(err)
	}
	want(t, s, key, string(large))
}

func closed(t *testing.T, open opener) {
	s, reopen := open(t)
	commit(t, s, "a", "1")
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Get("a")
	for name, err := range map[string]error{
		"Get": err, "Commit": s.Commit(map[string][]byte{"a": []byte("2")}),
		"Scan": s.Scan("", "", func(string, []byte) error { return nil }),
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
	want(t, reopen(), "a", "1")
}

// reentrant: a visitor may call the store, and the scan sees what was there when it began.
func reentrant(t *testing.T, open opener) {
	s, _ := open(t)
	commit(t, s, "m/1", "x", "m/2", "x")
	visits := 0
	if err := s.Scan("m/", "", func(key string, _ []byte) error {
		visits++
		want(t, s, key, "x")
		commit(t, s, key, "", key+"0", "x")
		return nil
	}); err != nil || visits != 2 {
		t.Fatalf("%d visits, %v; want 2", visits, err)
	}
	if got := keys(t, s, "m/", ""); got != "m/10 m/20" {
		t.Fatalf("left: %q", got)
	}
}

func concurrent(t *testing.T, open opener) {
	s, reopen := open(t)
	var all sync.WaitGroup
	const writers, each = 16, 20
	for w := range writers {
		all.Go(func() {
			for i := range each {
				key := fmt.Sprintf("w/%02d/%02d", w, i)
				if err := s.Commit(map[string][]byte{key: []byte(key), "last": []byte(key)}); err != nil {
					t.Error(err)
				}
				if got, err := s.Get(key); err != nil || string(got) != key {
					t.Errorf("own write of %s not seen: %q, %v", key, got, err)
				}
			}
		})
	}
	all.Wait()
	if got := len(strings.Fields(keys(t, reopen(), "w/", ""))); got != writers*each {
		t.Fatalf("%d of %d commits found again", got, writers*each)
	}
}

// ownedValues: neither side sees the other change a value afterwards.
func ownedValues(t *testing.T, open opener) {
	s, _ := open(t)
	value := []byte("good")
	if err := s.Commit(map[string][]byte{"a": value}); err != nil {
		t.Fatal(err)
	}
	copy(value, "evil")
	got, err := s.Get("a")
	if err != nil {
		t.Fatal(err)
	}
	copy(got, "evil")
	if err := s.Scan("a", "", func(_ string, value []byte) error { copy(value, "evil"); return nil }); err != nil {
		t.Fatal(err)
	}
	want(t, s, "a", "good")
}

func lineage(t *testing.T, open opener) {
	s, reopen := open(t)
	for generation := uint64(1); generation <= 3; generation++ {
		if got, err := store.Generation(s); err != nil || got != generation {
			t.Fatalf("generation %d, %v; want %d", got, err, generation)
		}
		s = reopen()
	}
	if restored, err := store.Restored(s); err != nil || restored != 0 {
		t.Fatalf("restored in %d, %v; want never", restored, err)
	}
	if err := store.MarkRestored(s); err != nil {
		t.Fatal(err)
	}
	s = reopen()
	if restored, err := store.Restored(s); err != nil || restored != 4 {
		t.Fatalf("restored in %d, %v; want 4", restored, err)
	}
}

// model compares random commits, reads, scans and restarts with a map.
func model(t *testing.T, open opener) {
	s, reopen := open(t)
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		truth := map[string]string{}
		runs++
		run := fmt.Sprintf("%d/", runs)
		key := rapid.Custom(func(r *rapid.T) string { return run + rapid.StringMatching(`[ab]{0,3}`).Draw(r, "key") })
		r.Repeat(map[string]func(*rapid.T){
			"commit": func(r *rapid.T) {
				changes := map[string][]byte{}
				for _, k := range rapid.SliceOfN(key, 1, 4).Draw(r, "keys") {
					value := rapid.StringMatching(`[xy]{0,2}`).Draw(r, "value")
					changes[k] = []byte(value)
					if delete(truth, k); value != "" {
						truth[k] = value
					}
				}
				if err := s.Commit(changes); err != nil {
					r.Fatal(err)
				}
			},
			"get": func(r *rapid.T) {
				k := key.Draw(r, "key")
				if got, err := s.Get(k); err != nil || string(got) != truth[k] {
					r.Fatalf("Get(%q) = %q, %v; want %q", k, got, err, truth[k])
				}
			},
			"scan": func(r *rapid.T) {
				prefix, from := key.Draw(r, "prefix"), key.Draw(r, "from")
				var wanted []string
				for _, k := range slices.Sorted(maps.Keys(truth)) {
					if strings.HasPrefix(k, prefix) && k >= from {
						wanted = append(wanted, k)
					}
				}
				if got := keys(t, s, prefix, from); got != strings.Join(wanted, " ") {
					r.Fatalf("Scan(%q, %q) = %q, want %q", prefix, from, got, wanted)
				}
			},
		})
		s = reopen()
		for k, v := range truth {
			want(t, s, k, v)
		}
	})
}
