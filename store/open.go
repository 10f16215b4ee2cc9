package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/ante-games/ante/internal/files"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Open opens the store in its own directory, which it creates (mode 0700) if needed. It fails with
// ErrInUse, ErrFull or ErrUnreadable.
func Open(dir string, log *slog.Logger) (*Pebble, error) {
	if err := makeDir(vfs.Default, dir); err != nil {
		return nil, fmt.Errorf("create the store's directory: %w", err)
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	p, err := OpenFS(vfs.Default, dir, Reserve, log)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	p.unlock = unlock
	return p, nil
}

// OpenFS opens the store in a directory of a file system, without the process lock, and with a
// reserve of so many bytes, in whole MiB: for tests that fault the disk.
func OpenFS(fs vfs.FS, dir string, reserve int, log *slog.Logger) (*Pebble, error) {
	p := &Pebble{
		dir: dir, data: fs.PathJoin(dir, "data"), log: log, ballast: newBallast(fs, dir, reserve, log), unlock: func() error { return nil },
		faults:   &sparing{log: log, now: time.Now},
		requests: make(chan request), closing: make(chan struct{}), stopped: make(chan struct{}), failed: make(chan struct{}),
	}
	if err := p.prepare(fs); err != nil {
		return nil, p.refusal(err)
	}
	db, err := p.openDB(fs, p.data)
	if err != nil {
		return nil, p.refusal(err)
	}
	p.db = db
	go p.commitLoop()
	if err := Begin(p); err != nil {
		return nil, errors.Join(fmt.Errorf("open the store in %s: %w", dir, err), p.Close())
	}
	return p, nil
}

// prepare takes the reserve and makes sure that there is a database.
func (p *Pebble) prepare(fs vfs.FS) error {
	if err := makeDir(fs, p.dir); err != nil {
		return fmt.Errorf("create the store's directory: %w", err)
	}
	if err := p.ballast.fill(); err != nil {
		return err
	}
	if _, err := fs.Stat(p.data); errors.Is(err, os.ErrNotExist) {
		return p.create(fs)
	}
	// Pebble would start afresh in what is only half of a backup, and delete the logs it finds
	// there.
	if desc, err := pebble.Peek(p.data, fs); err == nil && !desc.Exists {
		return fmt.Errorf("%w: %s holds no database, or a part of one: put back the whole of a backup, or choose another directory",
			ErrUnreadable, p.data)
	}
	return nil
}

// create makes an empty database under another name and moves it into place, so that a crash leaves
// a whole one or none. Pebble also writes its first log in an old format, which ends with this.
func (p *Pebble) create(fs vfs.FS) error {
	draft := p.data + ".new"
	if err := fs.RemoveAll(draft); err != nil {
		return fmt.Errorf("create the store: %w", err)
	}
	if err := makeDir(fs, draft); err != nil {
		return fmt.Errorf("create the store: %w", err)
	}
	db, err := p.openDB(fs, draft)
	if err != nil {
		return err
	}
	if err := p.guard(db.Close); err != nil {
		return fmt.Errorf("create the store: %w", err)
	}
	if err := fs.Rename(draft, p.data); err != nil {
		return fmt.Errorf("create the store: %w", err)
	}
	return files.SyncDir(fs, p.dir)
}

func (p *Pebble) openDB(fs vfs.FS, dir string) (db *pebble.DB, err error) {
	err = p.guard(func() error {
		opened, err := pebble.Open(dir, p.options(vfs.OnDiskFull(ordered{fs}, p.ballast.release)))
		db = opened
		return err
	})
	if err != nil && !vfs.IsNoSpaceError(err) {
		err = fmt.Errorf("%w: %w: put back a backup of %s and declare it restored, or choose another directory",
			ErrUnreadable, err, p.dir)
	}
	if err != nil {
		return nil, err
	}
	return db, nil
}

// refusal says what to do about a full disk.
func (p *Pebble) refusal(err error) error {
	if vfs.IsNoSpaceError(err) {
		return p.ballast.errFull(err)
	}
	return err
}

// makeDir creates a directory that survives a power failure, and those above it where needed.
func makeDir(fs vfs.FS, dir string) error {
	if _, err := fs.Stat(dir); err == nil {
		return nil
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := makeDir(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return files.SyncDir(fs, parent)
}

// guard runs f in a goroutine of its own, because Pebble stops the one it is in when it meets a
// disk that it can't use.
func (p *Pebble) guard(f func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- asError(r)
			}
		}()
		done <- f()
	}()
	select {
	case err := <-done:
		return err
	case <-p.failed:
		return p.cause
	}
}

func (p *Pebble) options(fs vfs.FS) *pebble.Options {
	return &pebble.Options{
		FS: fs,
		// Since FormatWALSyncChunks, a corrupt log is told from one whose end was torn off by a
		// crash.
		FormatMajorVersion: pebble.FormatTableFormatV6,
		Logger:             pebbleLog{p},
		EventListener: &pebble.EventListener{
			BackgroundError: func(err error) { p.faults.Error("store: background work failed, will retry", "error", err) },
			DataCorruption:  func(info pebble.DataCorruptionInfo) { _ = p.fail(info.Details) },
		},
	}
}

// pebbleLog takes what Pebble says. Fatalf must not return: the goroutine that called it is in a
// state that Pebble cannot go on from, so it stays there, and the store's callers are told.
type pebbleLog struct{ p *Pebble }

func (l pebbleLog) Infof(format string, args ...any) { l.p.log.Debug(fmt.Sprintf(format, args...)) }
func (l pebbleLog) Errorf(format string, args ...any) {
	l.p.faults.Error(fmt.Sprintf(format, args...))
}
func (l pebbleLog) Fatalf(format string, args ...any) {
	last := said{words: fmt.Sprintf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			last.cause = err
		}
	}
	_ = l.p.fail(last)
	select {}
}

// said is an error in the words of the database.
type said struct {
	words string
	cause error
}

func (s said) Error() string { return s.words }

func (s said) Unwrap() error { return s.cause }
