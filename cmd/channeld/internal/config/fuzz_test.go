package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
)

// Whatever the file and the environment say, it is understood or refused as a bad configuration.
func FuzzLoad(f *testing.F) {
	for _, x := range [][2]string{
		{"chain:\n  url: http://localhost:8545\n", "CHANNELD_CHAIN_URL=http://localhost:1"},
		{"games:\n  mastermind: \"0x0000000000000000000000000000000000000001\"\n", "CHANNELD_GAMES_TOY=0x1"},
		{"a: &a [*a]\n", "CHANNELD_"}, {"games: 7\n", "=x"}, {"? [1, 2]\n: 3\n", ""}, {"\x00", "CHANNELD_GAMES_="}, {"games:\n  1: 2\n", ""},
	} {
		f.Add([]byte(x[0]), x[1])
	}
	path := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, file []byte, environ string) {
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := config.Load(path, []string{environ}, nil); (c == nil) == (err == nil) || err != nil && !errors.Is(err, config.ErrConfig) {
			t.Fatalf("%q with %q: %v, %v", file, environ, c, err)
		}
	})
}
