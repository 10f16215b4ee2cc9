package store

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Reserve is what a store keeps in reserve, in bytes: a few memtables, so that what is under way
// when the disk fills up can be finished.
const Reserve = 16 << 20

// ballastBlock is how much of it is written at once, in bytes.
const ballastBlock = 1 << 20

// ballast is a file that only takes up room. When the disk fills up it is given back, so that the
// commit under way and the tables being written succeed, and further commits are refused before
// they write anything. Half-written files, of which databases die, do not happen.
type ballast struct {
	fs   vfs.FS
	dir  string
	path string
	size int // bytes, whole blocks
	log  *slog.Logger
	full atomic.Bool
}

func newBallast(fs vfs.FS, dir string, size int, log *slog.Logger) *ballast {
	return &ballast{fs: fs, dir: dir, path: fs.PathJoin(dir, "ballast"), size: size, log: log}
}

// release is called by the file system under Pebble at the first write that finds no room, maybe
// while the reserve is taken again: full is set last, so that what was removed is missed.
func (b *ballast) release() {
	err := b.fs.Remove(b.path)
	b.full.Store(true)
	b.log.Error("disk full: nothing more is stored until there is room", "dir", b.dir, "reserve_released", err == nil)
}

// ready returns nil when there is room for a commit. After the disk was full it first takes its
// reserve again.
func (b *ballast) ready() error {
	if !b.full.Load() {
		return nil
	}
	b.full.Store(false)
	if err := b.fill(); err != nil {
		b.full.Store(true)
		return err
	}
	if b.full.Load() {
		return b.errFull(errors.New("the reserve took the last room"))
	}
	b.log.Info("there is room on the disk again", "dir", b.dir)
	return nil
}

// fill makes sure that the reserve is on the disk.
func (b *ballast) fill() error {
	if info, err := b.fs.Stat(b.path); err == nil && info.Size() == int64(b.size) {
		return nil
	}
	if usage, err := b.fs.GetDiskUsage(b.dir); err == nil && usage.AvailBytes < uint64(b.size) { //nolint:gosec // not negative
		return b.errFull(fmt.Errorf("%d bytes left", usage.AvailBytes))
	}
	if err := b.write(); err != nil {
		_ = b.fs.Remove(b.path)
		if vfs.IsNoSpaceError(err) {
			return b.errFull(err)
		}
		return fmt.Errorf("reserve room in %s: %w", b.dir, err)
	}
	return nil
}

func (b *ballast) errFull(cause error) error {
	return fmt.Errorf("%w: %w: free %d MiB under %s; nothing of this was stored, and nothing stored was lost",
		ErrFull, cause, b.size>>20, b.dir)
}

func (b *ballast) write() error {
	file, err := b.fs.Create(b.path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	defer file.Close()
	block := make([]byte, ballastBlock)
	for i := range block {
		block[i] = byte(i*i>>3 + i) // not compressible to nothing
	}
	for range b.size / len(block) {
		if _, err := file.Write(block); err != nil {
			return err
		}
	}
	return file.Sync()
}
