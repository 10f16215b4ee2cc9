package storetest

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path"
	"sync"
	"syscall"

	"github.com/ante-games/ante/store"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// ErrDisk is what a broken Disk returns.
var ErrDisk = errors.New("input/output error on purpose")

// reserve is what a store on a disk in memory keeps in reserve, in bytes: as little as can be,
// since a crash copies all of the disk.
const reserve = 1 << 20

// Disk is a file system under the real Pebble, which can be full and can break. One in memory
// remembers what was synced, so it can crash, too. It is safe for concurrent use.
type Disk struct {
	fs  vfs.FS
	dir string     // of the store
	mem *vfs.MemFS // nil: the files are real

	mu      sync.Mutex
	room    int // writes until the disk is full, -1 for no limit
	reserve int // writes that removing the store's ballast makes room for
	broken  func(errorfs.Op) bool
	watch   func(op int, name string)
	ops     int
}

// NewDisk returns an empty disk in memory.
func NewDisk() *Disk { return inMemory(vfs.NewCrashableMem()) }

func inMemory(mem *vfs.MemFS) *Disk { return &Disk{fs: mem, dir: "/store", mem: mem, room: -1} }

// RealDisk returns a disk with the files of a store's directory. It takes no process lock.
func RealDisk(dir string) *Disk { return &Disk{fs: vfs.Default, dir: dir, room: -1} }

// Open opens the store on the disk.
func (d *Disk) Open() (*store.Pebble, error) {
	keep := reserve
	if d.mem == nil {
		keep = store.Reserve
	}
	return store.OpenFS(errorfs.Wrap(d.fs, d), d.dir, keep, slog.New(slog.DiscardHandler))
}

// Crash returns the disk as a power failure at this moment could leave it: what was synced, and
// each block and directory entry that was not with the given chance in percent. The old disk goes
// on, for processes that don't know yet. Only one in memory can.
func (d *Disk) Crash(rng *rand.Rand, unsynced int) *Disk {
	return inMemory(d.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: unsynced, RNG: rng}))
}

// Watch calls f before every operation that changes the disk, with its number and the name of its
// file. F may call Crash.
func (d *Disk) Watch(f func(op int, name string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch, d.ops = f, 0
}

// Fill lets a number of writes through; then the disk is full. The store's giving up its reserve
// makes room for some more writes; 0 is as when somebody else takes that room at once.
func (d *Disk) Fill(writes, reserve int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room, d.reserve = writes, reserve
	d.tell(1 << 10)
}

// Free makes room again.
func (d *Disk) Free() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room = -1
	d.tell(1 << 30)
}

// tell has a disk in memory say how many bytes are left. A real one tells of room that its writes
// don't find.
func (d *Disk) tell(left uint64) {
	if d.mem != nil {
		d.mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: left, TotalBytes: 1 << 30, UsedBytes: 1<<30 - left})
	}
}

// Break makes operations of the given kinds fail from now on: "read", "write", "sync".
func (d *Disk) Break(kinds ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = func(op errorfs.Op) bool {
		for _, kind := range kinds {
			if kind == kindOf(op) {
				return true
			}
		}
		return false
	}
}

func kindOf(op errorfs.Op) string {
	switch op.Kind {
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
		return "sync"
	case errorfs.OpFileRead, errorfs.OpFileReadAt:
		return "read"
	}
	if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
		return "write"
	}
	return "other"
}

// MaybeError implements errorfs.Injector.
func (d *Disk) MaybeError(op errorfs.Op) error {
	d.mu.Lock()
	kind, watch := kindOf(op), d.watch
	writes := kind == "write" || kind == "sync"
	n := d.ops
	if writes {
		d.ops++
	}
	err := d.refuse(op, kind)
	d.mu.Unlock()
	if writes && watch != nil {
		watch(n, path.Base(op.Path))
	}
	return err
}

func (d *Disk) refuse(op errorfs.Op, kind string) error {
	if d.broken != nil && d.broken(op) {
		return fmt.Errorf("%s %s: %w", kind, path.Base(op.Path), ErrDisk)
	}
	switch op.Kind {
	case errorfs.OpRemove:
		if d.room >= 0 && path.Base(op.Path) == "ballast" {
			d.room, d.reserve = d.room+d.reserve, 0
		}
	case errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileWriteAt, errorfs.OpMkdirAll, errorfs.OpLink:
		if d.room == 0 {
			return &os.PathError{Op: kind, Path: op.Path, Err: syscall.ENOSPC}
		}
		if d.room > 0 {
			d.room--
		}
	}
	return nil
}

func (d *Disk) String() string { return "disk" }
