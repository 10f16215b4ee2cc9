package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"
)

// file is one of an archive.
type file struct {
	name    string
	text    []byte
	program bool
}

func (f file) mode() os.FileMode {
	if f.program {
		return 0o755
	}
	return 0o644
}

// archive packs files, in a folder that is called as the archive is, into what the system's users
// can unpack. All of them have one time and no owner.
func archive(to, system string, at time.Time, files []file) (err error) {
	suffix, pack := ".tar.gz", packTar
	if system == "windows" {
		suffix, pack = ".zip", packZip
	}
	out, err := os.Create(to + suffix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return pack(out, filepath.Base(to), at, files)
}

func packTar(to io.Writer, folder string, at time.Time, files []file) error {
	compressed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(compressed)
	for _, f := range files {
		header := tar.Header{Name: path.Join(folder, f.name), Mode: int64(f.mode()), Size: int64(len(f.text)), ModTime: at}
		if err := out.WriteHeader(&header); err != nil {
			return err
		}
		if _, err := out.Write(f.text); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), compressed.Close())
}

func packZip(to io.Writer, folder string, at time.Time, files []file) error {
	out := zip.NewWriter(to)
	for _, f := range files {
		header := zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode())
		entry, err := out.CreateHeader(&header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.text); err != nil {
			return err
		}
	}
	return out.Close()
}
