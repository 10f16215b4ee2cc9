package store

import (
	"errors"
	"strings"

	"github.com/ante-games/ante/internal/files"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// ordered makes the changes of a directory durable in the order they were made where Pebble rests
// on that order. Its markers are empty files whose names say which manifest counts: it creates a
// manifest, then the marker that names it, removes the marker before, and only then syncs the
// directory. A file system may keep any part of these after a power failure: a marker without its
// manifest, or neither marker, is a database that can't be opened.
type ordered struct{ vfs.FS }

// Create implements vfs.FS: what came before a marker is durable before it is there, and it is
// before Create returns.
func (o ordered) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !strings.HasPrefix(o.PathBase(name), "marker.") {
		return o.FS.Create(name, category)
	}
	dir := o.PathDir(name)
	if err := files.SyncDir(o.FS, dir); err != nil {
		return nil, err
	}
	marker, err := o.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	if err := files.SyncDir(o.FS, dir); err != nil {
		return nil, errors.Join(err, marker.Close())
	}
	return marker, nil
}

func (o ordered) Unwrap() vfs.FS { return o.FS }
