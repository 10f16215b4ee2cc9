package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLicences: the text of every module that a program may be built from is found, each once and
// always in one order.
func TestLicences(t *testing.T) {
	t.Chdir("../..")
	notice, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	for line := range strings.Lines(string(notice)) {
		if path, _, ok := strings.Cut(line, "  "); ok && strings.Contains(path, ".") {
			modules = append(modules, path)
		}
	}
	texts, err := licences(modules)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := licences(modules); err != nil || !bytes.Equal(again, texts) {
		t.Errorf("the texts of the same modules differ: %v", err)
	}
	for _, m := range append(modules, "Go's runtime and standard library") {
		if !bytes.Contains(texts, []byte("=== "+m+"\n")) {
			t.Errorf("there is no licence of %s", m)
		}
	}
	for _, text := range []string{"GNU LESSER GENERAL PUBLIC LICENSE", "Mozilla Public License", "Copyright © 2014, 2015, 2018 Barry Allard"} {
		if !bytes.Contains(texts, []byte(text)) {
			t.Errorf("nothing has the words %q", text)
		}
	}
}

// TestArchive: an archive has each file with its text and the mode to run it with, and is the same
// whenever it is made.
func TestArchive(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	files := []file{{name: "LICENSE", text: []byte("free")}, {name: "channeld", text: []byte("\x7fELF"), program: true}}
	for system, suffix := range map[string]string{"linux": ".tar.gz", "windows": ".zip"} {
		var made [2][]byte
		for i := range made {
			to := filepath.Join(t.TempDir(), "channeld-1")
			if err := archive(to, system, at, files); err != nil {
				t.Fatal(err)
			}
			var err error
			if made[i], err = os.ReadFile(to + suffix); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s: two archives of the same files differ", system)
		}
		unpack := untar
		if system == "windows" {
			unpack = unzip
		}
		got := unpack(t, made[0])
		if len(got) != 2 || string(got[0].text) != "free" || got[0].name != "channeld-1/LICENSE" || got[0].program || !got[1].program {
			t.Errorf("%s: %+v", system, got)
		}
	}
}

func untar(t *testing.T, packed []byte) (files []file) {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{h.Name, text, h.FileInfo().Mode()&0o100 != 0})
	}
}

func unzip(t *testing.T, packed []byte) (files []file) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		entry, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(entry)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{f.Name, text, f.Mode()&0o100 != 0})
	}
	return files
}
