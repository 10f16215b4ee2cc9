package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

// TestAttack_Crash cuts the power before every single operation on the disk, from the creation of
// the store on, with nothing, some or all of what was not synced surviving in pieces. Every time
// all that was acknowledged is found again, and no commit is found in part.
func TestAttack_Crash(t *testing.T) {
	const commits = 12
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a seed to repeat
	disk := storetest.NewDisk()
	acknowledged, crashes := 0, 0
	var mu sync.Mutex // Pebble works on the disk from several goroutines
	disk.Watch(func(op int, name string) {
		mu.Lock()
		defer mu.Unlock()
		chances := []int{0, 50, 100}
		if strings.HasPrefix(name, "marker.") {
			// which database counts hangs on what of the directory survives
			chances = append(chances, 50, 50, 50, 50, 50, 50, 50, 50)
		}
		for _, unsynced := range chances {
			after := disk.Crash(rng, unsynced)
			crashes++
			found := survive(t, after)
			if found < acknowledged || found > acknowledged+1 {
				t.Errorf("before operation %d, %d%% of the rest survived: %d commits found, %d were acknowledged", op, unsynced, found, acknowledged)
			}
		}
	})
	s, err := disk.Open()
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= commits; i++ {
		if err := s.Commit(batch(i)); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		acknowledged = i
		mu.Unlock()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	disk.Watch(nil)
	if found := survive(t, disk); found != commits {
		t.Errorf("%d commits found after Close, want %d", found, commits)
	}
	if crashes < 3*(2*commits+10) {
		t.Errorf("only %d crashes: the disk is not watched", crashes)
	}
}

// batch is a commit of several keys over several disk blocks, which replaces what the one before it
// put.
func batch(i int) map[string][]byte {
	changes := map[string][]byte{"count": fmt.Append(nil, i)}
	for part := range 3 {
		changes[fmt.Sprintf("part/%d", part)] = append(fmt.Append(nil, i, " "), bytes.Repeat([]byte{byte(i)}, 5000)...)
	}
	return changes
}

// survive opens the store, checks that what it holds is whole, and returns the number of the last
// commit in it.
func survive(t *testing.T, disk *storetest.Disk) int {
	t.Helper()
	s, err := disk.Open()
	if err != nil {
		t.Errorf("open after a crash: %v", err)
		return -1
	}
	defer s.Close()
	return whole(t, s)
}

func whole(t *testing.T, s store.Store) int {
	t.Helper()
	var count int
	value, err := s.Get("count")
	if err != nil {
		t.Error(err)
	}
	if value != nil {
		if _, err := fmt.Sscan(string(value), &count); err != nil {
			t.Error(err)
		}
	}
	for key, value := range batch(count) {
		if count == 0 {
			value = nil
		}
		if got, err := s.Get(key); err != nil || !bytes.Equal(got, value) {
			t.Errorf("commit %d is in part: %s has %d bytes, %v", count, key, len(got), err)
		}
	}
	return count
}

// TestAttack_Crash_TornTail cuts the log at every length between two commits.
func TestAttack_Crash_TornTail(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	log := func() string { return only(t, filepath.Join(dir, "data", "*.log")) }
	put(t, s, "first", "kept")
	start := size(t, log())
	if err := s.Commit(map[string][]byte{"a": []byte("torn"), "b": bytes.Repeat([]byte("torn"), 20)}); err != nil {
		t.Fatal(err)
	}
	end := size(t, log())
	if end <= start {
		t.Fatalf("the log did not grow: %d, %d bytes", start, end)
	}
	for cut := start; cut <= end; cut++ {
		copied := copyData(t, dir, t.TempDir())
		if err := os.Truncate(filepath.Join(copied, "data", filepath.Base(log())), cut); err != nil {
			t.Fatal(err)
		}
		after := open(t, copied)
		want(t, after, "first", "kept")
		a, _ := after.Get("a")
		b, _ := after.Get("b")
		if (a == nil) != (b == nil) {
			t.Fatalf("cut at %d of %d..%d: half of a commit", cut, start, end)
		}
		_ = after.Close()
	}
}

// TestAttack_Crash_CorruptLog flips bytes of what was acknowledged: the store must refuse, not
// forget.
func TestAttack_Crash_CorruptLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "first", "acknowledged")
	log := only(t, filepath.Join(dir, "data", "*.log"))
	end := size(t, log)
	put(t, s, "more", strings.Repeat("x", 3*logBlock))
	put(t, s, "last", "acknowledged")
	refused := 0
	for at := int64(0); at < end; at += 3 {
		copied := copyData(t, dir, t.TempDir())
		flip(t, filepath.Join(copied, "data", filepath.Base(log)), at)
		_, err := store.Open(copied, quiet)
		if !errors.Is(err, store.ErrUnreadable) {
			t.Fatalf("byte %d flipped: %v, want ErrUnreadable", at, err)
		}
		refused++
	}
	if refused < 10 {
		t.Fatalf("only %d bytes flipped of %d", refused, end)
	}
}

// logBlock is the size of the log's blocks, in bytes. In the last one, corruption looks like a torn
// write.
const logBlock = 32 << 10

func size(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func flip(t *testing.T, name string, at int64) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[at] ^= 0x55
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestBrokenDisk: whatever kind of operation fails, callers get an error, at once and from then on.
func TestBrokenDisk(t *testing.T) {
	for _, kind := range []string{"write", "sync"} {
		disk := storetest.NewDisk()
		s, err := disk.Open()
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, "a", "1")
		disk.Break(kind)
		for range 3 {
			if err := s.Commit(map[string][]byte{"a": []byte("2")}); !errors.Is(err, store.ErrFailed) || !errors.Is(err, storetest.ErrDisk) {
				t.Fatalf("%s fails: %v, want ErrFailed and its cause", kind, err)
			}
		}
		if _, err := s.Get("a"); !errors.Is(err, store.ErrFailed) {
			t.Fatalf("%s failed: Get returns %v", kind, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBrokenReads: a table that cannot be read is an error, not an absent key.
func TestBrokenReads(t *testing.T) {
	disk := storetest.NewDisk()
	s, err := disk.Open()
	if err != nil {
		t.Fatal(err)
	}
	// Enough for a table on disk, in values too large for the cache.
	for i := range 40 {
		if err := s.Commit(map[string][]byte{key(i): bytes.Repeat([]byte{byte(i), 7, byte(i * 3)}, 1<<18)}); err != nil {
			t.Fatal(err)
		}
	}
	disk.Break("read")
	failed := 0
	for i := range 40 {
		value, err := s.Get(key(i))
		switch {
		case err == nil && len(value) != 3<<18:
			t.Fatalf("%s lost: %d bytes", key(i), len(value))
		case err != nil:
			failed++
		}
	}
	if err := s.Scan("k/", "", func(string, []byte) error { return nil }); err == nil || failed == 0 {
		t.Fatalf("reads of a broken disk succeed: %d failed, scan %v", failed, err)
	}
}
