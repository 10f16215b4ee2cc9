package network_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/network"
	"github.com/ethereum/go-ethereum/common"
)

// TestText: what is written is what a daemon reads.
func TestText(t *testing.T) {
	t.Parallel()
	n := network.Network{URL: `http://h:1/a"b`, ID: 5, Arena: common.Address{1}, From: 7, Scoreboard: common.Address{2},
		Games: map[string]common.Address{"box9": {3}, "null": {4}}, More: map[string]string{"wait.poll": "3s", "chain.max_age": "0s"}}
	file := filepath.Join(t.TempDir(), "network.yaml")
	if err := os.WriteFile(file, []byte(n.Text("a chain")), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Chain.URL != n.URL || c.Chain.ID != 5 || c.Chain.Arena != n.Arena || c.Chain.From != 7 || c.Chain.Scoreboard != n.Scoreboard ||
		!maps.Equal(c.Games, n.Games) || c.Wait.Poll != 3*time.Second || c.Chain.MaxAge != 0 {
		t.Errorf("%+v", c)
	}
}

// TestProfiles: no chain is there twice, and each has what a daemon needs.
func TestProfiles(t *testing.T) {
	t.Parallel()
	seen := map[any]bool{}
	for _, p := range network.Profiles {
		if seen[p.Name] || seen[p.ID] || p.Block <= 0 || p.Confirmations == 0 || network.Of(p.ID) != p {
			t.Errorf("%+v", p)
		}
		// what is final has to be at least some seconds old, and well within a window
		if final := time.Duration(p.Confirmations) * p.Block; final < 25*time.Second || final > 10*time.Minute { //nolint:gosec // few
			t.Errorf("%s: a block is final after %v", p.Name, final)
		}
		seen[p.Name], seen[p.ID] = true, true
	}
	if p := network.Of(4242); p.Confirmations != 0 || p.Poll() != 6*time.Second {
		t.Errorf("a chain that nothing is known of: %+v", p)
	}
}
