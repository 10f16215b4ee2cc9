package store_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

var quiet = slog.New(slog.DiscardHandler)

func open(t testing.TB, dir string) *store.Pebble {
	t.Helper()
	s, err := store.Open(dir, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t testing.TB, s store.Store, key, value string) {
	t.Helper()
	if err := s.Commit(map[string][]byte{key: []byte(value)}); err != nil {
		t.Fatal(err)
	}
}

func want(t testing.TB, s store.Store, key, value string) {
	t.Helper()
	if got, err := s.Get(key); err != nil || string(got) != value {
		t.Fatalf("Get(%q) = %q, %v; want %q", key, got, err, value)
	}
}

func TestMemory(t *testing.T) {
	storetest.Run(t, func(testing.TB) (store.Store, func() store.Store) {
		m := store.NewMemory()
		return m, func() store.Store {
			m = m.Reopen()
			return m
		}
	})
}

func TestPebble(t *testing.T) {
	storetest.Run(t, func(t testing.TB) (store.Store, func() store.Store) {
		dir := t.TempDir()
		s := open(t, dir)
		return s, func() store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, dir)
			return s
		}
	})
}

func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	put(t, open(t, dir), "a", "1")
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("%v, %v; want mode 0700", info.Mode(), err)
	}
}

func TestRefusesWhatItCannotRead(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string)
		want    string
	}{
		"newer": {func(t *testing.T, dir string) {
			s := open(t, dir)
			put(t, s, "store/version", "2")
			_ = s.Close()
		}, "use a newer program"},
		"version is garbage": {func(t *testing.T, dir string) {
			s := open(t, dir)
			put(t, s, "store/version", "one")
			_ = s.Close()
		}, `store/version is "one"`},
		"unversioned": {func(t *testing.T, dir string) {
			s := open(t, dir)
			put(t, s, "somebody", "else")
			put(t, s, "store/version", "")
			_ = s.Close()
		}, "something else wrote it"},
		"foreign files": {func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "data", "letter.txt"), "Dear")
		}, "holds no database"},
		"half a backup": {func(t *testing.T, dir string) {
			put(t, open(t, dir), "a", "1")
			remove(t, filepath.Join(dir, "data", "marker.*"))
			remove(t, filepath.Join(dir, "data", "MANIFEST-*"))
		}, "the whole of a backup"},
		"garbled manifest": {func(t *testing.T, dir string) {
			put(t, open(t, dir), "a", "1")
			names, _ := filepath.Glob(filepath.Join(dir, "data", "MANIFEST-*"))
			for _, name := range names {
				write(t, name, "garbage")
			}
		}, "put back a backup"},
		"missing manifest": {func(t *testing.T, dir string) {
			put(t, open(t, dir), "a", "1")
			remove(t, filepath.Join(dir, "data", "MANIFEST-*"))
		}, "cannot read the store"},
		"garbled marker": {func(t *testing.T, dir string) {
			put(t, open(t, dir), "a", "1")
			old := only(t, filepath.Join(dir, "data", "marker.format-version.*"))
			if err := os.Rename(old, filepath.Join(dir, "data", "marker.format-version.000099.999")); err != nil {
				t.Fatal(err)
			}
		}, "cannot read the store"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.prepare(t, dir)
			// A copy, because a failed Open may hold on to files until its process ends.
			_, err := store.Open(copyData(t, dir, t.TempDir()), quiet)
			if !errors.Is(err, store.ErrUnreadable) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want ErrUnreadable that says %q", err, c.want)
			}
		})
	}
}

// copyData copies a store as a backup would, without its reserve, and returns to.
func copyData(t *testing.T, from, to string) string {
	t.Helper()
	if err := os.CopyFS(filepath.Join(to, "data"), os.DirFS(filepath.Join(from, "data"))); err != nil {
		t.Fatal(err)
	}
	return to
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func only(t *testing.T, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) != 1 {
		t.Fatalf("%s matches %v, %v; want one file", pattern, names, err)
	}
	return names[0]
}

func remove(t *testing.T, pattern string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s matches nothing: %v", pattern, err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}
