package store

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func reserve(t *testing.T) (*ballast, *vfs.MemFS, *bytes.Buffer) {
	t.Helper()
	fs, out := vfs.NewMem(), new(bytes.Buffer)
	if err := fs.MkdirAll("/store", 0o700); err != nil {
		t.Fatal(err)
	}
	return newBallast(fs, "/store", Reserve, slog.New(slog.NewTextHandler(out, nil))), fs, out
}

func size(t *testing.T, b *ballast) int64 {
	t.Helper()
	info, err := b.fs.Stat(b.path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestReserveNeedsRoom: it is taken where there is just as much room, and not where there is less.
func TestReserveNeedsRoom(t *testing.T) {
	b, fs, _ := reserve(t)
	fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: Reserve - 1})
	if err := b.fill(); !errors.Is(err, ErrFull) {
		t.Errorf("a byte less than the reserve: %v", err)
	}
	fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: Reserve})
	if err := b.fill(); err != nil || size(t, b) != Reserve {
		t.Errorf("room for the reserve: %v, %d bytes", err, size(t, b))
	}
}

// cramped is a file system that tells of room that it has not.
type cramped struct{ vfs.FS }

func (c cramped) Create(string, vfs.DiskWriteCategory) (vfs.File, error) { return nil, syscall.ENOSPC }

// TestReserveFindsNoRoom: that there is none is known from the disk's word or from the first write.
func TestReserveFindsNoRoom(t *testing.T) {
	b, fs, _ := reserve(t)
	b.fs = cramped{fs}
	if err := b.fill(); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
}

// TestReserveIsWhole: what a crash left of it is not enough.
func TestReserveIsWhole(t *testing.T) {
	b, fs, _ := reserve(t)
	part, err := fs.Create(b.path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(part.Close(), b.fill()); err != nil || size(t, b) != Reserve {
		t.Errorf("%v, %d bytes", err, size(t, b))
	}
}

// TestRoomAgain: the reserve is taken again once, and it is said once that there is room.
func TestRoomAgain(t *testing.T) {
	b, _, out := reserve(t)
	if err := b.fill(); err != nil {
		t.Fatal(err)
	}
	b.release()
	for range 2 {
		if err := b.ready(); err != nil || size(t, b) != Reserve {
			t.Fatalf("%v, %d bytes", err, size(t, b))
		}
	}
	if n := strings.Count(out.String(), "there is room on the disk again"); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// crowded is a file system that fills up while the reserve is taken again, once.
type crowded struct {
	vfs.FS
	full func()
}

func (c *crowded) Create(name string, w vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := c.FS.Create(name, w)
	if full := c.full; full != nil {
		c.full = nil
		full()
	}
	return file, err
}

// TestAttack_DiskFull_Again: the reserve takes the last room, so that the database finds none and
// has it given back. It is missed, and taken again before anything is stored.
func TestAttack_DiskFull_Again(t *testing.T) {
	b, fs, _ := reserve(t)
	b.fs = &crowded{fs, b.release}
	b.release()
	if err := b.ready(); !errors.Is(err, ErrFull) {
		t.Errorf("without a reserve: %v", err)
	}
	if err := b.ready(); err != nil || size(t, b) != Reserve {
		t.Errorf("room again: %v, %d bytes", err, size(t, b))
	}
}

// TestWhatPanicsHold: what the database panics with says as before what is wrong, the full disk for
// example.
func TestWhatPanicsHold(t *testing.T) {
	if err := asError(syscall.ENOSPC); !vfs.IsNoSpaceError(err) {
		t.Error(err)
	}
	if err := asError("lost"); err == nil || err.Error() != "lost" {
		t.Error(err)
	}
}

// guarded is a file system of whose directories one may not be read.
type guarded struct {
	vfs.FS
	dir string
}

func (g guarded) OpenDir(name string) (vfs.File, error) {
	if name == g.dir {
		return nil, syscall.EACCES
	}
	return g.FS.OpenDir(name)
}

// TestOthersDirectories: a store whose directory is there needs nothing of those above it, which
// may be somebody else's.
func TestOthersDirectories(t *testing.T) {
	_, fs, _ := reserve(t)
	if err := makeDir(guarded{fs, "/"}, "/store/a"); err != nil {
		t.Error(err)
	}
	if err := makeDir(guarded{fs, "/"}, "/other"); !errors.Is(err, syscall.EACCES) {
		t.Errorf("made without a sync: %v", err)
	}
}
