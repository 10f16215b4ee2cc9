package cli

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/store"
)

// TestCutOff: a daemon whose making was cut off is made by the same command. Keys that may have
// signed before are there only with a store that is marked as put back; and where a daemon has run
// with it nothing is made any more.
func TestCutOff(t *testing.T) {
	dir, password := t.TempDir(), filepath.Join(t.TempDir(), "password")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(password, []byte("correct horse\n"), 0o600))
	backup := filepath.Join(dir, "backup", keysDir)
	ring, err := (&app{dir: filepath.Dir(backup)}).makeKeys(&config.Keys{PasswordFile: password}, "", true, nil)
	must(err)
	for _, c := range []struct{ command, missing string }{{"restore", "keys/seed.json"}, {"restore", "keys"}, {"restore", storeDir}, {"init", storeDir}} {
		a := &app{Terminal: Terminal{Out: io.Discard, Err: io.Discard}, dir: filepath.Join(dir, c.command, c.missing)}
		run := func(command string) error {
			cmd, args := restoreCommand(a), []string{backup}
			if command == "init" {
				cmd, args = initCommand(a), nil
			}
			must(cmd.ParseFlags([]string{"--keys.password_file", password}))
			return cmd.RunE(cmd, args)
		}
		must(run("restore"))
		must(errors.Join(os.Remove(a.path(configFile)), os.RemoveAll(a.path(c.missing))))
		must(os.WriteFile(password, []byte("mistyped\n"), 0o600))
		if err := run(c.command); !errors.Is(err, keys.ErrPassword) {
			t.Errorf("%+v: with another password, %v", c, err)
		}
		must(os.WriteFile(password, []byte("correct horse\n"), 0o600))
		must(run(c.command))
		again, err := keys.Open(a.path(keysDir), keys.NewPassword("correct horse"))
		must(err)
		s, err := store.Open(a.path(storeDir), slog.New(slog.DiscardHandler))
		must(err)
		marked, err := store.Restored(s)
		must(errors.Join(err, s.Close()))
		if marked == 0 || again.Player().Address() != ring.Player().Address() {
			t.Errorf("%+v: %v, marked in %d", c, again, marked)
		}
		must(os.Remove(a.path(configFile)))
		if err := run(c.command); !errors.Is(err, keys.ErrExist) {
			t.Errorf("%+v: where the store was opened, %v", c, err)
		}
	}
}

// TestNoKeysToRestore: where KEYS is mistyped nothing is made.
func TestNoKeysToRestore(t *testing.T) {
	a := &app{Terminal: Terminal{Out: io.Discard, Err: io.Discard}, dir: filepath.Join(t.TempDir(), "new")}
	if err := restoreCommand(a).RunE(restoreCommand(a), []string{t.TempDir()}); !errors.Is(err, keys.ErrMissing) {
		t.Error(err)
	}
	if _, err := os.Stat(a.path(storeDir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a store: %v", err)
	}
}
