package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ante-games/ante"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/faucet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node/dev"
	"github.com/rogpeppe/go-internal/testscript"
)

// leave makes TestUpgrade keep what this release leaves behind. The rules for changes of what is
// stored are at layout in package store.
var leave = flag.Bool("upgrade.leave", false, "write testdata/upgrade/VERSION.tar.gz")

const upgrades = "testdata/upgrade"

// TestUpgrade: two players whose daemons were of an earlier release are in the middle of a match.
// They find what they knew, play on, and are paid. Each archive has their directories, as a release
// left them, and that of their chain.
func TestUpgrade(t *testing.T) {
	if *leave {
		upgrade(t, "leave", func(e *testscript.Env) error {
			world, err := dev.Start(t.Context(), devnet.Config{DataDir: filepath.Join(e.WorkDir, "chain")}, catalog.Standard())
			if err != nil {
				return err
			}
			e.Defer(func() {
				if err := errors.Join(world.Close(), pack(filepath.Join(upgrades, ante.Version+".tar.gz"), e.WorkDir)); err != nil {
					t.Error(err)
				}
			})
			return faucet.Write(world, filepath.Join(e.WorkDir, "devnet"))
		})
		return
	}
	left, err := filepath.Glob(filepath.Join(upgrades, "*.tar.gz"))
	if err != nil || len(left) == 0 {
		t.Fatalf("no release left anything in %s: %v", upgrades, err)
	}
	for _, archive := range left {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			upgrade(t, "resume", func(e *testscript.Env) error {
				if err := unpack(archive, e.WorkDir); err != nil {
					return err
				}
				chain, err := devnet.Start(devnet.Config{DataDir: filepath.Join(e.WorkDir, "chain")})
				if err != nil {
					return err
				}
				e.Setenv("URL", chain.URL())
				e.Defer(func() {
					if err := chain.Close(); err != nil {
						t.Error(err)
					}
				})
				return nil
			})
		})
	}
}

// upgrade runs a script where setup has put what it needs.
func upgrade(t *testing.T, script string, setup func(*testscript.Env) error) {
	testscript.Run(t, testscript.Params{
		Files:               []string{filepath.Join(upgrades, script+".txtar")},
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"run": run, "start": start, "field": field, "until": until, "calm": calm},
		Setup: func(e *testscript.Env) error {
			e.Values[background] = processes{}
			if err := os.WriteFile(filepath.Join(e.WorkDir, "password"), []byte("correct horse\n"), 0o600); err != nil {
				return err
			}
			return errors.Join(setup(e), employ(e))
		},
	})
}

// ephemeral files are made anew when a program starts.
var ephemeral = []string{"ballast", "lock", "owner", "api-address", "LOCK", "jwtsecret", "nodekey"}

// pack keeps the directories of the chain and the players.
func pack(archive, from string) (err error) {
	out, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	small, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(small)
	for _, dir := range []string{"chain", "alice", "bob"} {
		if err := filepath.WalkDir(filepath.Join(from, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || slices.Contains(ephemeral, entry.Name()) {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			header := tar.Header{Name: filepath.ToSlash(name), Mode: 0o600, Size: int64(len(text))}
			if err := w.WriteHeader(&header); err != nil {
				return err
			}
			_, err = w.Write(text)
			return err
		}); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), small.Close())
}

func unpack(archive, to string) error {
	in, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer in.Close()
	plain, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	for r := tar.NewReader(plain); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		path := filepath.Join(to, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
	}
}
