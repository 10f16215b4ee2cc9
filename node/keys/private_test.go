package keys_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ante-games/ante/node/keys"
)

// TestAttack_ExposedKeys: keys, their directory and the API's token that others can read are
// refused, and nothing else is.
func TestAttack_ExposedKeys(t *testing.T) {
	for _, name := range []string{"alice", "alice[1]", "alice["} {
		t.Run(name, func(t *testing.T) { exposedKeys(t, filepath.Join(t.TempDir(), name)) })
	}
}

func exposedKeys(t *testing.T, home string) {
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "keys")
	key, token := filepath.Join(dir, "player.json"), filepath.Join(filepath.Dir(dir), "api-token")
	for _, err := range []error{os.Mkdir(dir, 0o700), os.WriteFile(key, nil, 0o600), os.WriteFile(token, nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := keys.Private(dir, token, filepath.Join(dir, "missing")); err != nil {
		t.Error(err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o755, key: 0o640, token: 0o604} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := keys.Private(dir, token); !errors.Is(err, keys.ErrExposed) {
			t.Errorf("%s with mode %o: %v", path, mode, err)
		}
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
}
